-- The tables of db/order/V1__order.sql, which describes their columns.
CREATE TABLE saved_cart (
  buyer_id bigint PRIMARY KEY,
  lines    text COLLATE "C" NOT NULL,
  checksum bigint NOT NULL
);
CREATE TABLE session_cart (
  session_id bigint PRIMARY KEY,
  buyer_id   bigint NOT NULL,
  lines      text COLLATE "C" NOT NULL,
  checksum   bigint NOT NULL
);

CREATE TABLE purchase (
  id            text COLLATE "C" PRIMARY KEY,
  state         text COLLATE "C" NOT NULL,
  buyer_id      bigint NOT NULL,
  session_id    bigint NOT NULL,
  key           text COLLATE "C" NOT NULL,
  client_made   bigint NOT NULL,
  lines         text COLLATE "C" NOT NULL,
  session_cart  bigint NOT NULL,
  from_saved    text COLLATE "C" NOT NULL,
  begun_at      bigint NOT NULL,
  sale_number   bigint,
  sold_at       bigint,
  first_line    bigint,
  return_number bigint,
  checksum      bigint NOT NULL
);
CREATE INDEX open_purchase ON purchase (state, id)
  WHERE state IN ('AUTHORISING', 'AUTHORISED', 'SOLD', 'VOIDING', 'RETURNING');
CREATE INDEX undecided_purchase ON purchase (key) WHERE state IN ('AUTHORISING', 'AUTHORISED');
CREATE INDEX captured_purchase ON purchase (state) WHERE state = 'CAPTURED';
CREATE INDEX unsold_purchase ON purchase (begun_at) WHERE state IN ('DECLINED', 'VOIDED');
CREATE UNIQUE INDEX sold_purchase ON purchase (sale_number) WHERE sale_number IS NOT NULL;
CREATE UNIQUE INDEX returned_purchase ON purchase (return_number) WHERE return_number IS NOT NULL;
CREATE INDEX purchase_of_line ON purchase (first_line) WHERE first_line IS NOT NULL;

CREATE TABLE purchase_line (
  id          bigint PRIMARY KEY,
  buyer_id    bigint NOT NULL,
  item_id     bigint NOT NULL,
  name        text COLLATE "C" NOT NULL,
  quantity    bigint NOT NULL,
  price_cents bigint NOT NULL,
  sold_at     bigint NOT NULL,
  returned    bigint NOT NULL,
  checksum    bigint NOT NULL
);
CREATE INDEX purchase_line_of_buyer ON purchase_line (buyer_id, id);
CREATE INDEX purchase_line_of_item ON purchase_line (buyer_id, item_id) WHERE returned = 0;

CREATE TABLE unit_total (
  account  text COLLATE "C" PRIMARY KEY,
  units    bigint NOT NULL,
  checksum bigint NOT NULL
);

-- What a key was answered, in the commit that decided it.
CREATE TABLE answer (
  key          text COLLATE "C" PRIMARY KEY,
  request_hash bytea  NOT NULL,
  outcome      text COLLATE "C" NOT NULL,
  number       bigint,
  units        bigint,
  detail       text COLLATE "C",
  kept_until   bigint,
  checksum     bigint NOT NULL
);
CREATE INDEX answer_kept_until ON answer (kept_until) WHERE kept_until IS NOT NULL;
