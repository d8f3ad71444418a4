// The levels of a column's plain numbers, found by the reading kernel: the same as `nearestInGrid` of their values.
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/shapes.ts";
import type { CodedColumn } from "./features.ts";
import { KernelGrid } from "./kernel-grid.ts";
import type { LevelGrid } from "./nearest-level.ts";

export interface FoundLevels {
  /** Of each record, but not of the odd ones. */
  found: Uint16Array;
  /** Records whose cells are no plain numbers that the kernel can read. */
  odd: Int32Array;
}

/** What finds levels of a table's columns on the kernel of a batch and of all later ones of its file. */
export interface LevelFinders {
  /** Null for a column that has no grid. */
  byColumn: readonly (LevelFinder | null)[];
  answer: AnswerRoom;
}

export function createFinders(columns: readonly CodedColumn[], { kernel, stride }: CellBatch): LevelFinders {
  const answer = new AnswerRoom(kernel, stride);
  const byColumn = columns.map(({ grid }) => (grid === null ? null : new LevelFinder(kernel, grid, answer)));
  return { byColumn, answer };
}

/** Where the kernel writes what it found in one column, for all columns in turn. Room is made when it is first asked for. */
export class AnswerRoom {
  levels = new Uint16Array(0);
  odd = new Int32Array(0);
  ids = new Int32Array(0);
  private readonly kernel: ReadingKernel;
  private readonly recordCount: number;
  private places: { levels: number; odd: number; ids: number } | null = null;

  constructor(kernel: ReadingKernel, recordCount: number) {
    this.kernel = kernel;
    this.recordCount = recordCount;
  }

  get at(): { levels: number; odd: number; ids: number } {
    const { kernel, recordCount } = this;
    this.places ??= {
      levels: kernel.place(Uint16Array, recordCount, (own) => {
        this.levels = own;
      }),
      odd: kernel.place(Int32Array, recordCount, (own) => {
        this.odd = own;
      }),
      ids: kernel.place(Int32Array, recordCount, (own) => {
        this.ids = own;
      }),
    };
    return this.places;
  }
}

/** All arrays that it gives are good until the next call. */
export class LevelFinder {
  private readonly kernel: ReadingKernel;
  private readonly answer: AnswerRoom;
  private readonly gridAt: number;

  constructor(kernel: ReadingKernel, grid: LevelGrid, answer: AnswerRoom) {
    this.kernel = kernel;
    this.answer = answer;
    const own = new KernelGrid(kernel, grid.midpoints.length, grid.bins.before.length - 1);
    own.hold(grid);
    own.holdBins(grid);
    this.gridAt = own.at;
  }

  /** `column`: where in the records the cells stand. */
  find(batch: CellBatch, column: number): FoundLevels {
    const { kernel, answer, gridAt } = this;
    const { recordCount } = batch;
    const { exports, bytesAt } = kernel;
    const cellsAt = kernel.columnAt(column, batch.stride);
    const { levels, odd } = answer.at;
    const oddCount = exports.writeLevels(gridAt, cellsAt, bytesAt, recordCount, levels, odd);
    return { found: answer.levels.subarray(0, recordCount), odd: answer.odd.subarray(0, oddCount) };
  }
}
