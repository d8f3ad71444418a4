// Puts records that came as text into the kernel's memory, so that from there on all cells go one way.

import { MOST_CUT_CELLS } from "./limits.ts";
import { BYTES_BEHIND, MOST_ROWS, type ReadingKernel } from "./reading-kernel.ts";
import type { BadRecords, CellBatch, RecordBatch } from "./types.ts";

/** UTF-16 units of a batch, unless one record is longer. */
const PIECE_CHARS = 2 ** 18;
/** A UTF-16 unit takes three bytes of UTF-8 at most. */
const BYTES_PER_UNIT = 3;
const ENCODER = new TextEncoder();

/** Turns records of `columnCount` cells into cells of a kernel. */
export class TextCells {
  private readonly kernel: ReadingKernel;
  private readonly columnCount: number;
  private buffer = new Uint8Array(0);
  private bufferAt = 0;

  constructor(kernel: ReadingKernel, columnCount: number) {
    this.kernel = kernel;
    this.columnCount = columnCount;
  }

  /** Yields the records in batches of cells. Use a batch before asking for the next. */
  *batchesOf({ records, lines, firstIndex, bad }: RecordBatch): Generator<CellBatch> {
    const most = Math.min(MOST_ROWS, Math.floor(MOST_CUT_CELLS / this.columnCount));
    for (let from = 0; from < records.length; ) {
      let text = "";
      let to = from;
      for (; to < records.length && to - from < most && text.length < PIECE_CHARS; to++) {
        // A NUL can end a cell, because no cell holds one.
        for (const cell of records[to]!) text += `${cell.trim()}\0`;
      }
      const { kernel, columnCount } = this;
      const recordCount = to - from;
      const length = this.write(text);
      kernel.lines.set(lines.subarray(from, to));
      kernel.exports.openTable(0, columnCount, recordCount);
      const cellsAt = kernel.columnAt(0, recordCount);
      const cutCount = kernel.exports.cutLines(this.bufferAt, this.bufferAt + length, cellsAt, recordCount);
      if (cutCount !== recordCount) throw new Error("a cell holds a NUL, or a record has another number of cells");
      const own = records.slice(from, to);
      const batch = {
        firstIndex: firstIndex + from,
        recordCount,
        columnCount,
        kernel,
        stride: recordCount,
        records: own,
      };
      yield bad === undefined ? batch : { ...batch, bad: badWithin(bad, from, to) };
      from = to;
    }
  }

  /** Writes the text to the buffer, and returns how many bytes it took. */
  private write(text: string): number {
    const bytes = BYTES_PER_UNIT * text.length + BYTES_BEHIND;
    if (bytes > this.buffer.length) {
      this.bufferAt = this.kernel.place(Uint8Array, Math.max(bytes, 2 * this.buffer.length), (view) => {
        this.buffer = view;
      });
    }
    return ENCODER.encodeInto(text, this.buffer).written;
  }
}

function badWithin(bad: BadRecords, from: number, to: number): BadRecords {
  return new Map([...bad].flatMap(([at, reason]) => (at >= from && at < to ? [[at - from, reason]] : [])));
}
