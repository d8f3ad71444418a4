// The distinct texts of a column with their counts and first lines, held as characters in one array: no cell's string is kept alive.
import { type CellKey, hashOfKey, readTextKey } from "../csv/cell-key.ts";
import { decodeCell, sameText } from "../csv/cell-text.ts";

const FIRST_TEXTS = 64;
const FIRST_CHARS = 512;
/** Characters that one call of String.fromCharCode may be given. */
const CHARS_PER_CALL = 8192;
/** A slot's low half is `id + 1`, its high half that of the text's hash. */
const ID_MASK = 0xffff;
const TAG_MASK = ~ID_MASK;
const MOST_TEXTS = ID_MASK - 1;
/** Room for the units of a short text, by how many they are: a part of an array is twice as dear to make. */
const SHORT_UNITS = Array.from({ length: 65 }, (_, length) => new Array<number>(length).fill(0));

/**
 * Distinct texts numbered by first occurrence, up to a number of texts and of characters. Once a text did not fit the
 * dictionary is `full` and takes no further one, so that what it holds depends on the order of cells alone.
 * Open addressing over 32-bit hashes; hits compare keys, and the characters themselves where a key does not say all.
 */
export interface TextDictionary {
  size: number;
  full: boolean;
  /** 65,534 at most. */
  readonly maxTexts: number;
  /** Texts that it takes before somebody raises this: `maxTexts` at most. */
  limit: number;
  readonly maxChars: number;
  /** How many cells held each text. */
  counts: Uint32Array;
  /** Physical line of the first cell that held each text. */
  firstLines: Uint32Array;
  /** The key of each text. */
  lows: Int32Array;
  metas: Int32Array;
  /** Text `id` is `chars[offsets[id]]` up to `chars[offsets[id + 1]]`, UTF-16. */
  offsets: Uint32Array;
  chars: Uint16Array;
  /** 0 for a free slot. The arrays may be longer than `size` needs, and others later. */
  slots: Int32Array;
  /** Slots that are in use, at most half of them taken: a power of two. A few texts in many slots would lie far apart. */
  slotCount: number;
}

export function createDictionary(maxTexts: number, maxChars: number, limit = maxTexts): TextDictionary {
  const most = Math.min(maxTexts, MOST_TEXTS);
  return {
    size: 0,
    full: false,
    maxTexts: most,
    limit: Math.min(limit, most),
    maxChars,
    counts: new Uint32Array(FIRST_TEXTS),
    firstLines: new Uint32Array(FIRST_TEXTS),
    lows: new Int32Array(FIRST_TEXTS),
    metas: new Int32Array(FIRST_TEXTS),
    offsets: new Uint32Array(FIRST_TEXTS + 1),
    chars: new Uint16Array(FIRST_CHARS),
    slots: new Int32Array(2 * FIRST_TEXTS),
    slotCount: 2 * FIRST_TEXTS,
  };
}

const KEY: CellKey = { low: 0, meta: 0 };

/** An unsigned 32-bit hash, low and high bits both usable. */
export function hashText(text: string): number {
  readTextKey(text, KEY);
  return hashOfKey(KEY.low, KEY.meta);
}

/** The number of a text, given its `hashText`; -1 when the dictionary does not hold it. */
export function findText(dictionary: TextDictionary, text: string, hash: number): number {
  const { slots, offsets, chars } = dictionary;
  const mask = dictionary.slotCount - 1;
  const length = text.length;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return -1;
    if (((entry ^ hash) & TAG_MASK) !== 0) continue;
    const id = (entry & ID_MASK) - 1;
    const start = offsets[id]!;
    if (offsets[id + 1]! - start !== length) continue;
    let at = 0;
    while (at < length && chars[start + at] === text.charCodeAt(at)) at++;
    if (at === length) return id;
  }
}

/** The same of a short decimal, given its key and that key's hash. */
function findDecimal(dictionary: TextDictionary, low: number, meta: number, hash: number): number {
  const { slots, lows, metas } = dictionary;
  const mask = dictionary.slotCount - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return -1;
    if (((entry ^ hash) & TAG_MASK) !== 0) continue;
    const id = (entry & ID_MASK) - 1;
    if (lows[id] === low && metas[id] === meta) return id;
  }
}

/** The same of bytes that are no short decimal, given the hash that is their key. */
function findBytes(dictionary: TextDictionary, low: number, bytes: Uint8Array, start: number, end: number): number {
  const { slots, offsets, chars } = dictionary;
  const mask = dictionary.slotCount - 1;
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return -1;
    if (((entry ^ low) & TAG_MASK) !== 0) continue;
    const id = (entry & ID_MASK) - 1;
    if (sameText(chars, offsets[id]!, offsets[id + 1]!, bytes, start, end)) return id;
  }
}

/** The same of the text of any cell in UTF-8, given its key. */
export function findCell(
  dictionary: TextDictionary,
  low: number,
  meta: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (meta >= 0) return findDecimal(dictionary, low, meta, hashOfKey(low, meta));
  return findBytes(dictionary, low, bytes, start, end);
}

/** Adds a text that `findText` did not find, with count 0; returns its number, or -1 when it did not fit. */
export function insertText(dictionary: TextDictionary, text: string, hash: number, line: number): number {
  const id = makeRoom(dictionary, text.length);
  if (id < 0) return -1;
  const { chars } = dictionary;
  const start = dictionary.offsets[id]!;
  for (let at = 0; at < text.length; at++) chars[start + at] = text.charCodeAt(at);
  readTextKey(text, KEY);
  enter(dictionary, id, KEY.low, KEY.meta, hash, line);
  return id;
}

