-- Files whose first record is data rather than names.

ALTER TABLE refinements ADD COLUMN hasHeader INTEGER NOT NULL DEFAULT 1 CHECK (hasHeader IN (0, 1));
ALTER TABLE datasets ADD COLUMN hasHeader INTEGER NOT NULL DEFAULT 1 CHECK (hasHeader IN (0, 1));
ALTER TABLE predictions ADD COLUMN hasHeader INTEGER NOT NULL DEFAULT 1 CHECK (hasHeader IN (0, 1));
