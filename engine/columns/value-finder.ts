// The levels of logged numbers, found by the reading kernel: the same as `nearestInGrid` of their values.
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { FIRST_LEVEL, MAX_LEVELS, MISSING_LEVEL } from "../table.ts";
import type { LoggedCells } from "./cell-log.ts";
import { KernelGrid } from "./kernel-grid.ts";
import { fewFor, type LevelGrid, mostBins } from "./nearest-level.ts";
import { nearestIndex } from "./number-levels.ts";

/** What a packed cell that is no number has more than the number of its text: kernels/decimals.ts. */
const FIRST_TEXT = -2_147_483_647;

/** Of the kernel's thresholds of decimals. */
const THRESHOLDS_BEHIND = 4;

/** Room for some cells at a time and for the grid of one column, for all columns in turn. */
export class ValueFinder {
  private readonly kernel: ReadingKernel;
  private readonly grid: KernelGrid;
  /** Of a column whose values are too few for bins over it; null where the kernel has them. */
  private unbinned: LevelGrid | null = null;
  /** The same for decimals, of this power; 0 before there are some of the column. */
  private readonly thresholdsAt: number;
  private readonly binsAt: number;
  private power = 0;
  private values = new Float64Array(0);
  private readonly valuesAt: number;
  private packed = new Int32Array(0);
  private readonly packedAt: number;
  private levels = new Uint16Array(0);
  private readonly levelsAt: number;
  private odd = new Int32Array(0);
  private readonly oddAt: number;

  /** `most`: cells at a time. */
  constructor(kernel: ReadingKernel, most: number) {
    this.kernel = kernel;
    this.grid = new KernelGrid(kernel, MAX_LEVELS, mostBins(MAX_LEVELS));
    this.thresholdsAt = kernel.place(Int32Array, MAX_LEVELS + THRESHOLDS_BEHIND, () => undefined);
    this.binsAt = kernel.place(Uint16Array, mostBins(MAX_LEVELS) + 1, () => undefined);
    this.valuesAt = kernel.place(Float64Array, most, (own) => {
      this.values = own;
    });
    this.packedAt = kernel.place(Int32Array, most, (own) => {
      this.packed = own;
    });
    this.levelsAt = kernel.place(Uint16Array, most, (own) => {
      this.levels = own;
    });
    this.oddAt = kernel.place(Int32Array, most, (own) => {
      this.odd = own;
    });
  }

  /** Turns to a column. `valueCount`: of its cells, over all parts, those that are no decimals. */
  hold(grid: LevelGrid, valueCount: number): void {
    const isForFew = valueCount < fewFor(grid);
    this.grid.hold(grid);
    if (!isForFew) this.grid.holdBins(grid);
    this.unbinned = isForFew ? grid : null;
    this.power = 0;
  }

  /** Of its cells `[from, to)`: good until the next call. `levelOfText`: by its number. */
  find(part: Exclude<LoggedCells, { kind: "texts" }>, from: number, to: number, levelOfText: Uint16Array): Uint16Array {
    const isPacked = part.kind === "decimals";
    const oddCount = isPacked
      ? this.findPacked(part.cells.subarray(from, to), part.power)
      : this.findValues(part.cells.subarray(from, to));
    const { levels, odd, packed, values } = this;
    const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
    for (let next = 0; next < oddCount; next++) {
      const at = odd[next]!;
      const id = isPacked ? packed[at]! - FIRST_TEXT : words[2 * at]!;
      levels[at] = id < 0 ? MISSING_LEVEL : levelOfText[id]!;
    }
    return levels.subarray(0, to - from);
  }

  private findValues(cells: Float64Array): number {
    this.values.set(cells);
    if (this.unbinned !== null) return this.findFew(cells, this.unbinned);
    const { exports } = this.kernel;
    return exports.writeLevelsOf(this.grid.at, this.valuesAt, cells.length, this.levelsAt, this.oddAt);
  }

  private findFew(cells: Float64Array, { midpoints }: LevelGrid): number {
    const { levels, odd } = this;
    let oddCount = 0;
    for (let at = 0; at < cells.length; at++) {
      if (Number.isNaN(cells[at]!)) odd[oddCount++] = at;
      else levels[at] = FIRST_LEVEL + nearestIndex(midpoints, cells[at]!);
    }
    return oddCount;
  }

  private findPacked(cells: Int32Array, power: number): number {
    this.packed.set(cells);
    const { grid, kernel, thresholdsAt, binsAt } = this;
    const { exports } = kernel;
    if (power !== this.power) exports.openDecimals(grid.midpointsAt, grid.midpointCount, power, thresholdsAt, binsAt);
    this.power = power;
    return exports.writeLevelsOfDecimals(this.packedAt, cells.length, this.levelsAt, this.oddAt);
  }
}
