-- What came of jobs: how often each label was predicted and how surely, and which fault a file has.

ALTER TABLE predictions ADD COLUMN labelCounts TEXT;
ALTER TABLE predictions ADD COLUMN confidenceCounts TEXT;
ALTER TABLE datasets ADD COLUMN errorCode TEXT;
