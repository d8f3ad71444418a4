// The journal of a long job: the answers of its finished units, from which a restarted process goes on.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "../../engine/arrays/crc32.ts";
import { fromExactJson, toExactJson } from "./exact-json.ts";
import { flushToDisk } from "./private-file.ts";

const MAGIC = "CUPEL UNIT JOURNAL";
const FORMAT_VERSION = 1;
const LINE_FEED = 10;
/** Before each unit's JSON: its checksum, eight hexadecimal digits, and a space. */
const CHECKSUM_CHARS = 9;

/** Most bytes that `peekUnit` reads. */
const PEEKED_BYTES = 64 * 1024;

/** Where in the file the JSON of a unit stands. */
interface Place {
  start: number;
  length: number;
}

/**
 * Opens the journal at `path` with the units that an earlier process finished. A line that was not
 * written whole, or whose checksum does not match, is cut off with all that follow. A file of another
 * format or identity (such as a hash of inputs and options) is begun anew.
 */
export function openUnitJournal(path: string, identity: string): UnitJournal {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT);
  try {
    return new UnitJournal(path, file, identity);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Reads the answer of one of the first units of a journal of any identity, without changing it. Undefined where it is
 * not among them, or there is no journal at `path`.
 */
export function peekUnit(path: string, unitId: string): unknown {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, constants.O_RDONLY);
  try {
    const content = readAt(file, 0, Math.min(fstatSync(file).size, PEEKED_BYTES));
    const firstUnit = content.indexOf(LINE_FEED) + 1;
    if (firstUnit === 0 || !content.toString("latin1").startsWith(`${MAGIC} ${FORMAT_VERSION} `)) return undefined;
    for (const line of wholeLines(content, firstUnit)) if (line.unitId === unitId) return answerOf(line.json);
    return undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * Text: a line of magic, format and identity, then one line per unit, `checksum [unitId, answer]`. For one process at a
 * time. Memory holds the places of the answers, not the answers. All calls block, and throw errors of the disk.
 */
class UnitJournal {
  private readonly path: string;
  private readonly file: number;
  private readonly places = new Map<string, Place>();
  /** Bytes of whole lines. */
  private end: number;

  constructor(path: string, file: number, identity: string) {
    this.path = path;
    this.file = file;
    const header = Buffer.from(`${MAGIC} ${FORMAT_VERSION} ${JSON.stringify(identity)}\n`);
    const { size } = fstatSync(file);
    const content = readAt(file, 0, size);
    if (content.subarray(0, header.length).equals(header)) {
      this.end = this.takeLines(content, header.length);
      if (this.end === size) return;
      ftruncateSync(file, this.end);
    } else {
      if (size > 0) ftruncateSync(file, 0);
      this.end = writeAt(file, header, 0);
    }
    fsyncSync(file);
    flushToDisk(dirname(path));
  }

  /** A fresh copy of a finished unit's answer; undefined where it is not finished. */
  find(unitId: string): unknown {
    const place = this.places.get(unitId);
    if (place === undefined) return undefined;
    return answerOf(readAt(this.file, place.start, place.length));
  }

  /**
   * The answer is on the disk when this returns; if it throws, the journal is unchanged. Takes what `toExactJson`
   * takes. A unit that is appended again has the later answer.
   */
  append(unitId: string, answer: unknown): void {
    const json = Buffer.from(toExactJson([unitId, answer]));
    const line = Buffer.concat([Buffer.from(`${checksum(json)} `), json, Buffer.of(LINE_FEED)]);
    let end: number;
    try {
      end = writeAt(this.file, line, this.end);
      fsyncSync(this.file);
    } catch (error) {
      ftruncateSync(this.file, this.end);
      throw error;
    }
    this.places.set(unitId, { start: this.end + CHECKSUM_CHARS, length: json.length });
    this.end = end;
  }

  /** Closes the file and leaves it for a later process. */
  close(): void {
    closeSync(this.file);
  }

  /** Closes and removes the file: the job is done. */
  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  /** Notes the whole lines from `start` on; returns where they end. */
  private takeLines(content: Buffer, start: number): number {
    let end = start;
    for (const { unitId, json, lineStart, lineEnd } of wholeLines(content, start)) {
      this.places.set(unitId, { start: lineStart + CHECKSUM_CHARS, length: json.length });
      end = lineEnd;
    }
    return end;
  }
}

export type { UnitJournal };

interface Line {
  unitId: string;
  json: Buffer;
  lineStart: number;
  /** After the line feed. */
  lineEnd: number;
}

/** The lines from `start` on, up to the first that was not written whole or is damaged. */
function* wholeLines(content: Buffer, start: number): Generator<Line> {
  for (let lineStart = start; ; ) {
    const lineFeed = content.indexOf(LINE_FEED, lineStart);
    if (lineFeed < 0) return;
    const json = content.subarray(lineStart + CHECKSUM_CHARS, lineFeed);
    if (content.toString("latin1", lineStart, lineStart + CHECKSUM_CHARS) !== `${checksum(json)} `) return;
    const unitId = unitIdOf(json);
    if (unitId === null) return;
    const lineEnd = lineFeed + 1;
    yield { unitId, json, lineStart, lineEnd };
    lineStart = lineEnd;
  }
}

function checksum(json: Uint8Array): string {
  return crc32(json).toString(16).padStart(8, "0");
}

/** Null for a line that no journal wrote although its checksum matches. */
function unitIdOf(json: Buffer): string | null {
  try {
    const [unitId] = JSON.parse(json.toString("utf8")) as [unknown];
    return typeof unitId === "string" ? unitId : null;
  } catch {
    return null;
  }
}

/** Undefined, as for an unfinished unit, where no journal wrote the line although its checksum matches. */
function answerOf(json: Buffer): unknown {
  try {
    return (fromExactJson(json.toString("utf8")) as [string, unknown])[1];
  } catch {
    return undefined;
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const content = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, content, read, length - read, position + read);
    if (count === 0) throw new Error("the journal ends sooner than it did");
    read += count;
  }
  return content;
}

/** Writes all bytes; returns the position after them. */
function writeAt(file: number, bytes: Uint8Array, position: number): number {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  }
  return position + bytes.length;
}
