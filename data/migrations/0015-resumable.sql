-- Files that arrive in pieces: how much of each is acknowledged. And what a file to predict is for, until it is there.

CREATE TABLE resumableUploads (
  key TEXT PRIMARY KEY,
  resourceKey TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('TRAIN', 'TEST', 'DATASET', 'PREDICTION')),
  userKey TEXT NOT NULL REFERENCES users (key),
  sizeBytes INTEGER NOT NULL CHECK (sizeBytes > 0),
  receivedBytes INTEGER NOT NULL CHECK (receivedBytes BETWEEN 0 AND sizeBytes),
  createdOn TEXT NOT NULL,
  expiresOn TEXT NOT NULL,
  completedOn TEXT
) STRICT;
CREATE UNIQUE INDEX resumableUploadsOpen ON resumableUploads (resourceKey, kind) WHERE completedOn IS NULL;
CREATE INDEX resumableUploadsOfUser ON resumableUploads (userKey, completedOn, sizeBytes);
CREATE INDEX resumableUploadsExpiry ON resumableUploads (expiresOn);

CREATE TABLE predictionUploads (
  key TEXT PRIMARY KEY,
  userKey TEXT NOT NULL REFERENCES users (key),
  apiKeyId TEXT,
  modelKey TEXT NOT NULL REFERENCES models (key),
  filterColumns INTEGER NOT NULL CHECK (filterColumns IN (0, 1)),
  hasHeader INTEGER NOT NULL CHECK (hasHeader IN (0, 1)),
  reasonCount INTEGER NOT NULL,
  fileName TEXT,
  expiresOn TEXT NOT NULL
) STRICT;
CREATE INDEX predictionUploadsExpiry ON predictionUploads (expiresOn);
