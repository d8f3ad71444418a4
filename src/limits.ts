// Every limit that a user can run into, in one place, with its unit.

/** Longest times that jobs may take (D35). */
export interface TimeCaps {
  trainingSeconds: number;
  /** Of one attempt of a training. */
  attemptSeconds: number;
  refinementSeconds: number;
  predictionSeconds: number;
}

/** Unless told otherwise. */
export const DEFAULT_TIME_CAPS: TimeCaps = {
  trainingSeconds: 3_600,
  attemptSeconds: 600,
  refinementSeconds: 7_200,
  predictionSeconds: 1_800,
};
/** The longest that may be asked for. */
export const LONGEST_TIME_CAP_SECONDS = 10_000_000;

export const LEAST_BUCKETS = 4;
export const MOST_BUCKETS = 1_000;
export const DEFAULT_BUCKETS = 20;

/** Numbers of buckets that a refinement may have. */
export const REFINEMENT_BUCKETS: readonly number[] = [4, 10, 20];

/** Time that reading or writing one file may take within a job, before that counts as hanging. */
export const FILE_LIMIT_SECONDS = 1_800;

/** Rows that are scored at once, while the caller waits. */
export const MOST_LIVE_ROWS = 1_000;

/** Reasons that are given for one decision. */
export const MOST_REASONS = 100;

export const MOST_SCALING_FACTOR = 499;
export const DEFAULT_SCALING_FACTOR = 19;

export const LARGEST_SEED = 2 ** 32 - 1;
export const MOST_WORKERS = 256;

/** Memory that the program is told to keep to, in MiB: room for itself and small tables, at the least. */
export const LEAST_BUDGET_MIB = 256;
export const MOST_BUDGET_MIB = 99_999_999;
