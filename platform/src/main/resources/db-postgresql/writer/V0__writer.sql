-- The process that writes, and the number of its last batch: see PostgresSchema.
CREATE TABLE writer (
  epoch bigint NOT NULL,                -- grows with each writer and each of its connections
  owner text COLLATE "C" NOT NULL,      -- identifies the process
  batch bigint NOT NULL
);
INSERT INTO writer VALUES (0, '', 0);
