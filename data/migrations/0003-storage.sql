-- Room: what the files of predictions and models take, jobs that have run for a while, and predictions whose files went.
-- A table is made anew where a column may be null from now on.

CREATE TABLE newPredictions (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  modelKey TEXT NOT NULL,
  datasetKey TEXT NOT NULL REFERENCES datasets (key),
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  inputPath TEXT,
  inputBytes INTEGER,
  resultPath TEXT,
  resultBytes INTEGER,
  filterColumns INTEGER NOT NULL,
  rowCount INTEGER,
  warnings TEXT NOT NULL,
  errorReason TEXT,
  createdOn TEXT NOT NULL,
  startedOn TEXT,
  finishedOn TEXT,
  deletedOn TEXT,
  claimed INTEGER NOT NULL,
  restarts INTEGER NOT NULL,
  FOREIGN KEY (modelKey, version) REFERENCES modelVersions (modelKey, version)
) STRICT;
INSERT INTO newPredictions (
  id, key, userKey, modelKey, datasetKey, version, status, inputPath, resultPath, filterColumns, rowCount, warnings,
  errorReason, createdOn, startedOn, finishedOn, deletedOn, claimed, restarts
) SELECT
  id, key, userKey, modelKey, datasetKey, version, status, inputPath, resultPath, filterColumns, rowCount, warnings,
  errorReason, createdOn, startedOn, finishedOn, deletedOn, claimed, restarts
FROM predictions;
DROP TABLE predictions;
ALTER TABLE newPredictions RENAME TO predictions;
CREATE INDEX predictionsOfUser ON predictions (userKey, createdOn) WHERE deletedOn IS NULL;
CREATE INDEX predictionsOfModel ON predictions (modelKey, createdOn) WHERE deletedOn IS NULL;
CREATE INDEX predictionsWaiting ON predictions (userKey, createdOn)
  WHERE claimed = 0 AND status = 'PENDING' AND deletedOn IS NULL;
CREATE INDEX predictionsClaimed ON predictions (userKey) WHERE claimed = 1;
CREATE INDEX predictionStates ON predictions (status, deletedOn);
CREATE INDEX predictionsFinished ON predictions (finishedOn) WHERE inputPath IS NOT NULL AND deletedOn IS NULL;

ALTER TABLE models ADD COLUMN sizeBytes INTEGER;
ALTER TABLE refinements ADD COLUMN elapsedMs INTEGER;
ALTER TABLE trainingJobs ADD COLUMN elapsedMs INTEGER;

CREATE INDEX refinementsDeleted ON refinements (deletedOn) WHERE deletedOn IS NOT NULL;
CREATE INDEX datasetsDeleted ON datasets (deletedOn) WHERE deletedOn IS NOT NULL AND filePath IS NOT NULL;

-- What sums of sizes read, and nothing else of the rows.
CREATE INDEX refinementOwners ON refinements (userKey, key);
CREATE INDEX refinementFileSizes ON refinementFiles (refinementKey, sizeBytes);
CREATE INDEX datasetSizes ON datasets (userKey, source, filePath, sizeBytes);
CREATE INDEX predictionSizes ON predictions (userKey, deletedOn, inputBytes, resultBytes);
CREATE INDEX modelSizes ON models (userKey, deletedOn, sizeBytes);
