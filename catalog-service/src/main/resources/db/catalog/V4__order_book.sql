-- The series that were ever compared with an order book. After a start such a series sells nothing
-- until the order service has compared its book again.
CREATE TABLE order_book (
  series      INTEGER PRIMARY KEY,
  compared_at INTEGER NOT NULL                        -- for the first time, ms since 1970
) STRICT;
