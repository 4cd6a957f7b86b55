-- The last column of a row is a checksum over those before it, in their order (Checksum in the
-- module writer); row_checksum is the store's own function.
ALTER TABLE product ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE product SET checksum = row_checksum(
  id, name, category, price_cents, quantity, volume, max_volume, suspended, removed);

ALTER TABLE sale ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE sale SET checksum = row_checksum(series, number, key, kind, as_list, lines, time);

ALTER TABLE answer ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE answer SET checksum = row_checksum(
  key, request_hash, outcome, number, series, detail, kept_until);
