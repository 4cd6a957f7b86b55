-- db/catalog/V9__stock_trades.sql describes it.
CREATE TABLE stock_trade (
  product_id bigint NOT NULL,
  number     bigint NOT NULL,
  PRIMARY KEY (product_id, number)
);
INSERT INTO stock_trade
  SELECT DISTINCT CAST(line ->> 0 AS bigint), number
  FROM sale, json_array_elements(CAST(lines AS json)) AS line
  WHERE series = 1 AND kind IN ('BUY', 'SELL');
