// Bytes to a table by two ways with one outcome: plain lines are cut as they stand, all else becomes text first.
import { CellCutter } from "./cut-cells.ts";
import type { Decoder } from "./encoding.ts";
import { DECODE_BYTES, MAX_CELL_BYTES } from "./limits.ts";
import type { TextTally } from "./shapes.ts";
import type { TableReader } from "./table-reader.ts";

const LF = 10;
const FIRST_STRETCH_BYTES = 1024;

/** Takes the bytes of one file in chunks of any size. Keeps no reference to the caller's bytes. */
export class ByteReader implements TextTally {
  textBytes = 0;
  private readonly decoder: Decoder;
  private readonly reader: TableReader;
  private cutter: CellCutter | null = null;
  /** Bytes not read yet are `buffer` up to `length`: less than a line between two calls. */
  private buffer = new Uint8Array(0);
  private length = 0;

  constructor(decoder: Decoder, reader: TableReader) {
    this.decoder = decoder;
    this.reader = reader;
  }

  /** Throws Undecodable and InputError. */
  push(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length && !this.mayCut()) {
      const to = Math.min(from + DECODE_BYTES, chunk.length);
      this.readText(chunk.subarray(from, to));
      from = to;
    }
    if (from === chunk.length) return;
    const rest = chunk.subarray(from);
    this.append(rest);
    const isLineDone = rest.includes(LF) || this.length > MAX_CELL_BYTES;
    if (isLineDone || !this.isAtRecord()) this.readLines();
  }

  /** The last bytes. Throws Undecodable and InputError. */
  end(): void {
    this.readText(this.buffer.subarray(0, this.length));
    this.length = 0;
    this.reader.push(this.decoder.end());
  }

  private mayCut(): boolean {
    if (this.cutter !== null) return true;
    const { cutting } = this.reader;
    if (cutting === null) return false;
    this.cutter = new CellCutter(cutting.delimiter, cutting.columnCount);
    return true;
  }

  private isAtRecord(): boolean {
    return this.reader.isAtRecord && this.decoder.isBetweenCharacters;
  }

  /** Reads the whole lines of the buffer, and moves the rest to its start. */
  private readLines(): void {
    const { buffer, length } = this;
    const end = buffer.lastIndexOf(LF, length - 1) + 1;
    let stretchBytes = FIRST_STRETCH_BYTES;
    let at = 0;
    while (at < length) {
      if (this.isAtRecord()) {
        at = this.cutLines(at, end);
        if (at >= end && length - at <= MAX_CELL_BYTES) break;
      }
      // What is odd seldom comes alone: where it comes often, most of it goes as text, in few large pieces.
      const to = buffer.indexOf(LF, Math.min(at + stretchBytes, length)) + 1;
      const stop = to === 0 || to > length ? length : to;
      this.readText(buffer.subarray(at, stop));
      stretchBytes *= 2;
      at = stop;
    }
    buffer.copyWithin(0, at, length);
    this.length = length - at;
  }

  /** Cuts lines from `from` on, and returns where that ended: at `end`, or where a line has to become text. */
  private cutLines(from: number, end: number): number {
    const { buffer, reader } = this;
    const cutter = this.cutter!;
    let at = from;
    while (at < end) {
      const count = cutter.cut(buffer, at, end);
      if (count === 0 || (cutter.isWide && !isUtf8(buffer.subarray(at, cutter.end)))) return at;
      at = cutter.end;
      reader.handOnCells(buffer, cutter, count);
      if (count < cutter.stride) break;
    }
    return at;
  }

  private append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length;
    if (needed > this.buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.buffer.length));
      larger.set(this.buffer.subarray(0, this.length));
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.length);
    this.length = needed;
  }

  private readText(bytes: Uint8Array): void {
    this.textBytes += bytes.length;
    for (const piece of pieces(bytes)) this.reader.push(this.decoder.push(piece));
  }
}

/** The bytes in pieces of at most `DECODE_BYTES`. */
export function* pieces(chunk: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < chunk.length; i += DECODE_BYTES) yield chunk.subarray(i, i + DECODE_BYTES);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
