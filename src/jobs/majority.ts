// The majority-class baseline: always answering the class that is most frequent among the learning rows.

export interface Majority {
  /** Class code. */
  code: number;
  /** On the judging rows. */
  falseDecisions: number;
  accuracy: number;
}

/** `classes`: one code per row of the table that `learning` and `judging` are rows of. */
export function judgeMajority(
  classes: Uint8Array,
  classCount: number,
  learning: Uint32Array,
  judging: Uint32Array,
): Majority {
  const counts = new Array<number>(classCount).fill(0);
  for (const row of learning) counts[classes[row]!]!++;
  const code = counts.indexOf(Math.max(...counts));
  const right = judging.reduce((sum, row) => sum + (classes[row] === code ? 1 : 0), 0);
  return { code, falseDecisions: judging.length - right, accuracy: right / judging.length };
}
