// Every limit that a user sets or meets, with its unit; the engine's own stay there.

/** Longest times that jobs may take (D35). */
export interface TimeCaps {
  trainingSeconds: number;
  /** For each attempt of a training. */
  attemptSeconds: number;
  refinementSeconds: number;
  predictionSeconds: number;
}

export const DEFAULT_TIME_CAPS: TimeCaps = {
  trainingSeconds: 3_600,
  attemptSeconds: 600,
  refinementSeconds: 7_200,
  predictionSeconds: 1_800,
};
export const LONGEST_TIME_CAP_SECONDS = 10_000_000;

export const LEAST_BUCKETS = 4;
export const MOST_BUCKETS = 1_000;
export const DEFAULT_BUCKETS = 20;

/** Choices of a refinement's number of buckets. */
export const REFINEMENT_BUCKETS: readonly number[] = [4, 10, 20];

/** After this long, a job that reads or writes one file counts as hanging. */
export const FILE_LIMIT_SECONDS = 1_800;

/** Rows of one request that is answered at once. */
export const MOST_LIVE_ROWS = 1_000;

export const MOST_REASONS = 100;

/** Characters of a model's or a version's name and note. */
export const LONGEST_MODEL_NAME = 80;
export const LONGEST_NOTE = 2_000;

export const MOST_SCALING_FACTOR = 499;
export const DEFAULT_SCALING_FACTOR = 19;

/**
 * The seed of the service's jobs and of the command line: the same file and settings give the same columns and models.
 */
export const SEED = 1;
export const LARGEST_SEED = 2 ** 32 - 1;
export const MOST_WORKERS = 256;

/** Limits of --memory-budget-mib. The least leaves room for the program and small tables. */
export const LEAST_BUDGET_MIB = 256;
export const MOST_BUDGET_MIB = 99_999_999;
