-- Accounts whose usernames may not be in normal form (RFC 8265), because an earlier version registered them:
-- those with a character that is not a printable ASCII character, or is an upper-case letter or a space.
-- New accounts are never added. The service computes the forms at its next start and deletes the rows of
-- names that have no other form.
CREATE TABLE former_username (
  number      INTEGER PRIMARY KEY,
  role        TEXT    NOT NULL,                       -- BUYER or SELLER
  account_id  INTEGER NOT NULL,
  normal_form TEXT,                                   -- null: not yet computed; not unique
  checksum    INTEGER NOT NULL
) STRICT;

INSERT INTO former_username (number, role, account_id, normal_form, checksum)
  SELECT number, role, id, NULL, row_checksum(number, role, id, NULL)
  FROM (SELECT row_number() OVER (ORDER BY role, id) AS number, role, id
        FROM account WHERE username GLOB '*[^!-@[-~]*');

CREATE INDEX former_username_by_normal_form ON former_username (role, normal_form);
