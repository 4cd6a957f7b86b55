-- Carts and purchases. The last column of a row is a checksum over those before it, in their order
-- (RowChecksum in the module platform).

-- Carts. A buyer has a saved cart (no row: it is empty). A session has a cart of its own once it
-- changed something; its row exists even if it is empty.
CREATE TABLE saved_cart (
  buyer_id INTEGER PRIMARY KEY,
  lines    TEXT    NOT NULL,  -- JSON: [[item id, name, quantity, price in cents], …]; the prices
                              -- are those that the buyer saw
  checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE session_cart (
  session_id INTEGER PRIMARY KEY,
  buyer_id   INTEGER NOT NULL,
  lines      TEXT    NOT NULL,
  checksum   INTEGER NOT NULL
) STRICT;

-- Purchases. While one is AUTHORISING or AUTHORISED, its lines are here and in no cart.
CREATE TABLE purchase (
  id            TEXT    PRIMARY KEY,  -- UUID version 7; identifies payment, sale and return, too
  state         TEXT    NOT NULL,
  buyer_id      INTEGER NOT NULL,
  session_id    INTEGER NOT NULL,
  key           TEXT    NOT NULL,     -- scope and value
  client_made   INTEGER NOT NULL,
  lines         TEXT    NOT NULL,     -- JSON as in saved_cart
  session_cart  INTEGER NOT NULL,     -- whether the lines were taken from a session's own cart
  from_saved    TEXT    NOT NULL,     -- JSON: what was taken from the saved cart
  begun_at      INTEGER NOT NULL,     -- ms since 1970
  sale_number   INTEGER,              -- in series PURCHASES
  sold_at       INTEGER,              -- ms since 1970
  first_line    INTEGER,              -- purchase_line has the lines under consecutive ids
  return_number INTEGER,              -- in series PURCHASES
  checksum      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX open_purchase ON purchase (state, id)
  WHERE state IN ('AUTHORISING', 'AUTHORISED', 'SOLD', 'VOIDING', 'RETURNING');
CREATE INDEX undecided_purchase ON purchase (key) WHERE state IN ('AUTHORISING', 'AUTHORISED');
CREATE INDEX captured_purchase ON purchase (state) WHERE state = 'CAPTURED';
-- Purchases that were not sold are deleted a day after they began.
CREATE INDEX unsold_purchase ON purchase (begun_at) WHERE state IN ('DECLINED', 'VOIDED');
CREATE UNIQUE INDEX sold_purchase ON purchase (sale_number) WHERE sale_number IS NOT NULL;
CREATE UNIQUE INDEX returned_purchase ON purchase (return_number) WHERE return_number IS NOT NULL;
-- Finds the purchase of a line: the last one whose first line is not after it.
CREATE INDEX purchase_of_line ON purchase (first_line) WHERE first_line IS NOT NULL;

-- The lines of sold purchases, in the order of their commits.
CREATE TABLE purchase_line (
  id          INTEGER PRIMARY KEY,
  buyer_id    INTEGER NOT NULL,
  item_id     INTEGER NOT NULL,
  name        TEXT    NOT NULL,
  quantity    INTEGER NOT NULL,
  price_cents INTEGER NOT NULL,
  sold_at     INTEGER NOT NULL,  -- ms since 1970
  returned    INTEGER NOT NULL,
  checksum    INTEGER NOT NULL
) STRICT;
CREATE INDEX purchase_line_of_buyer ON purchase_line (buyer_id, id);
CREATE INDEX purchase_line_of_item ON purchase_line (buyer_id, item_id) WHERE returned = 0;

-- Units that a buyer bought and kept, and units of a seller or an item that were sold in purchases whose
-- payment is captured.
CREATE TABLE unit_total (
  account  TEXT    PRIMARY KEY,  -- `buyer 7`, `seller 3` or `item 12`
  units    INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The first answer to each idempotency key.
CREATE TABLE answer (
  key          TEXT    PRIMARY KEY,
  request_hash BLOB    NOT NULL,
  outcome      TEXT    NOT NULL,  -- CART, SOLD or the reason of a refusal
  number       INTEGER,           -- of the sale
  units        INTEGER,
  detail       TEXT,              -- JSON of the carts, or the refusal's message
  kept_until   INTEGER,           -- ms since 1970; null: forever
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_kept_until ON answer (kept_until) WHERE kept_until IS NOT NULL;
