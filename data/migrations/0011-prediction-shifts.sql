-- What a prediction's file looks like beside the training rows, as JSON; apart from the predictions, whose lists need none of it.

CREATE TABLE predictionShifts (
  predictionKey TEXT PRIMARY KEY REFERENCES predictions (key),
  report TEXT NOT NULL
) STRICT;
