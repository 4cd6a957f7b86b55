-- Who changed the shop's own products, when and how, other than by sales. Rows are only added, each
-- in the commit that makes the change.
CREATE TABLE recorded_change (
  number         INTEGER PRIMARY KEY,                 -- from 1, consecutive
  time           INTEGER NOT NULL,                    -- ms since 1970
  made_by        TEXT    NOT NULL,                    -- who, and from where
  product_before TEXT,                                -- the product as JSON; null: it is new
  product_after  TEXT,                                -- null: it was removed
  checksum       INTEGER NOT NULL
) STRICT;
