// Sums and means of numbers, added in their order.

export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / values.length;
}

/** The logarithm of the sum of numbers that are given by their logarithms. */
export function logOfSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  return most + Math.log(sumOf(logs.map((log) => Math.exp(log - most))));
}
