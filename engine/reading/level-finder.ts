// Finds the levels of cells as `findCells` leaves them: of texts by their numbers, of numbers the nearest level.

import { BINS_PER_MIDPOINT, MIDPOINTS_BEHIND } from "../kernels/layout.ts";
import { MAX_LEVELS, MISSING_LEVEL } from "../table.ts";
import { MOST_ROWS, type ReadingKernel } from "./reading-kernel.ts";

/** Serves all columns in turn. What it returns is valid until the next call. */
export class LevelFinder {
  readonly kernel: ReadingKernel;
  private readonly levels = new Uint16Array(MOST_ROWS);
  private midpoints = new Float64Array(0);
  private readonly midpointsAt: number;
  private readonly binsAt: number;
  /** The midpoints that the kernel holds now. */
  private held: Float64Array | null = null;

  constructor(kernel: ReadingKernel) {
    this.kernel = kernel;
    this.midpointsAt = kernel.place(Float64Array, MAX_LEVELS + MIDPOINTS_BEHIND, (own) => {
      this.midpoints = own;
    });
    this.binsAt = kernel.place(Uint16Array, BINS_PER_MIDPOINT * MAX_LEVELS + 2, () => undefined);
  }

  /** Returns the levels of texts of the dictionary. */
  ofTexts(ids: Uint8Array | Uint16Array, levelOfText: Uint16Array): Uint16Array {
    const { levels } = this;
    for (let at = 0; at < ids.length; at++) levels[at] = levelOfText[ids[at]!]!;
    return levels.subarray(0, ids.length);
  }

  /**
   * Returns the levels of up to `MOST_ROWS` values, NaN where a cell is no number. They may be the kernel's own `values`. `midpoints`:
   * those between the column's levels.
   */
  ofValues(values: Float64Array, midpoints: Float64Array, levelOfText: Uint16Array): Uint16Array {
    const { kernel } = this;
    const { exports, valuesAt, idsAt, oddAt } = kernel;
    if (values.buffer !== kernel.values.buffer) kernel.values.set(values);
    this.hold(midpoints);
    const oddCount = exports.writeLevels(valuesAt, values.length, idsAt, oddAt);
    const { ids, odd, words } = kernel;
    for (let next = 0; next < oddCount; next++) {
      const at = odd[next]!;
      const id = words[2 * at]!;
      ids[at] = id < 0 ? MISSING_LEVEL : levelOfText[id]!;
    }
    return ids.subarray(0, values.length);
  }

  private hold(midpoints: Float64Array): void {
    if (this.held === midpoints) return;
    this.held = midpoints;
    this.midpoints.set(midpoints);
    this.kernel.exports.openLevels(this.midpointsAt, midpoints.length, this.binsAt);
  }
}
