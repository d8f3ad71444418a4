// The container of everything saved: magic, format version, a JSON head,
// typed arrays, a checksum. Checked whole on reading.

import { InputError } from "../input-error.ts";
import { crc32 } from "./crc32.ts";

export type StoredArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Identifies a kind of file: its first eight bytes, and the newest version of its format that this program reads. */
export interface FileFormat {
  magic: string;
  version: number;
  /** The name of such a file in error messages: "Cupel model". */
  noun: string;
}

/** Gives the bytes of a file at a position, fewer where it ends. */
export type ReadAt = (position: number, length: number) => Uint8Array;

const ARRAY_TYPES = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array } as const;
type ArrayType = keyof typeof ARRAY_TYPES;

interface DirectoryEntry {
  name: string;
  type: ArrayType;
  length: number;
}

/** Bytes before the JSON: magic (8), format version (4), length of the JSON (4). All integers are little-endian. */
const PREFIX_BYTES = 16;
const CHECKSUM_BYTES = 4;
const ALIGNMENT = 8;

/** Packs a head and named arrays. The same content gives the same bytes. */
export function packArrays(format: FileFormat, head: object, arrays: ReadonlyMap<string, StoredArray>): Uint8Array {
  const directory: DirectoryEntry[] = [...arrays].map(([name, array]) => ({
    name,
    type: array.constructor.name as ArrayType,
    length: array.length,
  }));
  const json = new TextEncoder().encode(JSON.stringify({ head, arrays: directory }));
  let size = align(PREFIX_BYTES + json.length);
  for (const array of arrays.values()) size = align(size + array.byteLength);
  const bytes = new Uint8Array(size + CHECKSUM_BYTES);
  const fields = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(format.magic));
  fields.setUint32(8, format.version, true);
  fields.setUint32(12, json.length, true);
  bytes.set(json, PREFIX_BYTES);
  let offset = align(PREFIX_BYTES + json.length);
  for (const array of arrays.values()) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset = align(offset + array.byteLength);
  }
  fields.setUint32(size, crc32(bytes.subarray(0, size)), true);
  return bytes;
}

/**
 * Unpacks a file. The arrays are views of `bytes` where it is aligned, copies otherwise.
 *
 * @throws InputError WRONG_FILE_TYPE, FILE_TOO_NEW or FILE_DAMAGED, saying what to do.
 */
export function unpackArrays(
  format: FileFormat,
  bytes: Uint8Array,
): { head: unknown; arrays: Map<string, StoredArray> } {
  if (!hasMagic(format, bytes)) {
    throw new InputError("WRONG_FILE_TYPE", `This is not a ${format.noun}: it does not begin with ${format.magic}.`);
  }
  const aligned = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  const fields = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
  const damaged = (what: string) =>
    new InputError("FILE_DAMAGED", `This ${format.noun} is damaged: ${what}. Copy it again from where it was made.`);
  if (aligned.length < PREFIX_BYTES + CHECKSUM_BYTES) throw damaged("it ends too early");
  const version = fields.getUint32(8, true);
  if (version > format.version) {
    throw new InputError(
      "FILE_TOO_NEW",
      `This ${format.noun} has format ${version}; this program reads up to ${format.version}. Use a newer Cupel.`,
    );
  }
  const size = aligned.length - CHECKSUM_BYTES;
  if (crc32(aligned.subarray(0, size)) !== fields.getUint32(size, true)) throw damaged("its checksum does not match");
  const jsonLength = fields.getUint32(12, true);
  const found = readContent(aligned.subarray(0, size), jsonLength);
  if (found === null) throw damaged("it says that it holds what it does not");
  return found;
}

/**
 * Null if the JSON or its list of arrays is not sound: a checksum only shows
 * that the file is unchanged since it was made.
 */
function readContent(
  content: Uint8Array,
  jsonLength: number,
): { head: unknown; arrays: Map<string, StoredArray> } | null {
  const about = readJson(content.subarray(PREFIX_BYTES, PREFIX_BYTES + jsonLength));
  if (about === null || !Array.isArray(about.arrays)) return null;
  const arrays = new Map<string, StoredArray>();
  let offset = align(PREFIX_BYTES + jsonLength);
  for (const entry of about.arrays as readonly (Partial<DirectoryEntry> | null)[]) {
    const { name, type = "", length = -1 } = entry ?? {};
    if (typeof name !== "string" || !Object.hasOwn(ARRAY_TYPES, type)) return null;
    const ofType = ARRAY_TYPES[type as ArrayType];
    const isInside = Number.isSafeInteger(length) && length >= 0;
    if (!isInside || offset + length * ofType.BYTES_PER_ELEMENT > content.length) return null;
    const array = new ofType(content.buffer as ArrayBuffer, content.byteOffset + offset, length);
    arrays.set(name, array);
    offset = align(offset + array.byteLength);
  }
  return { head: about.head, arrays };
}

