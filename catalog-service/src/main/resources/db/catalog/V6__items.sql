-- What a seller says about a product; a product with an owner has exactly one row here. It never
-- changes, so that a sale writes the product's row only.
CREATE TABLE item (
  product_id INTEGER PRIMARY KEY REFERENCES product (id),
  seller_id  INTEGER NOT NULL,                        -- the product's owner
  category   INTEGER NOT NULL,
  keywords   TEXT    NOT NULL,                        -- JSON: ["lego", …]
  condition  TEXT    NOT NULL,                        -- NEW or USED
  checksum   INTEGER NOT NULL
) STRICT;

-- Products got their owners before there were items: they are used, in category 0, without keywords.
INSERT INTO item
  SELECT id, owner, 0, '[]', 'USED', row_checksum(id, owner, 0, '[]', 'USED')
  FROM product WHERE owner IS NOT NULL;

-- The stored answer to a request that added such a product ends with the item instead of the owner.
UPDATE answer SET
    detail = json_set(detail, '$[8]', json_array(detail ->> 8, 0, json('[]'), 'USED')),
    checksum = row_checksum(key, request_hash, outcome, number, series,
      json_set(detail, '$[8]', json_array(detail ->> 8, 0, json('[]'), 'USED')), kept_until)
  WHERE outcome = 'CHANGED' AND CASE WHEN json_valid(detail) THEN json_type(detail, '$[8]') END = 'integer'
    AND checksum = row_checksum(key, request_hash, outcome, number, series, detail, kept_until);

-- The purchases that were returned, each once; both numbers are of series 2.
CREATE TABLE sale_return (
  purchase INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL,                          -- of the return
  checksum INTEGER NOT NULL
) STRICT;
