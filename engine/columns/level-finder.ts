// The levels of a column's plain numbers, found by the reading kernel: the same as `nearestInGrid` of their values.
import { CELL_FIELDS, type ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/shapes.ts";
import type { LevelArray } from "../table.ts";
import { type CodedColumn, levelBytes } from "./features.ts";
import type { LevelGrid } from "./nearest-level.ts";

/** Midpoints that the kernel looks at behind the last. */
const MIDPOINTS_BEHIND = 4;
/** Of eight bytes: what kernels/nearest-levels.ts takes of a grid. */
const GRID_NUMBERS = 4;
/** Where its fields of four bytes begin. */
const FIRST_FIELD = 4;

export interface FoundLevels {
  /** Of each record, but not of the odd ones. */
  found: LevelArray;
  /** Records whose cells are no plain numbers that the kernel can read. */
  odd: Int32Array;
}

/** A finder for each column that has a grid, null for the others, on the kernel of a batch and of all later ones of its file. */
export function createFinders(
  columns: readonly CodedColumn[],
  { kernel, stride }: CellBatch,
): readonly (LevelFinder | null)[] {
  if (columns.every(({ grid }) => grid === null)) return columns.map(() => null);
  const answer = new AnswerRoom(kernel, stride);
  return columns.map(({ grid, feature }) =>
    grid === null ? null : new LevelFinder(kernel, grid, levelBytes(feature), answer),
  );
}

/** Where the kernel writes what it found in one column, for all columns in turn. */
class AnswerRoom {
  readonly byteLevelsAt: number;
  readonly wideLevelsAt: number;
  readonly oddAt: number;
  byteLevels = new Uint8Array(0);
  wideLevels = new Uint16Array(0);
  odd = new Int32Array(0);

  constructor(kernel: ReadingKernel, recordCount: number) {
    this.byteLevelsAt = kernel.place(Uint8Array, recordCount, (own) => {
      this.byteLevels = own;
    });
    this.wideLevelsAt = kernel.place(Uint16Array, recordCount, (own) => {
      this.wideLevels = own;
    });
    this.oddAt = kernel.place(Int32Array, recordCount, (own) => {
      this.odd = own;
    });
  }
}

/** All arrays that it gives are good until the next call. */
export class LevelFinder {
  private readonly kernel: ReadingKernel;
  private readonly answer: AnswerRoom;
  private readonly isWide: boolean;
  private readonly gridAt: number;

  constructor(
    kernel: ReadingKernel,
    { midpoints, before, lowest, scale }: LevelGrid,
    bytes: 1 | 2,
    answer: AnswerRoom,
  ) {
    this.kernel = kernel;
    this.answer = answer;
    this.isWide = bytes === 2;
    const padded = new Float64Array(midpoints.length + MIDPOINTS_BEHIND).fill(Number.POSITIVE_INFINITY);
    padded.set(midpoints);
    const grid = new Float64Array(GRID_NUMBERS);
    grid.set([lowest, scale]);
    const fields = new Int32Array(grid.buffer);
    fields.set(
      [kernel.move(Float64Array, padded), padded.length, kernel.move(Uint16Array, before), before.length - 2],
      FIRST_FIELD,
    );
    this.gridAt = kernel.move(Float64Array, grid);
  }

  /** `column`: where in the records the cells stand. */
  find(batch: CellBatch, column: number): FoundLevels {
    const { kernel, answer, gridAt } = this;
    const { recordCount } = batch;
    const { exports, bytesAt } = kernel;
    const cellsAt = kernel.cellsAt + 4 * CELL_FIELDS * column * batch.stride;
    const oddCount = this.isWide
      ? exports.writeWideLevels(gridAt, cellsAt, bytesAt, recordCount, answer.wideLevelsAt, answer.oddAt)
      : exports.writeByteLevels(gridAt, cellsAt, bytesAt, recordCount, answer.byteLevelsAt, answer.oddAt);
    const found = this.isWide ? answer.wideLevels : answer.byteLevels;
    return { found: found.subarray(0, recordCount), odd: answer.odd.subarray(0, oddCount) };
  }
}
