// The first pass over a column whose dictionary takes no further text: counts what it holds, and takes evidence of other numbers.
import {
  closeEvidence,
  hasNeedlessZero,
  noteLong,
  noteShort,
  noteValue,
  openEvidence,
  prepareEvidence,
  shapeAt,
} from "./column-evidence.ts";
import {
  addHashes,
  closeDistinct,
  hashOf,
  needsSecond,
  openDistinct,
  prepareDistinct,
  secondHashOf,
  secondHashOfText,
} from "./distinct.ts";
import { at, put, touch } from "./memory.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";

const CELL_BYTES: usize = 16;
/** With more rows than this, most of a table is needed. */
const MANY_ROWS: i32 = 4096;
const ID_MASK: i32 = 0xffff;

/** The column's dictionary: engine/columns/text-dictionary.ts. Its addresses begin the column's record, in this order. */
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

export function prepareOverflow(): void {
  prepareDistinct();
  prepareEvidence();
}

/**
 * Takes in the rows `[from, to)` of a column as far as it can: to the first cell that is neither in the dictionary nor a plain
 * number without needless zeros. Returns how far that was. `record`: where all of the column lies, see
 * engine/columns/frozen-column.ts; `rowHashes`: u32 of each row, for the sample.
 */
export function scan(record: usize, cells: usize, bytes: usize, rowHashes: usize, from: i32, to: i32): i32 {
  const isMany = to - from > MANY_ROWS;
  openDictionary(record, isMany);
  openDistinct(record, isMany);
  openEvidence(record);
  let row = from;
  let cell = cells + usize(from) * CELL_BYTES;
  for (; row < to; row++, cell += CELL_BYTES) {
    const low = load<i32>(cell, 8);
    const meta = load<i32>(cell, 12);
    const start = bytes + load<u32>(cell);
    const end = bytes + load<u32>(cell, 4);
    const hash = meta < 0 ? u32(low) : hashOf(low, meta);
    if (mayHold(hash)) {
      const id = meta < 0 ? findText(hash, start, end) : findDecimal(hash, low, meta);
      if (id >= 0) {
        put<i32>(Dictionary.counts, id, at<i32>(Dictionary.counts, id) + 1);
        continue;
      }
    }
    const rowHash = at<u32>(rowHashes, row);
    if (meta >= 0) {
      const shape = shapeAt(meta);
      if (hasNeedlessZero(shape, low, meta)) break;
      const value = decimalValue(low, meta);
      noteValue(value, row, rowHash, noteShort(shape, low, meta, value));
      addHashes(hash, secondHashOf(low, meta));
    } else {
      if (!readLongNumber(start, end)) break;
      noteValue(LongNumber.value, row, rowHash, noteLong(u32(end - start)));
      addHashes(hash, needsSecond(hash) ? secondHashOfText(start, end) : 0);
    }
  }
  closeDistinct(record);
  closeEvidence(record);
  return row;
}

function openDictionary(record: usize, isMany: bool): void {
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
function mayHold(hash: u32): bool {
  const bits = (u32(1) << (hash & 31)) | (u32(1) << ((hash >> 5) & 31));
  return (bits & ~load<u32>(Dictionary.filter + (usize((hash >> 10) & Dictionary.filterMask) << 2))) === 0;
}

function findDecimal(hash: u32, low: i32, meta: i32): i32 {
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
function findText(hash: u32, start: usize, end: usize): i32 {
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
