CREATE TABLE reply (
  key          text COLLATE "C" PRIMARY KEY,
  request_hash bytea NOT NULL,
  text         text COLLATE "C" NOT NULL,
  kept_until   bigint,
  checksum     bigint NOT NULL
);
CREATE INDEX reply_to_forget ON reply (kept_until) WHERE kept_until IS NOT NULL;
