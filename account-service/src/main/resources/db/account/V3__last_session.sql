-- The highest id that a session ever had: ids are not used again, also not after an older backup.
CREATE TABLE last_session (id INTEGER NOT NULL) STRICT;
INSERT INTO last_session SELECT max(
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'session'), 0),
  coalesce((SELECT max(id) FROM session), 0));
