// The view that work reports its progress to.

/** Calls are cheap: the view decides how often it shows something. */
export interface ProgressView {
  /** A new stage begins, of `total` units, or of unknown length. */
  stage(name: string, total: number | null): void;
  /** Units of the stage were finished. */
  advance(by?: number): void;
  /** A line worth keeping, such as a warning. */
  note(line: string): void;
  /** The best attempt so far, on the held-out rows. */
  best(accuracy: number, falseDecisions: number, algorithm: string): void;
  attempts(done: number, total: number, failed: number): void;
  /** Removes what is shown. Later calls do nothing. */
  finish(): void;
}

/** Says nothing. */
export const silentProgress: ProgressView = {
  stage: () => {},
  advance: () => {},
  note: () => {},
  best: () => {},
  attempts: () => {},
  finish: () => {},
};
