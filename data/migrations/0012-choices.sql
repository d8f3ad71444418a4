-- What the user chose for single columns of a table: the kind, and the texts that mean "no value", as JSON.

ALTER TABLE refinements ADD COLUMN columnChoices TEXT NOT NULL DEFAULT '[]';
ALTER TABLE datasets ADD COLUMN columnChoices TEXT NOT NULL DEFAULT '[]';
ALTER TABLE trainingJobs ADD COLUMN columnChoices TEXT NOT NULL DEFAULT '[]';
