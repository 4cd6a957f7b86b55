-- Products and their stock. Stock is always the sum of rows: initial + restocked + sold back - sold. The
-- last column of a row may be a checksum over the others (RowChecksum in the module platform).

-- A product's identity is its id. Its name is unique among the shop's own products alone, those without an
-- owner; the words of these alone are searched.
CREATE TABLE product (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL,
  category    TEXT    NOT NULL,                       -- empty: none
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  quantity    INTEGER NOT NULL CHECK (quantity >= 0), -- units in stock
  volume      INTEGER NOT NULL CHECK (volume >= 0),   -- units traded
  max_volume  INTEGER,                                -- null: no bound
  suspended   INTEGER NOT NULL,
  removed     INTEGER NOT NULL,                       -- no longer sold; its sales stay
  owner       INTEGER,                                -- null: the shop's own
  checksum    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX product_by_name ON product (name) WHERE removed = 0 AND owner IS NULL;

-- The words of the products on sale; a row's id is the product's.
CREATE VIRTUAL TABLE product_words USING fts5 (name, category, tokenize = "unicode61 remove_diacritics 2");

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

-- Why a product's volume is other than what was traded: it is counted anew.
CREATE TABLE volume_change (
  id         INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES product (id),
  units      INTEGER NOT NULL,                        -- negative: those count no more
  time       INTEGER NOT NULL                         -- ms since 1970
) STRICT;

-- Sales, numbered from 0 without gap in each series.
CREATE TABLE sale (
  series   INTEGER NOT NULL,                          -- 1: the store's orders and trades; 2: purchases
  number   INTEGER NOT NULL,
  key      TEXT    NOT NULL,                          -- of the request that was sold by it
  kind     TEXT    NOT NULL,                          -- ORDER, BUY, SELL or RETURN
  as_list  INTEGER NOT NULL,                          -- whether it was ordered as a list of lines
  lines    INTEGER NOT NULL,                          -- their number, from 1
  time     INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (series, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE sale_line (
  series      INTEGER NOT NULL,
  number      INTEGER NOT NULL,                       -- of the sale
  line        INTEGER NOT NULL,                       -- from 0
  product_id  INTEGER NOT NULL,
  name        TEXT    NOT NULL,                       -- of the product when it was sold
  quantity    INTEGER NOT NULL,
  price_cents INTEGER NOT NULL,                       -- of one unit when it was sold
  checksum    INTEGER NOT NULL,
  PRIMARY KEY (series, number, line)
) STRICT, WITHOUT ROWID;

-- Finds the trades of a stock: sales of kind BUY or SELL in series 1 with a line of it.
CREATE TABLE stock_trade (
  product_id INTEGER NOT NULL,
  number     INTEGER NOT NULL,                        -- of the sale
  PRIMARY KEY (product_id, number)
) STRICT, WITHOUT ROWID;

-- The purchases that were returned, each once; both numbers are of series 2.
CREATE TABLE sale_return (
  purchase INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL,                          -- of the return
  checksum INTEGER NOT NULL
) STRICT;

-- Who changed the shop's own products, when and how, other than by sales. Rows are only added, each
-- in the commit that makes the change.
CREATE TABLE recorded_change (
  number         INTEGER PRIMARY KEY,                 -- from 1, consecutive
  time           INTEGER NOT NULL,                    -- ms since 1970
  made_by        TEXT    NOT NULL,                    -- who, and from where
  product_before TEXT,                                -- the product as JSON; null: it is new
  product_after  TEXT,                                -- null: it was removed
  checksum       INTEGER NOT NULL
) STRICT;

-- What a key was answered, in the commit that decided it. One sale a key, because a key is here once.
CREATE TABLE answer (
  key          TEXT    PRIMARY KEY,                   -- scope and value
  request_hash BLOB    NOT NULL,                      -- SHA-256 of the values that were asked for
  outcome      TEXT    NOT NULL,                      -- SOLD, CHANGED or a reason to refuse
  number       INTEGER,                               -- SOLD: of the sale, in `series`
  series       INTEGER,
  detail       TEXT,                                  -- CHANGED: the product as JSON; refused: the message
  kept_until   INTEGER,                               -- ms since 1970; null: for ever
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_to_forget ON answer (kept_until) WHERE kept_until IS NOT NULL;
