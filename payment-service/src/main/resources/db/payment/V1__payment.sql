-- The ledger, numbered from 0 without gap. Rows are never removed. Nothing of a card is stored.
CREATE TABLE payment (
  number       INTEGER PRIMARY KEY,
  payment_id   TEXT    NOT NULL UNIQUE,
  amount_cents INTEGER NOT NULL,  -- 0: voided before it was authorised
  state        TEXT    NOT NULL,  -- a name of Payment.State
  changed_at   INTEGER NOT NULL,  -- ms since 1970
  checksum     INTEGER NOT NULL   -- of the columns before it
) STRICT;