function readJson(bytes: Uint8Array): { head?: unknown; arrays?: unknown } | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/**
 * The head of a file without its arrays, for a file that this program wrote itself: checksum and version are not
 * checked. Null where the file does not begin with a head.
 */
export function readHead(format: FileFormat, readAt: ReadAt): unknown {
  const { headBytes: jsonLength } = readPrefix(format, readAt);
  return jsonLength === 0 ? null : (readJson(readAt(PREFIX_BYTES, jsonLength))?.head ?? null);
}

/** Bytes of a file's arrays that are copied at a time. */
const COPIED_BYTES = 1 << 20;

/**
 * A file with another head, piece by piece; its arrays stay as they are.
 *
 * @throws InputError FILE_DAMAGED where the file's own checksum does not match, once all its bytes were read
 */
export function* withOtherHead(
  format: FileFormat,
  readAt: ReadAt,
  sizeBytes: number,
  change: (head: unknown) => unknown,
): Generator<Uint8Array> {
  const damaged = () => new InputError("FILE_DAMAGED", `This ${format.noun} is damaged. Copy it again.`);
  const prefix = readAt(0, PREFIX_BYTES);
  const { version, headBytes } = readPrefix(format, readAt);
  const begin = readAt(0, Math.min(align(PREFIX_BYTES + headBytes), sizeBytes));
  const about = readJson(begin.subarray(PREFIX_BYTES, PREFIX_BYTES + headBytes));
  if (version === 0 || version > format.version || about === null || begin.length + CHECKSUM_BYTES > sizeBytes) {
    throw damaged();
  }
  const json = new TextEncoder().encode(JSON.stringify({ ...about, head: change(about.head) }));
  const changed = new Uint8Array(align(PREFIX_BYTES + json.length));
  changed.set(prefix);
  new DataView(changed.buffer).setUint32(12, json.length, true);
  changed.set(json, PREFIX_BYTES);
  let [oldChecksum, newChecksum] = [crc32(begin), crc32(changed)];
  yield changed;
  const end = sizeBytes - CHECKSUM_BYTES;
  for (let at = begin.length; at < end; at += COPIED_BYTES) {
    const piece = readAt(at, Math.min(COPIED_BYTES, end - at));
    [oldChecksum, newChecksum] = [crc32(piece, oldChecksum), crc32(piece, newChecksum)];
    yield piece;
  }
  if (readChecksum(readAt, sizeBytes) !== oldChecksum) throw damaged();
  const checksum = new Uint8Array(CHECKSUM_BYTES);
  new DataView(checksum.buffer).setUint32(0, newChecksum, true);
  yield checksum;
}

/** The checksum at the end of a file, which tells its content from any other; null where the file is shorter. */
export function readChecksum(readAt: ReadAt, sizeBytes: number): number | null {
  const last = readAt(Math.max(0, sizeBytes - CHECKSUM_BYTES), CHECKSUM_BYTES);
  return last.length < CHECKSUM_BYTES ? null : new DataView(last.buffer, last.byteOffset).getUint32(0, true);
}

/** The version of a file's format, and the bytes of that head; 0 for both where it is no such file. */
export function readPrefix(format: FileFormat, readAt: ReadAt): { version: number; headBytes: number } {
  const prefix = readAt(0, PREFIX_BYTES);
  if (prefix.length < PREFIX_BYTES || !hasMagic(format, prefix)) return { version: 0, headBytes: 0 };
  const fields = new DataView(prefix.buffer, prefix.byteOffset);
  return { version: fields.getUint32(8, true), headBytes: fields.getUint32(12, true) };
}

/** Whether bytes begin as a file of this format does. */
export function hasMagic(format: FileFormat, bytes: Uint8Array): boolean {
  const magic = new TextEncoder().encode(format.magic);
  return magic.every((byte, index) => bytes[index] === byte);
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
