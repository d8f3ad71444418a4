// Decodes bytes to text: byte order marks, four encodings, and a refusal of files that are no text.

import { concatenate } from "../concatenate.ts";
import { InputError } from "../input-error.ts";
import type { Encoding } from "./types.ts";

/** Thrown where the bytes do not fit the assumed encoding. */
export class Undecodable extends Error {
  /** The text before the first bad byte that was not returned yet. */
  readonly before: string;
  /** The given bytes from the first bad one on. */
  readonly rest: Uint8Array;

  constructor(before: string, rest: Uint8Array) {
    super("undecodable bytes");
    this.name = "Undecodable";
    this.before = before;
    this.rest = rest;
  }
}

/**
 * Decodes chunks of any size; a character split over two chunks comes out with the second. Keeps no reference to the
 * caller's bytes. The byte order mark is never part of the text.
 */
export class Decoder {
  /** Certain once text was returned. */
  encoding: Encoding = "utf-8";
  private decoder: TextDecoder | null = null;
  /** Bytes kept until more come: the first few of a file, or an incomplete character. */
  private carry: Uint8Array = new Uint8Array(0);
  private readonly fallback: boolean;

  /** `fallback`: the file proved not to be UTF-8, so read it as windows-1252 unless it has a UTF-16 byte order mark. */
  constructor(fallback: boolean) {
    this.fallback = fallback;
  }

  /** True where the next byte begins a character. */
  get isBetweenCharacters(): boolean {
    return this.carry.length === 0;
  }

  /** Throws Undecodable, and InputError NOT_TEXT where the first bytes are those of another kind of file. */
  push(chunk: Uint8Array): string {
    return this.decode(chunk, false);
  }

  /** Returns the last text. Throws Undecodable where the bytes end inside a character. */
  end(): string {
    const text = this.decode(new Uint8Array(0), true);
    if (this.carry.length > 0) throw new Undecodable(text, this.carry);
    return text;
  }

  /** Reads on as windows-1252, from `Undecodable.rest`. */
  switchToWindows1252(): void {
    this.encoding = "windows-1252";
    this.decoder = new TextDecoder("windows-1252");
    this.carry = new Uint8Array(0);
  }

  private decode(chunk: Uint8Array, atEnd: boolean): string {
    let bytes = this.carry.length === 0 ? chunk : concatenate(Uint8Array, [this.carry, chunk]);
    if (this.decoder === null) {
      const start = identify(bytes, atEnd);
      if (start === null) {
        this.carry = bytes.slice();
        return "";
      }
      this.encoding = this.fallback && start.encoding === "utf-8" ? "windows-1252" : start.encoding;
      this.decoder = new TextDecoder(this.encoding, { fatal: true, ignoreBOM: true });
      bytes = bytes.subarray(start.bomBytes);
    }
    const completeBytes = completeLength(bytes, this.encoding);
    const complete = bytes.subarray(0, completeBytes);
    try {
      const text = this.decoder.decode(complete);
      this.carry = bytes.slice(completeBytes);
      return text;
    } catch {
      throw this.locate(bytes);
    }
  }

  /**
   * Finds the longest prefix that decodes, by bisection: in streaming mode a
   * prefix fails only where it holds a bad byte.
   */
  private locate(bytes: Uint8Array): Undecodable {
    const decodePrefix = (length: number): string | null => {
      try {
        const decoder = new TextDecoder(this.encoding, { fatal: true, ignoreBOM: true });
        return decoder.decode(bytes.subarray(0, length), { stream: true });
      } catch {
        return null;
      }
    };
    let good = 0;
    let bad = bytes.length;
    while (bad - good > 1) {
      const middle = (good + bad) >>> 1;
      if (decodePrefix(middle) === null) bad = middle;
      else good = middle;
    }
    const before = decodePrefix(good) ?? "";
    const beforeBytes = this.encoding === "utf-8" ? new TextEncoder().encode(before).length : 2 * before.length;
    return new Undecodable(before, bytes.slice(beforeBytes));
  }
}

/** Returns the length of `bytes` without an incomplete last character. */
function completeLength(bytes: Uint8Array, encoding: Encoding): number {
  const length = bytes.length;
  if (encoding === "windows-1252") return length;
  if (encoding === "utf-8") return length - incompleteUtf8(bytes);
  const even = length - (length % 2);
  const highByte = encoding === "utf-16le" ? bytes[even - 1] : bytes[even - 2];
  const splitsPair = highByte !== undefined && (highByte & 0xfc) === 0xd8;
  return splitsPair ? even - 2 : even;
}

