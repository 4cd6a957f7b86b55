-- Units that a buyer bought and kept, and units that a seller sold in purchases whose payment is
-- captured. `seller 0` has the units that were captured before this migration: their sellers are
-- not recorded.
CREATE TABLE unit_total (
  account  TEXT    PRIMARY KEY,  -- `buyer 7` or `seller 3`
  units    INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO unit_total
SELECT 'buyer ' || buyer_id, sum(quantity), row_checksum('buyer ' || buyer_id, sum(quantity))
FROM purchase_line WHERE returned = 0 GROUP BY buyer_id;

-- Finds the purchase of a line: the last one whose first line is not after it.
CREATE INDEX purchase_of_line ON purchase (first_line) WHERE first_line IS NOT NULL;
INSERT INTO unit_total
SELECT 'seller 0', sum(quantity), row_checksum('seller 0', sum(quantity))
FROM purchase_line
WHERE (SELECT state FROM purchase WHERE first_line <= purchase_line.id
       ORDER BY first_line DESC LIMIT 1) = 'CAPTURED'
HAVING sum(quantity) > 0;
