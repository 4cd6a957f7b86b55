-- Products and their stock. Stock is always the sum of rows: initial + restocked + sold back - sold.
CREATE TABLE product (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL,
  category    TEXT    NOT NULL,                       -- empty: none
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  quantity    INTEGER NOT NULL CHECK (quantity >= 0), -- units in stock
  volume      INTEGER NOT NULL CHECK (volume >= 0),   -- units traded
  max_volume  INTEGER,                                -- null: no bound
  suspended   INTEGER NOT NULL,
  removed     INTEGER NOT NULL                        -- no longer sold; its sales stay
) STRICT;
CREATE UNIQUE INDEX product_by_name ON product (name) WHERE removed = 0;

-- The words of the products on sale; a row's id is the product's.
CREATE VIRTUAL TABLE product_words USING fts5 (name, category, tokenize = "unicode61 remove_diacritics 2");

-- How stock came to be, other than by sales.
CREATE TABLE stock_change (
  id         INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES product (id),
  kind       TEXT    NOT NULL,                        -- INITIAL, RESTOCK or COUNT (the operator counted)
  quantity   INTEGER NOT NULL,                        -- units added; negative where a count found fewer
  time       INTEGER NOT NULL                         -- ms since 1970
) STRICT;

CREATE TABLE price_change (
  id          INTEGER PRIMARY KEY,
  product_id  INTEGER NOT NULL REFERENCES product (id),
  price_cents INTEGER NOT NULL,
  time        INTEGER NOT NULL
) STRICT;

-- Sales, numbered from 0 without gap in each series.
CREATE TABLE sale (
  series  INTEGER NOT NULL,                           -- 1: the store's orders and trades
  number  INTEGER NOT NULL,
  key     TEXT    NOT NULL,                           -- of the request that was sold by it
  kind    TEXT    NOT NULL,                           -- ORDER, BUY or SELL
  as_list INTEGER NOT NULL,                           -- whether it was ordered as a list of lines
  lines   TEXT    NOT NULL,                           -- JSON: [[product id, name, quantity, price in cents], …]
  time    INTEGER NOT NULL,
  PRIMARY KEY (series, number)
) STRICT, WITHOUT ROWID;

-- What a key was answered, in the commit that decided it. One sale a key, because a key is here once.
CREATE TABLE answer (
  key          TEXT    PRIMARY KEY,                   -- scope and value
  request_hash BLOB    NOT NULL,                      -- SHA-256 of the values that were asked for
  outcome      TEXT    NOT NULL,                      -- SOLD, CHANGED or a reason to refuse
  number       INTEGER,                               -- SOLD: of the sale, in `series`
  series       INTEGER,
  detail       TEXT,                                  -- CHANGED: the product as JSON; refused: the message
  kept_until   INTEGER                                -- ms since 1970; null: for ever
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_to_forget ON answer (kept_until) WHERE kept_until IS NOT NULL;
