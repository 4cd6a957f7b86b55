-- The book has every series of the catalog's sales, and its lines name products by id. Lines of
-- before have null there: the catalog's sales alone know theirs.
ALTER TABLE book RENAME TO book_before;
CREATE TABLE book (
  series   INTEGER NOT NULL,  -- 1: the store's orders and trades; 2: purchases
  number   INTEGER NOT NULL,
  key      TEXT    NOT NULL,
  kind     TEXT    NOT NULL,  -- ORDER, BUY or SELL
  as_list  INTEGER NOT NULL,  -- whether it was ordered as a list of lines
  lines    TEXT    NOT NULL,  -- JSON: [[product id, name, quantity, price in cents], …]
  time     INTEGER NOT NULL,  -- ms since 1970
  checksum INTEGER NOT NULL,
  PRIMARY KEY (series, number)
) STRICT, WITHOUT ROWID;

-- A row that is not as it was written keeps its checksum, and so is not as it was written here.
INSERT INTO book
SELECT 1, number, key, kind, as_list,
  coalesce(CASE WHEN json_valid(lines) THEN
    (SELECT json_group_array(json_array(NULL,
       json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')))
     FROM (SELECT value FROM json_each(lines) ORDER BY key)) END, lines),
  time, checksum = row_checksum(number, key, kind, as_list, lines, time)
FROM book_before;
UPDATE book SET checksum = CASE checksum
  WHEN 1 THEN row_checksum(series, number, key, kind, as_list, lines, time) ELSE -1 END;
DROP TABLE book_before;
