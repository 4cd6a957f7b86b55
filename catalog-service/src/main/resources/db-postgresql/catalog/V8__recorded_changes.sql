-- See db/catalog/V8__recorded_changes.sql.
CREATE TABLE recorded_change (
  number         bigint PRIMARY KEY,
  time           bigint NOT NULL,
  made_by        text COLLATE "C" NOT NULL,
  product_before text COLLATE "C",
  product_after  text COLLATE "C",
  checksum       bigint NOT NULL
);
