-- The last column of a row is a checksum over those before it, in their order (Checksum in the
-- module writer); row_checksum is the store's own function.
ALTER TABLE book ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE book SET checksum = row_checksum(number, key, kind, as_list, lines, time);
