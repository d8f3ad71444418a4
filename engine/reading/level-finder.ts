// Finds the levels of cells as `findCells` leaves them: of texts by their numbers, of numbers the nearest level.

import type { ReadingKernel } from "../csv/reading-kernel.ts";
import {
  BINS,
  BINS_PER_MIDPOINT,
  LEVELS_FIELDS,
  MIDPOINT_COUNT,
  MIDPOINTS,
  MIDPOINTS_BEHIND,
} from "../kernels/reading/layout.ts";
import { MISSING_LEVEL } from "../table/table.ts";

/** Returns the levels of texts of a dictionary, valid until the kernel finds other levels. */
export function levelsOfTexts(
  { levels }: ReadingKernel,
  ids: Uint8Array | Uint16Array,
  levelOfText: Uint16Array,
): Uint16Array {
  for (let at = 0; at < ids.length; at++) levels[at] = levelOfText[ids[at]!]!;
  return levels.subarray(0, ids.length);
}

/** The levels of a number column, laid out in the kernel's memory. */
export class NumberLevels {
  private readonly kernel: ReadingKernel;
  /** The address of their record, see kernels/reading/layout.ts. */
  private readonly at: number;

  /** `midpoints`: those between the levels. */
  constructor(kernel: ReadingKernel, midpoints: Float64Array) {
    const midpointsAt = kernel.place(Float64Array, midpoints.length + MIDPOINTS_BEHIND, (view) => view.set(midpoints));
    const binsAt = kernel.place(Uint16Array, BINS_PER_MIDPOINT * midpoints.length + 2, () => undefined);
    this.kernel = kernel;
    this.at = kernel.place(Int32Array, LEVELS_FIELDS, (view) => {
      view[MIDPOINTS] = midpointsAt;
      view[MIDPOINT_COUNT] = midpoints.length;
      view[BINS] = binsAt;
    });
    kernel.exports.layOutLevels(this.at);
  }

  /**
   * Returns the levels of up to `MOST_ROWS` values, NaN where a cell is no number, valid until the
   * kernel finds other levels. The values may be the kernel's own.
   */
  of(values: Float64Array, levelOfText: Uint16Array): Uint16Array {
    const { kernel } = this;
    const { exports, valuesAt, levelsAt, oddAt } = kernel;
    if (values.buffer !== kernel.values.buffer) kernel.values.set(values);
    const oddCount = exports.writeLevels(this.at, valuesAt, values.length, levelsAt, oddAt);
    const { levels, odd, words } = kernel;
    for (let next = 0; next < oddCount; next++) {
      const at = odd[next]!;
      const id = words[2 * at]!;
      levels[at] = id < 0 ? MISSING_LEVEL : levelOfText[id]!;
    }
    return levels.subarray(0, values.length);
  }
}
