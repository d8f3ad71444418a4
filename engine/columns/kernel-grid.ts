// A column's grid of midpoints in the memory of the reading kernel.
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { LevelGrid } from "./nearest-level.ts";

/** Midpoints that the kernel looks at behind the last: infinite. */
const MIDPOINTS_BEHIND = 4;
/** Of eight bytes: what kernels/nearest-levels.ts takes of a grid. */
const GRID_NUMBERS = 4;
/** Where its fields of four bytes begin. */
const FIRST_FIELD = 4;

export class KernelGrid {
  readonly at: number;
  private record = new Float64Array(0);
  private midpoints = new Float64Array(0);
  readonly midpointsAt: number;
  midpointCount = 0;
  private before = new Uint16Array(0);
  private readonly beforeAt: number;

  /** Room for grids that are no larger than this. */
  constructor(kernel: ReadingKernel, midpointCount: number, binCount: number) {
    this.at = kernel.place(Float64Array, GRID_NUMBERS, (own) => {
      this.record = own;
    });
    this.midpointsAt = kernel.place(Float64Array, midpointCount + MIDPOINTS_BEHIND, (own) => {
      this.midpoints = own;
    });
    this.beforeAt = kernel.place(Uint16Array, binCount + 1, (own) => {
      this.before = own;
    });
  }

  /** Midpoints alone. */
  hold({ midpoints }: LevelGrid): void {
    const { length } = midpoints;
    this.midpointCount = length;
    this.midpoints.set(midpoints);
    this.midpoints.fill(Number.POSITIVE_INFINITY, length, length + MIDPOINTS_BEHIND);
  }

  /** The bins over those that it holds. */
  holdBins({ bins: { before, lowest, scale } }: LevelGrid): void {
    this.before.set(before);
    this.record.set([lowest, scale]);
    const fields = new Int32Array(this.record.buffer, this.record.byteOffset);
    fields.set(
      [this.midpointsAt, this.midpointCount + MIDPOINTS_BEHIND, this.beforeAt, before.length - 2],
      FIRST_FIELD,
    );
  }
}
