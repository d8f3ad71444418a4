// The population stability index: how much the shares of two samples differ, whatever their sizes.
import { sumOf } from "../sums.ts";

/** Added to each count, so that the index is finite where one sample has none. */
const HALF_ROW = 0.5;

/** Σ (p − q) · ln(p / q) over cells that hold a row of either sample; `cells`: the rows of the one and of the other. */
export function stabilityIndex(cells: readonly (readonly [number, number])[]): number {
  const added = HALF_ROW * cells.length;
  const m = sumOf(cells.map(([first]) => first)) + added;
  const n = sumOf(cells.map(([, second]) => second)) + added;
  let index = 0;
  for (const [first, second] of cells) {
    const p = (first + HALF_ROW) / m;
    const q = (second + HALF_ROW) / n;
    index += (p - q) * Math.log(p / q);
  }
  return index;
}