/** Returns how many last bytes begin a UTF-8 character that is not complete. */
function incompleteUtf8(bytes: Uint8Array): number {
  const length = bytes.length;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const neededCount = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return neededCount > back ? back : 0;
  }
  return 0;
}

interface Start {
  encoding: Encoding;
  bomBytes: number;
}

const BYTE_ORDER_MARKS: readonly { start: readonly number[]; encoding: Encoding }[] = [
  { start: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { start: [0xff, 0xfe], encoding: "utf-16le" },
  { start: [0xfe, 0xff], encoding: "utf-16be" },
];

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const EXPORT = "Export the table as CSV.";
const SAS_START = [...Array<number>(12).fill(0), 0xc2, 0xea, 0x81, 0x60];

/** First bytes of files that people mistake for CSV. No header begins with any of them. */
const FOREIGN: readonly { start: readonly number[]; what: string; remedy: string }[] = [
  { start: [0x1f, 0x8b], what: "a gzip archive", remedy: "Unpack it and use the CSV file inside." },
  {
    start: [0x50, 0x4b, 0x03, 0x04],
    what: "an Excel workbook (.xlsx) or another zip archive",
    remedy: "Export the sheet as CSV, or unpack the archive.",
  },
  { start: [0xd0, 0xcf, 0x11, 0xe0], what: "an Excel workbook (.xls)", remedy: "Export the sheet as CSV." },
  { start: ascii("%PDF-"), what: "a PDF document", remedy: EXPORT },
  { start: [0x89, 0x50, 0x4e, 0x47], what: "a PNG image", remedy: "Give a CSV file." },
  { start: [0xff, 0xd8, 0xff], what: "a JPEG image", remedy: "Give a CSV file." },
  { start: [...ascii("PAR1"), 0x15], what: "a Parquet file", remedy: EXPORT },
  { start: ascii("SQLite format 3\0"), what: "an SQLite database", remedy: EXPORT },
  { start: [0x28, 0xb5, 0x2f, 0xfd], what: "a zstd archive", remedy: "Unpack it and use the CSV file inside." },
  { start: [0xfd, ...ascii("7zXZ")], what: "an xz archive", remedy: "Unpack it and use the CSV file inside." },
  { start: [...ascii("7z"), 0xbc, 0xaf], what: "a 7z archive", remedy: "Unpack it and use the CSV file inside." },
  { start: ascii("BZh91AY&SY"), what: "a bzip2 archive", remedy: "Unpack it and use the CSV file inside." },
  { start: ascii("{\\rtf1"), what: "a formatted text (RTF)", remedy: "Save it as plain text." },
  { start: ascii("ARROW1\0"), what: "an Arrow file", remedy: EXPORT },
  { start: [0x89, ...ascii("HDF\r\n")], what: "an HDF5 file", remedy: EXPORT },
  { start: ascii("MATLAB 5.0 MAT"), what: "a MATLAB file", remedy: EXPORT },
  { start: ascii("$FL2@(#)"), what: "an SPSS file", remedy: EXPORT },
  { start: ascii("<stata_dta>"), what: "a Stata file", remedy: EXPORT },
  { start: SAS_START, what: "a SAS file", remedy: EXPORT },
  { start: ascii("RDX3\n"), what: "an R file", remedy: EXPORT },
  { start: [0xff, 0xfe, 0, 0], what: "UTF-32 text", remedy: "Save it as UTF-8." },
  { start: [0, 0, 0xfe, 0xff], what: "UTF-32 text", remedy: "Save it as UTF-8." },
];

/** Returns the encoding that the first bytes tell, or null where more of them are needed. */
function identify(bytes: Uint8Array, atEnd: boolean): Start | null {
  for (const { start, what, remedy } of FOREIGN) {
    const match = matchStart(bytes, start);
    if (match === "whole") throw new InputError("NOT_TEXT", `The file is ${what}, not CSV text. ${remedy}`);
    if (match === "part" && !atEnd) return null;
  }
  for (const { start, encoding } of BYTE_ORDER_MARKS) {
    const match = matchStart(bytes, start);
    if (match === "whole") return { encoding, bomBytes: start.length };
    if (match === "part" && !atEnd) return null;
  }
  return { encoding: "utf-8", bomBytes: 0 };
}

function matchStart(bytes: Uint8Array, start: readonly number[]): "whole" | "part" | "none" {
  const length = Math.min(bytes.length, start.length);
  for (let i = 0; i < length; i++) if (bytes[i] !== start[i]) return "none";
  return length === start.length ? "whole" : "part";
}
