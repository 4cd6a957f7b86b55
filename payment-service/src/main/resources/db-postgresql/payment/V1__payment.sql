-- The tables of db/payment as of version 1; db/payment/V*.sql describe their columns.
CREATE TABLE payment (
  number       bigint PRIMARY KEY,
  payment_id   text COLLATE "C" NOT NULL UNIQUE,
  amount_cents bigint NOT NULL,
  state        text COLLATE "C" NOT NULL,
  changed_at   bigint NOT NULL,
  checksum     bigint NOT NULL
);
