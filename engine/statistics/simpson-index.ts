// How alike rows are in kind, whatever the number of kinds.
import { sumOf } from "../sums.ts";

/** The chance that two rows, drawn at random, are of one kind (Simpson 1949). `counts`: the rows of each kind. */
export function simpsonIndex(counts: ArrayLike<number>): number {
  let pairs = 0;
  for (let kind = 0; kind < counts.length; kind++) pairs += counts[kind]! ** 2;
  return pairs / sumOf(counts) ** 2;
}
