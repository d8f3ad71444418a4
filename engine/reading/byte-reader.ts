// Bytes to a table by two ways with one outcome: plain lines are cut as they stand, all else becomes text first.

import type { Decoder } from "../csv/encoding.ts";
import { DECODE_BYTES, MAX_CELL_BYTES } from "../csv/limits.ts";
import type { ChunkTaker } from "../csv/shapes.ts";
import type { TableReader } from "../csv/table-reader.ts";
import { CellCutter } from "./cut-cells.ts";
import { PIECE_BYTES } from "./reading-kernel.ts";

const LF = 10;
const FIRST_STRETCH_BYTES = 1024;

/** Takes the bytes of one file in chunks of any size. Keeps no reference to the caller's bytes. */
export class ByteReader implements ChunkTaker {
  textBytes = 0;
  private readonly decoder: Decoder;
  private readonly reader: TableReader;
  private cutter: CellCutter | null = null;
  /** Bytes not read yet are the kernel's up to here: between two calls `MAX_CELL_BYTES` at most, and no whole line. */
  private length = 0;
  /** Bytes that are read as text at once while lines cannot be cut. */
  private stretchBytes = 0;

  constructor(decoder: Decoder, reader: TableReader) {
    this.decoder = decoder;
    this.reader = reader;
  }

  get room(): Uint8Array | null {
    return this.cutter?.kernel.bytes.subarray(this.length, this.length + PIECE_BYTES) ?? null;
  }

  /** Throws Undecodable and InputError. */
  push(chunk: Uint8Array): void {
    if (this.stretchBytes === 0) this.begin(chunk);
    let from = 0;
    let cutter = this.findCutter();
    while (from < chunk.length) {
      const to = Math.min(from + (cutter === null ? this.stretchBytes : PIECE_BYTES), chunk.length);
      const piece = chunk.subarray(from, to);
      if (cutter !== null) this.take(piece, cutter);
      else {
        this.readText(piece);
        this.stretchBytes = Math.min(2 * this.stretchBytes, DECODE_BYTES);
        cutter = this.findCutter();
      }
      from = to;
    }
  }

  /** The last bytes. Throws Undecodable and InputError. */
  end(): void {
    if (this.cutter !== null) this.readOwn(this.cutter, 0, this.length);
    this.length = 0;
    this.reader.push(this.decoder.end());
  }

  /** Where the first chunk alone shows the delimiter, little more than the header needs to become text. */
  private begin(chunk: Uint8Array): void {
    const text = this.decoder.peek(chunk.subarray(0, DECODE_BYTES));
    const isSettled = text !== null && this.reader.foresee(text);
    this.stretchBytes = isSettled ? FIRST_STRETCH_BYTES : DECODE_BYTES;
  }

  private findCutter(): CellCutter | null {
    if (this.cutter !== null) return this.cutter;
    const { cutting } = this.reader;
    if (cutting === null) return null;
    const { delimiter, columnCount, kernel } = cutting;
    this.cutter = new CellCutter(delimiter, columnCount, kernel);
    return this.cutter;
  }

  private isAtRecord(): boolean {
    return this.reader.isAtRecord && this.decoder.isBetweenCharacters;
  }

  private take(piece: Uint8Array, cutter: CellCutter): void {
    const { bytes } = cutter.kernel;
    const isThere = piece.buffer === bytes.buffer && piece.byteOffset === bytes.byteOffset + this.length;
    if (!isThere) bytes.set(piece, this.length);
    this.length += piece.length;
    const isLineDone = piece.includes(LF) || this.length > MAX_CELL_BYTES;
    if (isLineDone || !this.isAtRecord()) this.readLines(cutter);
  }

  /** Reads the whole lines of the kernel's bytes, and moves the rest to their start. */
  private readLines(cutter: CellCutter): void {
    const { kernel } = cutter;
    const { length } = this;
    const end = kernel.bytes.lastIndexOf(LF, length - 1) + 1;
    let stretchBytes = FIRST_STRETCH_BYTES;
    let at = 0;
    while (at < length) {
      if (this.isAtRecord()) {
        at = this.cutLines(cutter, at, end);
        if (at >= end && length - at <= MAX_CELL_BYTES) break;
      }
      // What is odd seldom comes alone: where it comes often, most of it goes as text, in few large pieces.
      const to = kernel.bytes.indexOf(LF, Math.min(at + stretchBytes, length)) + 1;
      const stop = to === 0 || to > length ? length : to;
      this.readOwn(cutter, at, stop);
      stretchBytes *= 2;
      at = stop;
    }
    kernel.bytes.copyWithin(0, at, length);
    this.length = length - at;
  }

  /** Cuts lines from `from` on, and returns where that ended: at `end`, or where a line has to become text. */
  private cutLines(cutter: CellCutter, from: number, end: number): number {
    const { kernel } = cutter;
    let at = from;
    while (at < end) {
      const count = cutter.cut(at, end);
      if (count === 0 || (cutter.isWide && !isUtf8(kernel.bytes.subarray(at, cutter.end)))) return at;
      at = cutter.end;
      this.reader.handOnCells(cutter, count);
      if (count < cutter.stride) break;
    }
    return at;
  }

  /** Of the kernel's bytes, piece by piece: its memory may grow as a sink takes what is in one of them. */
  private readOwn({ kernel }: CellCutter, from: number, to: number): void {
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
