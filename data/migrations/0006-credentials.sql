-- Disabling a user ends the tokens given so far for good: each carries the number of its time.

ALTER TABLE users ADD COLUMN credentialNumber INTEGER NOT NULL DEFAULT 0;
