// The dictionary of a column's texts: engine/columns/text-dictionary.ts, of which these are the tables.
import { at, put, touch } from "./memory.ts";

const ID_MASK: i32 = 0xffff;

/** Its addresses begin the column's record, in this order. */
class Dictionary {
  static slots: usize = 0;
  static slotMask: i32 = 0;
  static lows: usize = 0;
  static metas: usize = 0;
  static counts: usize = 0;
  static filter: usize = 0;
  static filterMask: u32 = 0;
  static offsets: usize = 0;
  static chars: usize = 0;
}

export function openDictionary(record: usize, isMany: bool): void {
  Dictionary.slots = at<u32>(record, 0);
  Dictionary.slotMask = at<i32>(record, 1);
  Dictionary.lows = at<u32>(record, 2);
  Dictionary.metas = at<u32>(record, 3);
  Dictionary.counts = at<u32>(record, 4);
  Dictionary.filter = at<u32>(record, 5);
  Dictionary.filterMask = at<u32>(record, 6);
  Dictionary.offsets = at<u32>(record, 7);
  Dictionary.chars = at<u32>(record, 8);
  if (isMany) touch(Dictionary.filter, usize(Dictionary.filterMask + 1) << 2);
}

/** False where no text of the dictionary has this hash. */
export function mayHold(hash: u32): bool {
  const bits = (u32(1) << (hash & 31)) | (u32(1) << ((hash >> 5) & 31));
  return (bits & ~load<u32>(Dictionary.filter + (usize((hash >> 10) & Dictionary.filterMask) << 2))) === 0;
}

/**
 * Has the memory of what many texts may be found by fetched at once, where one by one would each wait for the one before.
 * `rows`: i32; `hashes`: u32 of each row.
 */
export function fetchIds(rows: usize, count: i32, hashes: usize): i32 {
  let sum = 0;
  for (let place = 0; place < count; place++) {
    sum += at<i32>(Dictionary.slots, at<i32>(hashes, at<i32>(rows, place)) & Dictionary.slotMask);
  }
  for (let place = 0; place < count; place++) {
    const hash = at<i32>(hashes, at<i32>(rows, place));
    const entry = at<i32>(Dictionary.slots, hash & Dictionary.slotMask);
    if (entry === 0 || ((entry ^ hash) & ~ID_MASK) !== 0) continue;
    const id = (entry & ID_MASK) - 1;
    sum += at<i32>(Dictionary.lows, id) + at<i32>(Dictionary.metas, id) + at<i32>(Dictionary.counts, id);
  }
  return sum;
}

/** Counts a cell of the text of this number. */
export function countId(id: i32): void {
  put<i32>(Dictionary.counts, id, at<i32>(Dictionary.counts, id) + 1);
}

export function findDecimal(hash: u32, low: i32, meta: i32): i32 {
  const mask = Dictionary.slotMask;
  let slot = i32(hash) & mask;
  let entry = at<i32>(Dictionary.slots, slot);
  while (entry !== 0) {
    if (((entry ^ i32(hash)) & ~ID_MASK) === 0) {
      const id = (entry & ID_MASK) - 1;
      if (at<i32>(Dictionary.lows, id) === low && at<i32>(Dictionary.metas, id) === meta) return id;
    }
    slot = (slot + 1) & mask;
    entry = at<i32>(Dictionary.slots, slot);
  }
  return -1;
}

/** Finds texts of ASCII alone. */
export function findText(hash: u32, start: usize, end: usize): i32 {
  const mask = Dictionary.slotMask;
  let slot = i32(hash) & mask;
  let entry = at<i32>(Dictionary.slots, slot);
  while (entry !== 0) {
    const id = (entry & ID_MASK) - 1;
    if (((entry ^ i32(hash)) & ~ID_MASK) === 0 && isText(id, start, end)) return id;
    slot = (slot + 1) & mask;
    entry = at<i32>(Dictionary.slots, slot);
  }
  return -1;
}

function isText(id: i32, start: usize, end: usize): bool {
  const from = at<u32>(Dictionary.offsets, id);
  const length: usize = at<u32>(Dictionary.offsets, id + 1) - from;
  if (length !== end - start) return false;
  const chars = Dictionary.chars + (usize(from) << 1);
  for (let place: usize = 0; place < length; place++) {
    const byte: u16 = load<u8>(start + place);
    if (byte >= 0x80 || load<u16>(chars + (place << 1)) !== byte) return false;
  }
  return true;
}
