// Bytes to a table by two ways with one outcome: the kernel cuts plain
// lines as they stand, all else becomes text first.

import type { Decoder } from "./encoding.ts";
import { CUT_CELLS, CUT_RECORDS, DECODE_BYTES, MAX_CELL_BYTES, MOST_CUT_CELLS, SNIFF_CHARS } from "./limits.ts";
import { PIECE_BYTES, type ReadingKernel } from "./reading-kernel.ts";
import type { TableReader } from "./table-reader.ts";
import type { ChunkTaker } from "./types.ts";

const LF = 10;
/** Bytes that are read as text before lines can be cut: the delimiter is guessed from nearly all of them. */
const FIRST_TEXT_BYTES = SNIFF_CHARS + 1024;
const FIRST_STRETCH_BYTES = 1024;

/** How the kernel cuts the records of the file. */
interface Cutting {
  kernel: ReadingKernel;
  /** A byte. */
  delimiter: number;
  columnCount: number;
  /** Records cut at a time, at most. */
  stride: number;
}

/** Takes the bytes of one file in chunks of any size. Keeps no reference to the caller's bytes. */
export class ByteReader implements ChunkTaker {
  textBytes = 0;
  private readonly decoder: Decoder;
  private readonly reader: TableReader;
  /** Null while bytes have to become text. */
  private cutting: Cutting | null = null;
  /** The kernel's bytes up to here are not read yet: between two calls `MAX_CELL_BYTES` at most, and no whole line. */
  private length = 0;

  constructor(decoder: Decoder, reader: TableReader) {
    this.decoder = decoder;
    this.reader = reader;
  }

  get buffer(): Uint8Array | null {
    return this.cutting?.kernel.bytes.subarray(this.length, this.length + PIECE_BYTES) ?? null;
  }

  /** Throws Undecodable and InputError. */
  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      const cutting = this.findCutting();
      const textBytes = this.textBytes === 0 ? FIRST_TEXT_BYTES : DECODE_BYTES;
      const to = Math.min(from + (cutting === null ? textBytes : PIECE_BYTES), chunk.length);
      const piece = chunk.subarray(from, to);
      if (cutting === null) this.readText(piece);
      else this.take(piece, cutting);
      from = to;
    }
  }

  /** The last bytes. Throws Undecodable and InputError. */
  end(): void {
    if (this.cutting !== null) this.readOwn(this.cutting, 0, this.length);
    this.length = 0;
    this.reader.push(this.decoder.end());
  }

  private findCutting(): Cutting | null {
    const found = this.cutting === null ? this.reader.cutting : null;
    if (found !== null) {
      const cells = Math.min(Math.max(CUT_CELLS, CUT_RECORDS * found.columnCount), MOST_CUT_CELLS);
      // Odd, because otherwise the columns of one record might share a few places of the processor's cache.
      this.cutting = { ...found, stride: Math.floor(cells / found.columnCount) | 1 };
    }
    return this.cutting;
  }

  private isAtRecord(): boolean {
    return this.reader.isAtRecord && this.decoder.isBetweenCharacters;
  }

  private take(piece: Uint8Array, cutting: Cutting): void {
    const { bytes } = cutting.kernel;
    const isThere = piece.buffer === bytes.buffer && piece.byteOffset === bytes.byteOffset + this.length;
    if (!isThere) bytes.set(piece, this.length);
    this.length += piece.length;
    const isLineDone = piece.includes(LF) || this.length > MAX_CELL_BYTES;
    if (isLineDone || !this.isAtRecord()) this.readLines(cutting);
  }

  /** Reads the whole lines of the kernel's bytes, and moves the rest to the start. */
  private readLines(cutting: Cutting): void {
    const { kernel } = cutting;
    const { length } = this;
    const end = kernel.bytes.lastIndexOf(LF, length - 1) + 1;
    let stretchBytes = FIRST_STRETCH_BYTES;
    let at = 0;
    while (at < length) {
      if (this.isAtRecord()) {
        at = this.cutLines(cutting, at, end);
        if (at >= end && length - at <= MAX_CELL_BYTES) break;
      }
      // Odd lines seldom come alone: where they are many, each stretch of text is twice as long as the last.
      const to = kernel.bytes.indexOf(LF, Math.min(at + stretchBytes, length)) + 1;
      const stop = to === 0 || to > length ? length : to;
      this.readOwn(cutting, at, stop);
      stretchBytes *= 2;
      at = stop;
    }
    kernel.bytes.copyWithin(0, at, length);
    this.length = length - at;
  }

  /**
   * Cuts the whole lines in `[from, end)`, and returns where that ended: at `end`, or at the first odd line, which has
   * to become text. Odd are a wrong number of cells, a quoted cell with more than text in it, a lone CR, and a NUL.
   */
  private cutLines({ kernel, delimiter, columnCount, stride }: Cutting, from: number, end: number): number {
    const { exports, bytesAt } = kernel;
    let at = from;
    while (at < end) {
      exports.openTable(delimiter, columnCount, stride);
      const count = exports.cutLines(bytesAt + at, bytesAt + end, kernel.columnAt(0, stride), stride);
      const cutEnd = exports.cutEnd() - bytesAt;
      if (count === 0 || (exports.isCutWide() === 1 && !isUtf8(kernel.bytes.subarray(at, cutEnd)))) return at;
      at = cutEnd;
      this.reader.handOnCells(count, stride);
      if (count < stride) break;
    }
    return at;
  }

  /** Reads the kernel's bytes as text, in pieces, because the kernel's memory may grow while a sink takes a piece. */
  private readOwn({ kernel }: Cutting, from: number, to: number): void {
    for (let at = from; at < to; at += DECODE_BYTES) {
      this.readText(kernel.bytes.subarray(at, Math.min(at + DECODE_BYTES, to)));
    }
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
