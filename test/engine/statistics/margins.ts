// Tables of codes and classes with given totals, and their counts.

/** As many rows of each code, and of each class, as the totals say. */
export interface Margins {
  codes: readonly number[];
  classes: readonly number[];
}

export function repeat(count: number, total: number): number[] {
  return new Array<number>(count).fill(total);
}

/** 0 as often as the first total says, then 1, … */
export function spell(totals: readonly number[]): Uint32Array {
  return Uint32Array.from(totals.flatMap((total, index) => repeat(total, index)));
}

export function cross(
  codes: ArrayLike<number>,
  classes: ArrayLike<number>,
  codeCount: number,
  classCount: number,
): Int32Array {
  const counts = new Int32Array(codeCount * classCount);
  for (let row = 0; row < codes.length; row++) counts[codes[row]! * classCount + classes[row]!]!++;
  return counts;
}

export function meanAndVariance(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
}
