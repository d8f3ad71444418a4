-- Which columns name the group and the time of a row, which columns are left out, and the verdict of a training.

ALTER TABLE refinements ADD COLUMN groupColumn TEXT;
ALTER TABLE refinements ADD COLUMN timeColumn TEXT;
ALTER TABLE refinements ADD COLUMN keepKeyColumns INTEGER NOT NULL DEFAULT 0 CHECK (keepKeyColumns IN (0, 1));
ALTER TABLE refinements ADD COLUMN withoutColumns TEXT NOT NULL DEFAULT '[]';
ALTER TABLE datasets ADD COLUMN groupColumn TEXT;
ALTER TABLE datasets ADD COLUMN timeColumn TEXT;
ALTER TABLE datasets ADD COLUMN keepKeyColumns INTEGER NOT NULL DEFAULT 0 CHECK (keepKeyColumns IN (0, 1));
ALTER TABLE datasets ADD COLUMN withoutColumns TEXT NOT NULL DEFAULT '[]';
ALTER TABLE trainingJobs ADD COLUMN groupColumn TEXT;
ALTER TABLE trainingJobs ADD COLUMN timeColumn TEXT;
ALTER TABLE trainingJobs ADD COLUMN keepKeyColumns INTEGER NOT NULL DEFAULT 0 CHECK (keepKeyColumns IN (0, 1));
ALTER TABLE trainingJobs ADD COLUMN withoutColumns TEXT NOT NULL DEFAULT '[]';
ALTER TABLE trainingJobs ADD COLUMN verdict TEXT;
