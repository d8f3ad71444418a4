-- Models that learned labelled rows which came later, and which model answers at the address of the first one. Shadows: a second model that
-- decides the same rows without answering. Which model a prediction was asked of, where another answered.

ALTER TABLE models ADD COLUMN firstModelKey TEXT;
ALTER TABLE models ADD COLUMN answeringKey TEXT;
ALTER TABLE models ADD COLUMN shadowKey TEXT;
CREATE INDEX modelsAnswering ON models (answeringKey) WHERE answeringKey IS NOT NULL;
CREATE INDEX modelsShadowing ON models (shadowKey) WHERE shadowKey IS NOT NULL;
CREATE INDEX modelsOfLine ON models (firstModelKey) WHERE firstModelKey IS NOT NULL;

ALTER TABLE predictions ADD COLUMN askedModelKey TEXT;
CREATE INDEX predictionsAskedOf ON predictions (askedModelKey, createdOn) WHERE deletedOn IS NULL;

ALTER TABLE predictionOutcomes ADD COLUMN hasHeader INTEGER NOT NULL DEFAULT 1;

CREATE TABLE successors (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  firstModelKey TEXT NOT NULL REFERENCES models (key),
  championKey TEXT NOT NULL REFERENCES models (key),
  championVersion INTEGER NOT NULL,
  promote TEXT NOT NULL CHECK (promote IN ('BY_HAND', 'WHEN_BETTER')),
  status TEXT NOT NULL
    CHECK (status IN ('JOINING', 'READING', 'TRAINING', 'COMPARING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  sources TEXT NOT NULL,
  sourceDatasetKey TEXT NOT NULL REFERENCES datasets (key),
  datasetKey TEXT REFERENCES datasets (key),
  trainingJobKey TEXT REFERENCES trainingJobs (key),
  challengerKey TEXT REFERENCES models (key),
  challengerVersion INTEGER,
  keptPath TEXT,
  keptBytes INTEGER,
  oldRows INTEGER,
  trainRows INTEGER,
  comparison TEXT,
  promotedOn TEXT,
  errorReason TEXT,
  createdOn TEXT NOT NULL,
  finishedOn TEXT,
  deletedOn TEXT,
  claimed INTEGER NOT NULL,
  restarts INTEGER NOT NULL
) STRICT;
CREATE INDEX successorsOfLine ON successors (firstModelKey, createdOn) WHERE deletedOn IS NULL;
CREATE INDEX successorsWaiting ON successors (userKey, createdOn)
  WHERE claimed = 0 AND status IN ('JOINING', 'COMPARING');
CREATE INDEX successorsClaimed ON successors (userKey) WHERE claimed = 1;
CREATE INDEX successorStates ON successors (status, claimed, deletedOn);
CREATE INDEX successorsOpen ON successors (id) WHERE status IN ('READING', 'TRAINING');
CREATE INDEX successorsOfChampion ON successors (championKey);
CREATE INDEX successorsOfChallenger ON successors (challengerKey) WHERE challengerKey IS NOT NULL;
CREATE INDEX successorsOfDataset ON successors (datasetKey) WHERE datasetKey IS NOT NULL;
CREATE INDEX successorSizes ON successors (userKey, keptBytes);

CREATE TABLE shadowDays (
  modelKey TEXT NOT NULL REFERENCES models (key),
  version INTEGER NOT NULL,
  shadowKey TEXT NOT NULL REFERENCES models (key),
  shadowVersion INTEGER NOT NULL,
  day TEXT NOT NULL,
  rowCount INTEGER NOT NULL,
  agreedCount INTEGER NOT NULL,
  unansweredCount INTEGER NOT NULL,
  PRIMARY KEY (modelKey, version, shadowKey, shadowVersion, day)
) STRICT;
CREATE INDEX shadowDaysByDay ON shadowDays (day);
