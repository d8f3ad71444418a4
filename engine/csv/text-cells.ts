// Records that came as text, put where those lie that were cut from bytes: from there on all cells go one way.
import { trimCell } from "../columns/reading.ts";
import { BYTES_BEHIND, MOST_ROWS, type ReadingKernel } from "../reading/reading-kernel.ts";
import { MOST_CUT_CELLS } from "./limits.ts";
import type { CellBatch, RecordBatch } from "./shapes.ts";

/** UTF-16 units of a piece of text, but for a record that is longer. */
const PIECE_CHARS = 2 ** 18;
/** UTF-8 of a unit takes three bytes at most. */
const BYTES_PER_UNIT = 3;
const ENCODER = new TextEncoder();

/** Records of a table of `columnCount` columns, on their way to the sink of this kernel. */
export class TextCells {
  private readonly kernel: ReadingKernel;
  private readonly columnCount: number;
  private room = new Uint8Array(0);
  private roomAt = 0;

  constructor(kernel: ReadingKernel, columnCount: number) {
    this.kernel = kernel;
    this.columnCount = columnCount;
  }

  /** The records in batches of cells: use one before asking for the next. */
  *batchesOf({ records, lines, firstIndex }: RecordBatch): Generator<CellBatch> {
    const most = Math.min(MOST_ROWS, Math.floor(MOST_CUT_CELLS / this.columnCount));
    for (let from = 0; from < records.length; ) {
      let text = "";
      let to = from;
      for (; to < records.length && to - from < most && text.length < PIECE_CHARS; to++) {
        // No cell holds a NUL.
        for (const cell of records[to]!) text += `${trimCell(cell)}\0`;
      }
      const { kernel, columnCount } = this;
      const recordCount = to - from;
      const length = this.write(text);
      kernel.lines.set(lines.subarray(from, to));
      kernel.exports.openTable(0, columnCount, recordCount);
      const cellsAt = kernel.columnAt(0, recordCount);
      const cutCount = kernel.exports.cutLines(this.roomAt, this.roomAt + length, cellsAt, recordCount);
      if (cutCount !== recordCount) throw new Error("a cell holds a NUL, or a record has another number of cells");
      const own = records.slice(from, to);
      yield { firstIndex: firstIndex + from, recordCount, columnCount, kernel, stride: recordCount, records: own };
      from = to;
    }
  }

  /** Returns how many bytes that took. */
  private write(text: string): number {
    const bytes = BYTES_PER_UNIT * text.length + BYTES_BEHIND;
    if (bytes > this.room.length) {
      this.roomAt = this.kernel.place(Uint8Array, Math.max(bytes, 2 * this.room.length), (own) => {
        this.room = own;
      });
    }
    return ENCODER.encodeInto(text, this.room).written;
  }
}
