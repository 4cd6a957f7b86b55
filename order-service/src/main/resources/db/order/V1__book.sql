-- The book of orders: the catalog's sales as customers see them, numbered from 0 without gap. The
-- last row says how far the book goes; its key tells a catalog that was restored from a backup.
CREATE TABLE book (
  number  INTEGER PRIMARY KEY,
  key     TEXT    NOT NULL,
  kind    TEXT    NOT NULL,  -- ORDER, BUY or SELL
  as_list INTEGER NOT NULL,  -- whether it was ordered as a list of lines
  lines   TEXT    NOT NULL,  -- JSON: [[name, quantity, price in cents], …]
  time    INTEGER NOT NULL   -- ms since 1970
) STRICT;
