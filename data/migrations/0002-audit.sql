-- Who did what, without references: it outlasts the users and things it names. And indexes that count jobs by state without
-- a look at their rows, which are wide.

CREATE TABLE auditEvents (
  id INTEGER PRIMARY KEY,
  time TEXT NOT NULL,
  action TEXT NOT NULL,
  userKey TEXT,
  email TEXT,
  apiKeyId TEXT,
  objectKey TEXT,
  detail TEXT,
  address TEXT,
  requestId TEXT
) STRICT;
CREATE INDEX auditByTime ON auditEvents (time);
CREATE INDEX auditByAction ON auditEvents (action, time);
CREATE INDEX auditByUser ON auditEvents (userKey, time) WHERE userKey IS NOT NULL;

CREATE INDEX refinementStates ON refinements (state, claimed, queuedOn, deletedOn);
CREATE INDEX datasetStates ON datasets (status, claimed, deletedOn);
CREATE INDEX trainingJobStates ON trainingJobs (status, claimed);
CREATE INDEX predictionStates ON predictions (status, deletedOn);
