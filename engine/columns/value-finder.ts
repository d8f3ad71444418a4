// The levels of logged numbers, found by the reading kernel: the same as `nearestInGrid` of their values.
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { MISSING_LEVEL } from "../table.ts";
import type { LoggedCells } from "./cell-log.ts";
import { placeGrid } from "./level-finder.ts";
import type { LevelGrid } from "./nearest-level.ts";

/** What a packed cell that is no number has more than the number of its text: kernels/decimals.ts. */
const FIRST_TEXT = -2_147_483_647;

/** Where the kernel finds numbers and writes their levels, for all columns in turn. */
export class ValueRoom {
  readonly kernel: ReadingKernel;
  values = new Float64Array(0);
  readonly valuesAt: number;
  packed = new Int32Array(0);
  readonly packedAt: number;
  levels = new Uint16Array(0);
  readonly levelsAt: number;
  odd = new Int32Array(0);
  readonly oddAt: number;

  /** `most`: cells at a time. */
  constructor(kernel: ReadingKernel, most: number) {
    this.kernel = kernel;
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
}

export class ValueFinder {
  private readonly room: ValueRoom;
  private readonly gridAt: number;

  constructor(room: ValueRoom, grid: LevelGrid) {
    this.room = room;
    this.gridAt = placeGrid(room.kernel, grid);
  }

  /** Of the cells `[from, to)`, as many as there is room for: good until the next call. `levelOfText`: by its number. */
  find(part: Exclude<LoggedCells, { kind: "texts" }>, from: number, to: number, levelOfText: Uint16Array): Uint16Array {
    const isPacked = part.kind === "decimals";
    const oddCount = isPacked
      ? this.findPacked(part.cells.subarray(from, to), part.power)
      : this.findValues(part.cells.subarray(from, to));
    const { levels, odd, packed, values } = this.room;
    const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
    for (let next = 0; next < oddCount; next++) {
      const at = odd[next]!;
      const id = isPacked ? packed[at]! - FIRST_TEXT : words[2 * at]!;
      levels[at] = id < 0 ? MISSING_LEVEL : levelOfText[id]!;
    }
    return levels.subarray(0, to - from);
  }

  private findValues(cells: Float64Array): number {
    const { kernel, values, valuesAt, levelsAt, oddAt } = this.room;
    values.set(cells);
    return kernel.exports.writeLevelsOf(this.gridAt, valuesAt, cells.length, levelsAt, oddAt);
  }

  private findPacked(cells: Int32Array, power: number): number {
    const { kernel, packed, packedAt, levelsAt, oddAt } = this.room;
    packed.set(cells);
    return kernel.exports.writeLevelsOfDecimals(this.gridAt, packedAt, power, cells.length, levelsAt, oddAt);
  }
}
