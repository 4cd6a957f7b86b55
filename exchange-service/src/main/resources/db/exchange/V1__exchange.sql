-- Accounts, positions, orders and trades. Amounts are fixed point: *_e4 in ten-thousandths, *_e8 in
-- hundred-millionths. Times are ms since 1970. Rows are never removed, except those of `answer`. The last
-- column of a row is a checksum over those before it, in their order (RowChecksum in the module platform).

-- Numbered from 1 without gap, like the tables that follow.
CREATE TABLE account (
  number       INTEGER PRIMARY KEY,
  xml_id       TEXT UNIQUE,        -- null: not created over XML
  owner        TEXT,               -- such as buyer:17; null: created over XML
  deposited_e8 INTEGER NOT NULL,   -- the balance at creation
  cash_e8      INTEGER NOT NULL,   -- not reserved
  reserved_e8  INTEGER NOT NULL,   -- by open buy orders
  checksum     INTEGER NOT NULL
) STRICT;
CREATE INDEX account_by_owner ON account (owner) WHERE owner IS NOT NULL;

CREATE TABLE symbol (
  number   INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  checksum INTEGER NOT NULL
) STRICT;

-- An account's shares of a symbol.
CREATE TABLE position (
  number      INTEGER PRIMARY KEY,
  account     INTEGER NOT NULL,
  symbol      INTEGER NOT NULL,
  shares_e4   INTEGER NOT NULL,    -- not reserved
  reserved_e4 INTEGER NOT NULL,    -- by open sell orders
  checksum    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX position_by_account ON position (account, symbol);

-- Shares that were added to a position from outside. All shares of a symbol are the sum of these.
CREATE TABLE share_deposit (
  number       INTEGER PRIMARY KEY,
  position     INTEGER NOT NULL,
  symbol       INTEGER NOT NULL,
  shares_e4    INTEGER NOT NULL,
  deposited_at INTEGER NOT NULL,
  checksum     INTEGER NOT NULL
) STRICT;

-- Executed are shares_e4 - open_e4 - canceled_e4.
CREATE TABLE limit_order (
  number      INTEGER PRIMARY KEY,
  account     INTEGER NOT NULL,
  symbol      INTEGER NOT NULL,
  sells       INTEGER NOT NULL,    -- 1: sells, 0: buys
  shares_e4   INTEGER NOT NULL,
  limit_e4    INTEGER NOT NULL,
  open_e4     INTEGER NOT NULL,
  canceled_e4 INTEGER NOT NULL,
  opened_at   INTEGER NOT NULL,
  canceled_at INTEGER NOT NULL,    -- 0: not canceled
  checksum    INTEGER NOT NULL
) STRICT;
CREATE INDEX limit_order_by_account ON limit_order (account);
CREATE INDEX limit_order_open ON limit_order (number) WHERE open_e4 > 0;

CREATE TABLE trade (
  number      INTEGER PRIMARY KEY,
  symbol      INTEGER NOT NULL,
  price_e4    INTEGER NOT NULL,
  shares_e4   INTEGER NOT NULL,
  buy_order   INTEGER NOT NULL,
  sell_order  INTEGER NOT NULL,
  executed_at INTEGER NOT NULL,
  checksum    INTEGER NOT NULL
) STRICT;
CREATE INDEX trade_by_symbol ON trade (symbol);
CREATE INDEX trade_by_buy_order ON trade (buy_order);
CREATE INDEX trade_by_sell_order ON trade (sell_order);

-- What a key was answered, in the commit that decided it.
CREATE TABLE answer (
  key          TEXT PRIMARY KEY,   -- scope and value
  request_hash BLOB NOT NULL,      -- SHA-256 of the request's values
  outcome      TEXT NOT NULL,      -- ACCOUNT_CREATED, SHARES_ADDED, ORDER_OPENED or a reason to refuse
  number       INTEGER NOT NULL,   -- of the account, position or order; 0: refused
  shares_e4    INTEGER NOT NULL,   -- SHARES_ADDED: of the position then
  reserved_e4  INTEGER NOT NULL,   -- SHARES_ADDED: of the position then
  detail       TEXT,               -- refused: the message
  kept_until   INTEGER,            -- ms since 1970; null: forever
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_to_forget ON answer (kept_until) WHERE kept_until IS NOT NULL;
