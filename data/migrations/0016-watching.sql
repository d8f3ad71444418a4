-- What each version of a model was given, day by day: counts as JSON, and never a row. What that looks like beside its training rows.

CREATE TABLE watchDays (
  modelKey TEXT NOT NULL,
  version INTEGER NOT NULL,
  day TEXT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (modelKey, version, day),
  FOREIGN KEY (modelKey, version) REFERENCES modelVersions (modelKey, version)
) STRICT;

CREATE INDEX watchDaysByDay ON watchDays (day);

CREATE TABLE watchedVersions (
  modelKey TEXT NOT NULL,
  version INTEGER NOT NULL,
  rowCount INTEGER NOT NULL,
  lastUsedOn TEXT NOT NULL,
  state TEXT,
  stateSince TEXT,
  judgedOn TEXT,
  figures TEXT,
  PRIMARY KEY (modelKey, version),
  FOREIGN KEY (modelKey, version) REFERENCES modelVersions (modelKey, version)
) STRICT;

CREATE INDEX watchedVersionsByUse ON watchedVersions (lastUsedOn);
