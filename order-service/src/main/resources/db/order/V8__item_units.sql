-- Units of each item that were sold in purchases whose payment is captured: `item 12`.
INSERT INTO unit_total
SELECT 'item ' || item_id, sum(quantity), row_checksum('item ' || item_id, sum(quantity))
FROM purchase_line
WHERE (SELECT state FROM purchase WHERE first_line <= purchase_line.id
       ORDER BY first_line DESC LIMIT 1) = 'CAPTURED'
GROUP BY item_id;
