-- What a training's decisions aim at and cost, and the threshold that a prediction was made with.

ALTER TABLE trainingJobs ADD COLUMN objective TEXT NOT NULL DEFAULT 'accuracy'
  CHECK (objective IN ('accuracy', 'balanced-accuracy', 'f1', 'cost'));
ALTER TABLE trainingJobs ADD COLUMN costs TEXT;
ALTER TABLE predictions ADD COLUMN threshold REAL;
