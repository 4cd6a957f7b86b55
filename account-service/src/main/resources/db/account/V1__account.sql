-- Accounts, sessions and ratings. The last column of a row is a checksum over those before it, in their
-- order (RowChecksum in the module platform).

-- Buyers and sellers, numbered from 1 without gap in each role.
CREATE TABLE account (
  role          TEXT    NOT NULL,                     -- BUYER or SELLER
  id            INTEGER NOT NULL,
  username      TEXT    NOT NULL,
  password_hash TEXT    NOT NULL,                     -- bcrypt, with salt and strength
  created       INTEGER NOT NULL,                     -- ms since 1970
  checksum      INTEGER NOT NULL,
  PRIMARY KEY (role, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX account_by_username ON account (role, username);

CREATE TABLE session (
  id         INTEGER PRIMARY KEY,
  token_hash BLOB    NOT NULL UNIQUE,                 -- SHA-256
  role       TEXT    NOT NULL,
  account_id INTEGER NOT NULL,
  created    INTEGER NOT NULL,                        -- ms since 1970
  last_use   INTEGER NOT NULL,                        -- ms since 1970; somewhat late
  checksum   INTEGER NOT NULL
) STRICT;

-- The highest id that a session ever had: ids are not used again, also not after an older backup.
CREATE TABLE last_session (id INTEGER NOT NULL) STRICT;
INSERT INTO last_session VALUES (0);

-- Opinions. A buyer has one of each item: a later one deletes the row of the earlier.
CREATE TABLE feedback (
  number   INTEGER PRIMARY KEY,                       -- in order of arrival, from 1
  item_id  INTEGER NOT NULL,
  buyer_id INTEGER NOT NULL,
  up       INTEGER NOT NULL,                          -- 1: thumbs up, 0: thumbs down
  time     INTEGER NOT NULL,                          -- ms since 1970
  checksum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX feedback_by_item ON feedback (item_id, buyer_id);

-- Sums of feedback. A seller's rating is the sum over the seller's items.
CREATE TABLE item_rating (
  item_id     INTEGER PRIMARY KEY,
  seller_id   INTEGER NOT NULL,
  thumbs_up   INTEGER NOT NULL,
  thumbs_down INTEGER NOT NULL,
  change      INTEGER NOT NULL,                       -- number of the last feedback
  checksum    INTEGER NOT NULL
) STRICT;
CREATE INDEX item_rating_by_change ON item_rating (change);

-- What a key was answered, in the commit that decided it.
CREATE TABLE answer (
  key          TEXT    PRIMARY KEY,                   -- scope and value
  request_hash BLOB    NOT NULL,                      -- SHA-256 of the values, without the password
  outcome      TEXT    NOT NULL,                      -- REGISTERED, FEEDBACK_GIVEN or a reason to refuse
  account_id   INTEGER,                               -- REGISTERED
  detail       TEXT,                                  -- refused: the message
  kept_until   INTEGER,                               -- ms since 1970; null: forever
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_to_forget ON answer (kept_until) WHERE kept_until IS NOT NULL;
