-- The tables of db/account/V1__account.sql, which describes their columns.
CREATE TABLE account (
  role          text COLLATE "C" NOT NULL,
  id            bigint NOT NULL,
  username      text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C" NOT NULL,
  created       bigint NOT NULL,
  checksum      bigint NOT NULL,
  PRIMARY KEY (role, id)
);
CREATE UNIQUE INDEX account_by_username ON account (role, username);

CREATE TABLE session (
  id         bigint PRIMARY KEY,
  token_hash bytea  NOT NULL UNIQUE,
  role       text COLLATE "C" NOT NULL,
  account_id bigint NOT NULL,
  created    bigint NOT NULL,
  last_use   bigint NOT NULL,
  checksum   bigint NOT NULL
);
CREATE TABLE last_session (id bigint NOT NULL);
INSERT INTO last_session VALUES (0);

CREATE TABLE feedback (
  number   bigint PRIMARY KEY,
  item_id  bigint NOT NULL,
  buyer_id bigint NOT NULL,
  up       bigint NOT NULL,
  time     bigint NOT NULL,
  checksum bigint NOT NULL
);
CREATE UNIQUE INDEX feedback_by_item ON feedback (item_id, buyer_id);

CREATE TABLE item_rating (
  item_id     bigint PRIMARY KEY,
  seller_id   bigint NOT NULL,
  thumbs_up   bigint NOT NULL,
  thumbs_down bigint NOT NULL,
  change      bigint NOT NULL,
  checksum    bigint NOT NULL
);
CREATE INDEX item_rating_by_change ON item_rating (change);

-- What a key was answered, in the commit that decided it.
CREATE TABLE answer (
  key          text COLLATE "C" PRIMARY KEY,
  request_hash bytea  NOT NULL,
  outcome      text COLLATE "C" NOT NULL,
  account_id   bigint,
  detail       text COLLATE "C",
  kept_until   bigint,
  checksum     bigint NOT NULL
);
CREATE INDEX answer_kept_until ON answer (kept_until) WHERE kept_until IS NOT NULL;
