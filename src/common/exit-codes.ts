// The exit codes of every command, as docs/command-line.md has them.

export const EXIT = {
  done: 0,
  /** A fault of ours, no model or result, or the doctor found a problem. */
  fault: 1,
  usage: 2,
  /** An input file cannot be used; the message says where and why. */
  badInput: 3,
  /**
   * A run ended early, below its target, or no better than guessing, and kept its best models. Or a backup lacks files.
   */
  endedEarly: 4,
  /** A file is unlike the rows that the model was trained on, or decisions are worse than promised. */
  shifted: 5,
  /** Ctrl-C; a run has kept the best models so far. */
  interrupted: 130,
} as const;
