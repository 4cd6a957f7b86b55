CREATE TABLE reply (
  key          TEXT    PRIMARY KEY,
  request_hash BLOB    NOT NULL,
  text         TEXT    NOT NULL,
  kept_until   INTEGER,
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reply_to_forget ON reply (kept_until) WHERE kept_until IS NOT NULL;
