-- How many reasons of each row a prediction's result names.

ALTER TABLE predictions ADD COLUMN reasonCount INTEGER NOT NULL DEFAULT 0;
