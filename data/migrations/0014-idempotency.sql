-- The answers of requests that made something under an Idempotency-Key, for a day: a repeat gets the same answer and makes nothing.

CREATE TABLE keptAnswers (
  userKey TEXT NOT NULL REFERENCES users (key),
  keyHash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL CHECK (length(answer) <= 32768),
  createdOn TEXT NOT NULL,
  PRIMARY KEY (userKey, keyHash)
) STRICT;
CREATE INDEX keptAnswersOfUser ON keptAnswers (userKey, createdOn);
CREATE INDEX keptAnswersByAge ON keptAnswers (createdOn);
