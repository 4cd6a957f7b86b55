-- Finds the trades of a stock: sales of kind BUY or SELL in series 1 with a line of it.
CREATE TABLE stock_trade (
  product_id INTEGER NOT NULL,
  number     INTEGER NOT NULL,                        -- of the sale
  PRIMARY KEY (product_id, number)
) STRICT, WITHOUT ROWID;

-- A damaged sale is not found here; the audit reports it.
INSERT INTO stock_trade
  SELECT DISTINCT json_extract(line.value, '$[0]'), number
  FROM sale, json_each(CASE WHEN json_valid(lines) THEN lines ELSE '[]' END) AS line
  WHERE series = 1 AND kind IN ('BUY', 'SELL') AND json_type(line.value, '$[0]') = 'integer';
