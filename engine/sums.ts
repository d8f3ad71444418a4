// Sums and means of numbers, added in their order.

export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / values.length;
}
