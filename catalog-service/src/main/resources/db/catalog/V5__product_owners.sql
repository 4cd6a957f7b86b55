-- A product's identity is its id. Its name is unique among the shop's own products alone, those
-- without an owner; the words of these alone are searched.
ALTER TABLE product ADD COLUMN owner INTEGER;         -- null: the shop's own
DROP INDEX product_by_name;
CREATE UNIQUE INDEX product_by_name ON product (name) WHERE removed = 0 AND owner IS NULL;

-- A row that is not as it was written keeps its checksum, and stays so.
UPDATE product SET checksum = row_checksum(
    id, owner, name, category, price_cents, quantity, volume, max_volume, suspended, removed)
  WHERE checksum = row_checksum(
    id, name, category, price_cents, quantity, volume, max_volume, suspended, removed);
