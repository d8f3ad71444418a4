-- The first tables. Indexes on (userKey, createdOn) end in the row's id, so read backwards they give lists newest first.

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  passwordHash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'user')),
  disabledOn TEXT,
  createdOn TEXT NOT NULL
) STRICT;

CREATE TABLE apiKeys (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  name TEXT NOT NULL,
  tokenHash TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  createdOn TEXT NOT NULL,
  expiresOn TEXT,
  lastUsedOn TEXT,
  revokedOn TEXT
) STRICT;
CREATE INDEX apiKeysOfUser ON apiKeys (userKey, createdOn);

CREATE TABLE refinements (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  trainFileName TEXT,
  testFileName TEXT,
  numberOfBuckets INTEGER NOT NULL,
  labelColumn TEXT,
  positiveLabel TEXT,
  removeLeaks INTEGER NOT NULL,
  missingValues TEXT,
  seed INTEGER NOT NULL,
  createdOn TEXT NOT NULL,
  queuedOn TEXT,
  startedOn TEXT,
  finishedOn TEXT,
  progressCompleted INTEGER,
  progressTotal INTEGER,
  cancelRequested INTEGER NOT NULL,
  errorReason TEXT,
  baselineRows TEXT NOT NULL,
  currentRows TEXT NOT NULL,
  result TEXT,
  deletedOn TEXT,
  claimed INTEGER NOT NULL,
  restarts INTEGER NOT NULL
) STRICT;
CREATE INDEX refinementsOfUser ON refinements (userKey, createdOn) WHERE deletedOn IS NULL;
CREATE UNIQUE INDEX refinementNames ON refinements (userKey, name) WHERE deletedOn IS NULL;
CREATE INDEX refinementsWaiting ON refinements (userKey, queuedOn)
  WHERE claimed = 0 AND queuedOn IS NOT NULL AND finishedOn IS NULL;
CREATE INDEX refinementsClaimed ON refinements (userKey) WHERE claimed = 1;

CREATE TABLE refinementFiles (
  refinementKey TEXT NOT NULL REFERENCES refinements (key),
  kind TEXT NOT NULL CHECK (kind IN ('TRAIN', 'TEST')),
  purpose TEXT NOT NULL CHECK (purpose IN ('UPLOAD', 'RESULT')),
  path TEXT NOT NULL,
  sizeBytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  createdOn TEXT NOT NULL,
  PRIMARY KEY (refinementKey, kind, purpose)
) STRICT;

CREATE TABLE refinementActivities (
  id INTEGER PRIMARY KEY,
  refinementKey TEXT NOT NULL REFERENCES refinements (key),
  timestamp TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX activitiesOfRefinement ON refinementActivities (refinementKey);

CREATE TABLE datasets (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  numberOfBuckets INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('UPLOAD', 'REFINEMENT')),
  featureRefinementKey TEXT REFERENCES refinements (key),
  labelColumn TEXT,
  positiveLabel TEXT,
  missingValues TEXT,
  classes TEXT,
  rowCount INTEGER,
  columnCount INTEGER,
  columns TEXT,
  filePath TEXT,
  sizeBytes INTEGER,
  sha256 TEXT,
  createdOn TEXT NOT NULL,
  uploadExpiresOn TEXT,
  processedOn TEXT,
  errorReason TEXT,
  warnings TEXT NOT NULL,
  recommendedThreshold REAL,
  originalColumns TEXT,
  deletedOn TEXT,
  claimed INTEGER NOT NULL,
  restarts INTEGER NOT NULL
) STRICT;
CREATE INDEX datasetsOfUser ON datasets (userKey, createdOn) WHERE deletedOn IS NULL;
CREATE UNIQUE INDEX datasetNames ON datasets (userKey, name) WHERE deletedOn IS NULL;
CREATE INDEX datasetsOfRefinement ON datasets (featureRefinementKey) WHERE featureRefinementKey IS NOT NULL;
CREATE INDEX datasetUploads ON datasets (uploadExpiresOn) WHERE status = 'PENDING';
CREATE INDEX datasetsWaiting ON datasets (userKey, createdOn)
  WHERE claimed = 0 AND status = 'PROCESSING' AND deletedOn IS NULL;
