-- Trainings that the server starts by itself once a refinement has its result: on a dataset of the columns that it kept.

CREATE TABLE plannedTrainings (
  id INTEGER PRIMARY KEY,
  refinementKey TEXT NOT NULL UNIQUE REFERENCES refinements (key),
  userKey TEXT NOT NULL REFERENCES users (key),
  sourceDatasetKey TEXT REFERENCES datasets (key),
  scalingFactor INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('WAITING', 'PREPARING', 'STARTED', 'CANCELLED', 'FAILED')),
  datasetKey TEXT REFERENCES datasets (key),
  trainingJobKey TEXT REFERENCES trainingJobs (key),
  errorReason TEXT,
  createdOn TEXT NOT NULL
) STRICT;
CREATE INDEX plannedTrainingsOpen ON plannedTrainings (id) WHERE status IN ('WAITING', 'PREPARING');
CREATE INDEX plannedTrainingsOfUser ON plannedTrainings (userKey);
