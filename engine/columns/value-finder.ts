// The levels of logged numbers, found by the reading kernel: the same as `nearestInGrid` of their values.
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { MAX_LEVELS, MISSING_LEVEL } from "../table.ts";
import type { LoggedCells } from "./cell-log.ts";
import { KernelGrid } from "./kernel-grid.ts";
import { type LevelGrid, mostBins } from "./nearest-level.ts";

/** What a packed cell that is no number has more than the number of its text: kernels/decimals.ts. */
const FIRST_TEXT = -2_147_483_647;

/** Room for some cells at a time and for the grid of one column, for all columns in turn. */
export class ValueFinder {
  private readonly kernel: ReadingKernel;
  private readonly grid: KernelGrid;
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

  /** Turns to a column. */
  hold(grid: LevelGrid): void {
    this.grid.hold(grid);
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
    const { exports } = this.kernel;
    return exports.writeLevelsOf(this.grid.at, this.valuesAt, cells.length, this.levelsAt, this.oddAt);
  }

  private findPacked(cells: Int32Array, power: number): number {
    this.packed.set(cells);
    const { exports } = this.kernel;
    return exports.writeLevelsOfDecimals(this.grid.at, this.packedAt, power, cells.length, this.levelsAt, this.oddAt);
  }
}
