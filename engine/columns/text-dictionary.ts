// The distinct texts of a column with their counts and first lines, held as characters in one array: no cell's string is kept alive.

const FIRST_TEXTS = 64;
const FIRST_CHARS = 512;
/** Characters that one call of String.fromCharCode may be given. */
const CHARS_PER_CALL = 8192;

/**
 * Distinct texts numbered by first occurrence, up to a number of texts and of characters. Once a text did not fit the
 * dictionary is `full` and takes no further one, so that what it holds depends on the order of cells alone.
 * Open addressing over 32-bit hashes; hits compare the characters themselves.
 */
export interface TextDictionary {
  size: number;
  full: boolean;
  readonly maxTexts: number;
  readonly maxChars: number;
  /** How many cells held each text. */
  counts: Uint32Array;
  /** Physical line of the first cell that held each text. */
  firstLines: Uint32Array;
  hashes: Uint32Array;
  /** Text `id` is `chars[offsets[id]]` up to `chars[offsets[id + 1]]`, UTF-16. */
  offsets: Uint32Array;
  chars: Uint16Array;
  /** `id + 1`, or 0 for a free slot; a power of two long and at most half full. */
  slots: Int32Array;
}

export function createDictionary(maxTexts: number, maxChars: number): TextDictionary {
  return {
    size: 0,
    full: false,
    maxTexts,
    maxChars,
    counts: new Uint32Array(FIRST_TEXTS),
    firstLines: new Uint32Array(FIRST_TEXTS),
    hashes: new Uint32Array(FIRST_TEXTS),
    offsets: new Uint32Array(FIRST_TEXTS + 1),
    chars: new Uint16Array(FIRST_CHARS),
    slots: new Int32Array(2 * FIRST_TEXTS),
  };
}

/** A 32-bit hash: FNV-1a over the UTF-16 units, then mixed so that low and high bits are both usable. */
export function hashText(text: string): number {
  const length = text.length;
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The number of a text, given its `hashText`; -1 when the dictionary does not hold it. */
export function findText(dictionary: TextDictionary, text: string, hash: number): number {
  const { slots, hashes, offsets, chars } = dictionary;
  const mask = slots.length - 1;
  const length = text.length;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = slots[slot]! - 1;
    if (id < 0) return -1;
    if (hashes[id] !== hash) continue;
    const start = offsets[id]!;
    if (offsets[id + 1]! - start !== length) continue;
    let at = 0;
    while (at < length && chars[start + at] === text.charCodeAt(at)) at++;
    if (at === length) return id;
  }
}

/** Adds a text that `findText` did not find, with count 0; returns its number, or -1 when it did not fit. */
export function insertText(dictionary: TextDictionary, text: string, hash: number, line: number): number {
  const id = dictionary.size;
  const start = dictionary.offsets[id]!;
  const end = start + text.length;
  if (dictionary.full || id >= dictionary.maxTexts || end > dictionary.maxChars) {
    dictionary.full = true;
    return -1;
  }
  if (id === dictionary.counts.length) growTexts(dictionary);
  if (end > dictionary.chars.length) growChars(dictionary, end);
  const { chars } = dictionary;
  for (let at = start; at < end; at++) chars[at] = text.charCodeAt(at - start);
  dictionary.offsets[id + 1] = end;
  dictionary.hashes[id] = hash;
  dictionary.firstLines[id] = line;
  dictionary.size = id + 1;
  occupySlot(dictionary.slots, hash, id);
  return id;
}

/** A fresh string of text `id`. */
export function textAt(dictionary: TextDictionary, id: number): string {
  const start = dictionary.offsets[id]!;
  const end = dictionary.offsets[id + 1]!;
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

function occupySlot(slots: Int32Array, hash: number, id: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = id + 1;
}

function growTexts(dictionary: TextDictionary): void {
  const { size } = dictionary;
  const capacity = Math.min(2 * size, dictionary.maxTexts);
  const counts = new Uint32Array(capacity);
  const firstLines = new Uint32Array(capacity);
  const hashes = new Uint32Array(capacity);
  const offsets = new Uint32Array(capacity + 1);
  counts.set(dictionary.counts);
  firstLines.set(dictionary.firstLines);
  hashes.set(dictionary.hashes);
  offsets.set(dictionary.offsets);
  dictionary.counts = counts;
  dictionary.firstLines = firstLines;
  dictionary.hashes = hashes;
  dictionary.offsets = offsets;
  const slots = new Int32Array(2 * dictionary.slots.length);
  for (let id = 0; id < size; id++) occupySlot(slots, hashes[id]!, id);
  dictionary.slots = slots;
}

function growChars(dictionary: TextDictionary, end: number): void {
  const capacity = Math.min(Math.max(2 * dictionary.chars.length, end), dictionary.maxChars);
  const chars = new Uint16Array(capacity);
  chars.set(dictionary.chars);
  dictionary.chars = chars;
}
