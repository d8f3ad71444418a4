-- What users call models and their versions, and the name of the file that a prediction was made of.

ALTER TABLE models ADD COLUMN name TEXT;
ALTER TABLE models ADD COLUMN note TEXT;
ALTER TABLE modelVersions ADD COLUMN name TEXT;
ALTER TABLE modelVersions ADD COLUMN note TEXT;
ALTER TABLE predictions ADD COLUMN fileName TEXT;