/** The same of a cell that `findCell` did not find. */
export function insertCell(
  dictionary: TextDictionary,
  low: number,
  meta: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  line: number,
): number {
  if (dictionary.full) return -1;
  const hash = hashOfKey(low, meta);
  let seen = 0;
  for (let at = start; at < end; at++) seen |= bytes[at]!;
  if (seen >= 0x80) return insertText(dictionary, decodeCell(bytes, start, end), hash, line);
  const id = makeRoom(dictionary, end - start);
  if (id < 0) return -1;
  const { chars } = dictionary;
  const shift = dictionary.offsets[id]! - start;
  for (let at = start; at < end; at++) chars[at + shift] = bytes[at]!;
  enter(dictionary, id, low, meta, hash, line);
  return id;
}

/** Whether it could take a further text under a higher limit. */
export function isAtLimit({ size, full, limit, maxTexts }: TextDictionary): boolean {
  return !full && size === limit && limit < maxTexts;
}

/** The number of a text to come, of so many characters; -1 where it does not fit. */
function makeRoom(dictionary: TextDictionary, charCount: number): number {
  const id = dictionary.size;
  if (isAtLimit(dictionary)) return -1;
  const end = dictionary.offsets[id]! + charCount;
  if (dictionary.full || id >= dictionary.maxTexts || end > dictionary.maxChars) {
    dictionary.full = true;
    return -1;
  }
  if (id === dictionary.counts.length) growTexts(dictionary);
  if (2 * id >= dictionary.slotCount) growSlots(dictionary);
  if (end > dictionary.chars.length) growChars(dictionary, end);
  dictionary.offsets[id + 1] = end;
  return id;
}

function enter(dictionary: TextDictionary, id: number, low: number, meta: number, hash: number, line: number): void {
  dictionary.lows[id] = low;
  dictionary.metas[id] = meta;
  dictionary.firstLines[id] = line;
  dictionary.size = id + 1;
  occupySlot(dictionary, hash, id);
}

/**
 * Two of the 32 bits of a word are 1 for each text, word and bits by its hash: where they are not, no text has that hash. A
 * quarter of the size of the slots, so that it stays at hand.
 */
export function textFilter({ size, lows, metas, slotCount }: TextDictionary): Uint32Array {
  const filter = new Uint32Array(slotCount / 4);
  for (let id = 0; id < size; id++) {
    const hash = hashOfKey(lows[id]!, metas[id]!);
    filter[(hash >>> 10) & (filter.length - 1)]! |= (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
  }
  return filter;
}

/** A fresh string of text `id`. */
export function textAt(dictionary: TextDictionary, id: number): string {
  const start = dictionary.offsets[id]!;
  const end = dictionary.offsets[id + 1]!;
  const units = SHORT_UNITS[end - start];
  if (units !== undefined) {
    for (let at = start; at < end; at++) units[at - start] = dictionary.chars[at]!;
    return Reflect.apply(String.fromCharCode, null, units);
  }
  if (end - start <= CHARS_PER_CALL)
    return Reflect.apply(String.fromCharCode, null, dictionary.chars.subarray(start, end));
  let text = "";
  for (let at = start; at < end; at += CHARS_PER_CALL) {
    text += Reflect.apply(String.fromCharCode, null, dictionary.chars.subarray(at, Math.min(end, at + CHARS_PER_CALL)));
  }
  return text;
}

/** Fresh strings of all texts, by number. */
export function allTexts(dictionary: TextDictionary): string[] {
  return Array.from({ length: dictionary.size }, (_, id) => textAt(dictionary, id));
}

/** Enters all texts in the slots anew. */
export function fillSlots(dictionary: TextDictionary): void {
  const { size, lows, metas, slots, slotCount } = dictionary;
  slots.fill(0, 0, slotCount);
  for (let id = 0; id < size; id++) occupySlot(dictionary, hashOfKey(lows[id]!, metas[id]!), id);
}

function occupySlot({ slots, slotCount }: TextDictionary, hash: number, id: number): void {
  const mask = slotCount - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = (hash & TAG_MASK) | (id + 1);
}

function growTexts(dictionary: TextDictionary): void {
  const { size } = dictionary;
  const capacity = Math.min(2 * size, dictionary.maxTexts);
  const { lows, metas } = dictionary;
  dictionary.counts = grown(dictionary.counts, capacity);
  dictionary.firstLines = grown(dictionary.firstLines, capacity);
  dictionary.offsets = grown(dictionary.offsets, capacity + 1);
  dictionary.lows = new Int32Array(capacity);
  dictionary.metas = new Int32Array(capacity);
  dictionary.lows.set(lows);
  dictionary.metas.set(metas);
}

/** Has twice as many slots in use. */
export function growSlots(dictionary: TextDictionary): void {
  dictionary.slotCount *= 2;
  if (dictionary.slotCount > dictionary.slots.length) dictionary.slots = new Int32Array(dictionary.slotCount);
  fillSlots(dictionary);
}

function grown(values: Uint32Array, length: number): Uint32Array {
  const longer = new Uint32Array(length);
  longer.set(values);
  return longer;
}

function growChars(dictionary: TextDictionary, end: number): void {
  const capacity = Math.min(Math.max(2 * dictionary.chars.length, end), dictionary.maxChars);
  const chars = new Uint16Array(capacity);
  chars.set(dictionary.chars);
  dictionary.chars = chars;
}
