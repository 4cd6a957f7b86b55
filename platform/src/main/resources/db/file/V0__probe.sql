-- Written while the disk is full, to learn when it no longer is.
CREATE TABLE probe (tries INTEGER NOT NULL) STRICT;
INSERT INTO probe VALUES (0);
