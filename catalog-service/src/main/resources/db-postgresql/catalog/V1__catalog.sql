-- The tables of db/catalog/V1__catalog.sql, which describes their columns.
CREATE TABLE product (
  id          bigint PRIMARY KEY,
  name        text COLLATE "C" NOT NULL,
  category    text COLLATE "C" NOT NULL,
  price_cents bigint NOT NULL CHECK (price_cents > 0),
  quantity    bigint NOT NULL CHECK (quantity >= 0),
  volume      bigint NOT NULL CHECK (volume >= 0),
  max_volume  bigint,
  suspended   bigint NOT NULL,
  removed     bigint NOT NULL,
  owner       bigint,
  checksum    bigint NOT NULL
) WITH (fillfactor = 80); -- a sale changes the row in its page, without its indexes
CREATE UNIQUE INDEX product_by_name ON product (name) WHERE removed = 0 AND owner IS NULL;

-- The words of the shop's own products on sale, in lower case and without diacritics.
CREATE TABLE product_words (
  product_id bigint PRIMARY KEY,
  words      tsvector NOT NULL
);
CREATE INDEX product_words_by_word ON product_words USING gin (words);

CREATE TABLE stock_change (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id bigint NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  quantity   bigint NOT NULL,
  time       bigint NOT NULL
);
CREATE TABLE price_change (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id  bigint NOT NULL,
  price_cents bigint NOT NULL,
  time        bigint NOT NULL
);
CREATE TABLE volume_change (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id bigint NOT NULL,
  units      bigint NOT NULL,
  time       bigint NOT NULL
);

CREATE TABLE item (
  product_id bigint PRIMARY KEY,
  seller_id  bigint NOT NULL,
  category   bigint NOT NULL,
  keywords   text COLLATE "C" NOT NULL,
  condition  text COLLATE "C" NOT NULL,
  checksum   bigint NOT NULL
);

CREATE TABLE sale (
  series   bigint NOT NULL,
  number   bigint NOT NULL,
  key      text COLLATE "C" NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  as_list  bigint NOT NULL,
  lines    bigint NOT NULL,
  time     bigint NOT NULL,
  checksum bigint NOT NULL,
  PRIMARY KEY (series, number)
);
CREATE TABLE sale_line (
  series      bigint NOT NULL,
  number      bigint NOT NULL,
  line        bigint NOT NULL,
  product_id  bigint NOT NULL,
  name        text COLLATE "C" NOT NULL,
  quantity    bigint NOT NULL,
  price_cents bigint NOT NULL,
  checksum    bigint NOT NULL,
  PRIMARY KEY (series, number, line)
);

CREATE TABLE sale_return (
  purchase bigint PRIMARY KEY,
  number   bigint NOT NULL,
  checksum bigint NOT NULL
);

-- What a key was answered, in the commit that decided it.
CREATE TABLE answer (
  key          text COLLATE "C" PRIMARY KEY,
  request_hash bytea  NOT NULL,
  outcome      text COLLATE "C" NOT NULL,
  number       bigint,
  series       bigint,
  detail       text COLLATE "C",
  kept_until   bigint,
  checksum     bigint NOT NULL
);
CREATE INDEX answer_kept_until ON answer (kept_until) WHERE kept_until IS NOT NULL;

CREATE TABLE recorded_change (
  number         bigint PRIMARY KEY,
  time           bigint NOT NULL,
  made_by        text COLLATE "C" NOT NULL,
  product_before text COLLATE "C",
  product_after  text COLLATE "C",
  checksum       bigint NOT NULL
);

CREATE TABLE stock_trade (
  product_id bigint NOT NULL,
  number     bigint NOT NULL,
  PRIMARY KEY (product_id, number)
);
