// Records cut out of bytes: the fast way for lines that hold nothing odd, with the key of each cell found on the way.
import { CUT_CELLS, CUT_RECORDS, MOST_CUT_CELLS } from "../csv/limits.ts";
import type { ReadingKernel } from "./reading-kernel.ts";

/** Cuts lines of one table; made once per reading of a file. */
export class CellCutter {
  /** Holds the bytes to cut, and the cells as `CellBatch` has them. */
  readonly kernel: ReadingKernel;
  readonly stride: number;
  /** Where the cut ended: behind the last record that was cut. */
  end = 0;
  /** Some byte of the records cut is no ASCII, and was not checked to be UTF-8. */
  isWide = false;
  private readonly delimiter: number;
  private readonly columnCount: number;

  /** `delimiter`: one ASCII character, no quote, letter, digit, sign or point; `columnCount`: two at least. */
  constructor(delimiter: number, columnCount: number, kernel: ReadingKernel) {
    this.delimiter = delimiter;
    this.columnCount = columnCount;
    // Odd, or the columns of one record might share a few places of the processor's cache.
    const cells = Math.min(Math.max(CUT_CELLS, CUT_RECORDS * columnCount), MOST_CUT_CELLS);
    this.stride = Math.floor(cells / columnCount) | 1;
    this.kernel = kernel;
  }

  /**
   * Cuts the records of the kernel's bytes from `from` on, at most `stride`, and returns how many; the byte before `to` is a line
   * feed. Ends before the first line that is odd: a wrong number of cells, a quoted cell with more than text in it, a lone CR, NUL.
   */
  cut(from: number, to: number): number {
    const { exports, bytesAt } = this.kernel;
    exports.openTable(this.delimiter, this.columnCount, this.stride);
    const cellsAt = this.kernel.columnAt(0, this.stride);
    const count = exports.cutLines(bytesAt + from, bytesAt + to, cellsAt, this.stride);
    this.end = exports.cutEnd() - bytesAt;
    this.isWide = exports.isCutWide() === 1;
    return count;
  }
}
