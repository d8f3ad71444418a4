// The exit codes of every command, as documented in the README.

export const EXIT = {
  /** The command did what it was asked to. */
  done: 0,
  /** A fault of ours, nothing could be made of the input, or the doctor found a problem. */
  fault: 1,
  /** The command line is wrong. */
  usage: 2,
  /** An input file cannot be used; the message says where and why. */
  badInput: 3,
  /** A run ended early, below its target or no better than guessing; the best models so far were kept. A backup lacks files. */
  endedEarly: 4,
  /** Ctrl-C; a run has kept the best models so far. */
  interrupted: 130,
} as const;
