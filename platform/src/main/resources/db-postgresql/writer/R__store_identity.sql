-- The store whose processes use this schema: see StoreIdentity.
CREATE TABLE IF NOT EXISTS store_identity (
  id uuid NOT NULL,
  folder text COLLATE "C" NOT NULL      -- data folder of the last writer and its address, for messages
);