CREATE INDEX datasetsClaimed ON datasets (userKey) WHERE claimed = 1;

CREATE TABLE trainingJobs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  datasetKey TEXT NOT NULL REFERENCES datasets (key),
  status TEXT NOT NULL,
  targetPerformance REAL,
  scalingFactor INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  achievedPerformance REAL,
  trainingPerformance REAL,
  testPerformance REAL,
  modelKey TEXT REFERENCES models (key),
  createdOn TEXT NOT NULL,
  startedOn TEXT,
  finishedOn TEXT,
  cancelRequested INTEGER NOT NULL,
  errorReason TEXT,
  timeLimitSeconds INTEGER NOT NULL,
  attemptsTotal INTEGER,
  attemptsCompleted INTEGER NOT NULL,
  attemptsFailed INTEGER NOT NULL,
  bestPerformance REAL,
  bestFalseDecisions INTEGER,
  bestAlgorithm TEXT,
  baselinePerformance REAL,
  claimed INTEGER NOT NULL,
  restarts INTEGER NOT NULL
) STRICT;
CREATE INDEX trainingJobsOfUser ON trainingJobs (userKey, createdOn);
CREATE INDEX trainingJobsOfDataset ON trainingJobs (datasetKey, createdOn);
CREATE INDEX trainingJobsWaiting ON trainingJobs (userKey, createdOn)
  WHERE claimed = 0 AND status IN ('PENDING', 'RUNNING');
CREATE INDEX trainingJobsClaimed ON trainingJobs (userKey) WHERE claimed = 1;

CREATE TABLE trainingAttempts (
  trainingJobKey TEXT NOT NULL REFERENCES trainingJobs (key),
  attempt INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (trainingJobKey, attempt)
) STRICT;

CREATE TABLE models (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  datasetKey TEXT NOT NULL REFERENCES datasets (key),
  trainingJobKey TEXT NOT NULL UNIQUE REFERENCES trainingJobs (key),
  championVersion INTEGER NOT NULL,
  createdOn TEXT NOT NULL,
  deletedOn TEXT,
  FOREIGN KEY (key, championVersion) REFERENCES modelVersions (modelKey, version) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX modelsOfUser ON models (userKey, createdOn) WHERE deletedOn IS NULL;
CREATE INDEX modelsOfDataset ON models (datasetKey, createdOn) WHERE deletedOn IS NULL;

CREATE TABLE modelVersions (
  modelKey TEXT NOT NULL REFERENCES models (key),
  version INTEGER NOT NULL CHECK (version BETWEEN 1 AND 3),
  algorithm TEXT NOT NULL,
  achievedPerformance REAL NOT NULL,
  trainingPerformance REAL NOT NULL,
  testPerformance REAL NOT NULL,
  falseDecisions INTEGER NOT NULL,
  confirmedPerformance TEXT,
  filePath TEXT NOT NULL,
  PRIMARY KEY (modelKey, version)
) STRICT;

CREATE TABLE predictions (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  userKey TEXT NOT NULL REFERENCES users (key),
  modelKey TEXT NOT NULL,
  datasetKey TEXT NOT NULL REFERENCES datasets (key),
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  inputPath TEXT NOT NULL,
  resultPath TEXT,
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
CREATE INDEX predictionsOfUser ON predictions (userKey, createdOn) WHERE deletedOn IS NULL;
CREATE INDEX predictionsOfModel ON predictions (modelKey, createdOn) WHERE deletedOn IS NULL;
CREATE INDEX predictionsWaiting ON predictions (userKey, createdOn)
  WHERE claimed = 0 AND status = 'PENDING' AND deletedOn IS NULL;
CREATE INDEX predictionsClaimed ON predictions (userKey) WHERE claimed = 1;
