-- The tables of db/exchange as of version 1; db/exchange/V*.sql describe their columns.
CREATE TABLE account (
  number       bigint PRIMARY KEY,
  xml_id       text COLLATE "C" UNIQUE,
  owner        text COLLATE "C",
  deposited_e8 bigint NOT NULL,
  cash_e8      bigint NOT NULL,
  reserved_e8  bigint NOT NULL,
  checksum     bigint NOT NULL
);
CREATE INDEX account_by_owner ON account (owner) WHERE owner IS NOT NULL;

CREATE TABLE symbol (
  number   bigint PRIMARY KEY,
  name     text COLLATE "C" NOT NULL UNIQUE,
  checksum bigint NOT NULL
);

CREATE TABLE position (
  number      bigint PRIMARY KEY,
  account     bigint NOT NULL,
  symbol      bigint NOT NULL,
  shares_e4   bigint NOT NULL,
  reserved_e4 bigint NOT NULL,
  checksum    bigint NOT NULL
);
CREATE UNIQUE INDEX position_by_account ON position (account, symbol);

CREATE TABLE share_deposit (
  number       bigint PRIMARY KEY,
  position     bigint NOT NULL,
  symbol       bigint NOT NULL,
  shares_e4    bigint NOT NULL,
  deposited_at bigint NOT NULL,
  checksum     bigint NOT NULL
);

CREATE TABLE limit_order (
  number      bigint PRIMARY KEY,
  account     bigint NOT NULL,
  symbol      bigint NOT NULL,
  sells       bigint NOT NULL,
  shares_e4   bigint NOT NULL,
  limit_e4    bigint NOT NULL,
  open_e4     bigint NOT NULL,
  canceled_e4 bigint NOT NULL,
  opened_at   bigint NOT NULL,
  canceled_at bigint NOT NULL,
  checksum    bigint NOT NULL
);
CREATE INDEX limit_order_by_account ON limit_order (account);
CREATE INDEX limit_order_open ON limit_order (number) WHERE open_e4 > 0;

CREATE TABLE trade (
  number      bigint PRIMARY KEY,
  symbol      bigint NOT NULL,
  price_e4    bigint NOT NULL,
  shares_e4   bigint NOT NULL,
  buy_order   bigint NOT NULL,
  sell_order  bigint NOT NULL,
  executed_at bigint NOT NULL,
  checksum    bigint NOT NULL
);
CREATE INDEX trade_by_symbol ON trade (symbol);
CREATE INDEX trade_by_buy_order ON trade (buy_order);
CREATE INDEX trade_by_sell_order ON trade (sell_order);

-- What a key was answered, in the commit that decided it.
CREATE TABLE answer (
  key          text COLLATE "C" PRIMARY KEY,
  request_hash bytea  NOT NULL,
  outcome      text COLLATE "C" NOT NULL,
  number       bigint NOT NULL,
  shares_e4    bigint NOT NULL,
  reserved_e4  bigint NOT NULL,
  detail       text COLLATE "C",
  kept_until   bigint,
  checksum     bigint NOT NULL
);
CREATE INDEX answer_kept_until ON answer (kept_until) WHERE kept_until IS NOT NULL;
