-- How often each label was predicted, beside the rows of the training file.

ALTER TABLE predictions ADD COLUMN labelCounts TEXT;
