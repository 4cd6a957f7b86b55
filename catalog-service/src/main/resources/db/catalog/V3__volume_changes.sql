-- Why a product's volume is other than what was traded: it is counted anew.
CREATE TABLE volume_change (
  id         INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES product (id),
  units      INTEGER NOT NULL,                        -- negative: those count no more
  time       INTEGER NOT NULL                         -- ms since 1970
) STRICT;
