-- Labels that came after a prediction: their file, and counts of what was right, as JSON. Which column names a row of a prediction.

ALTER TABLE predictions ADD COLUMN keyColumn TEXT;

CREATE TABLE predictionOutcomes (
  predictionKey TEXT PRIMARY KEY REFERENCES predictions (key),
  userKey TEXT NOT NULL,
  modelKey TEXT NOT NULL,
  version INTEGER NOT NULL,
  addedOn TEXT NOT NULL,
  path TEXT,
  bytes INTEGER,
  labelColumn TEXT,
  keyColumn TEXT,
  asTrained INTEGER NOT NULL,
  counts TEXT NOT NULL
) STRICT;

CREATE INDEX outcomesOfVersion ON predictionOutcomes (modelKey, version, addedOn);
CREATE INDEX outcomeSizes ON predictionOutcomes (userKey, bytes);
