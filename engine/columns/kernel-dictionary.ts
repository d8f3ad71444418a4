// The dictionary of a column in the memory of the reading kernel, which counts and finds the texts of many cells at a time.
import { digitCountOf, fractionDigitsOf, signOf } from "../csv/cell-key.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/shapes.ts";
import type { BatchRoom } from "./batch-room.ts";
import { fillSlots, growSlots, type TextDictionary, textFilter } from "./text-dictionary.ts";

/** Fields of its record, 4 bytes each: those of kernels/dictionary.ts, in its order. */
const FIELD_COUNT = 16;
const SLOT_MASK = 1;
const FILTER = 5;
const FILTER_MASK = 6;
const SIZE = 10;
const LIMIT = 11;
const IS_FULL = 13;
/** Of each text that there may be: `lows`, `metas`, `counts`, `offsets`, `firstLines`. */
const TEXT_BYTES = 20;
const CHAR_BYTES = 2;
const SLOT_BYTES = 4;
/** Whole numbers that have a place of their own at most, and bytes of each. */
const MOST_SMALL = 16_384;
const SMALL_BYTES = 2;

export class KernelDictionary {
  readonly kernel: ReadingKernel;
  readonly recordAt: number;
  private readonly dictionary: TextDictionary;
  private fields = new Int32Array(0);

  /** Has all arrays of the dictionary lie in the kernel's memory from now on, as long as they may become. */
  constructor(kernel: ReadingKernel, dictionary: TextDictionary) {
    this.kernel = kernel;
    this.dictionary = dictionary;
    const fields = place(kernel, dictionary);
    this.recordAt = kernel.place(Int32Array, FIELD_COUNT, (own) => {
      this.fields = own;
    });
    this.fields.set(fields);
  }

  /** Bytes of the kernel's memory that a dictionary takes, though it uses no more of them than its texts need. */
  static bytesFor(dictionary: TextDictionary): number {
    const { maxTexts, maxChars } = dictionary;
    return (
      TEXT_BYTES * (maxTexts + 1) +
      CHAR_BYTES * maxChars +
      SLOT_BYTES * mostSlots(dictionary) +
      SMALL_BYTES * smallCount(maxTexts) +
      4 * FIELD_COUNT
    );
  }

  /**
   * Counts the cells of one column of a batch from a row on, and enters new texts: up to the first that does not fit, or is new
   * and not all ASCII. Returns its row; the numbers of the texts before it are in the room.
   */
  count(batch: CellBatch, column: number, from: number, { idsAt }: BatchRoom): number {
    const { kernel, fields, dictionary, recordAt } = this;
    const { recordCount, firstLine, stride } = batch;
    const cellsAt = kernel.columnAt(column, stride);
    fields[SIZE] = dictionary.size;
    fields[LIMIT] = dictionary.limit;
    fields[IS_FULL] = Number(dictionary.full);
    let row = from;
    for (;;) {
      fields[SLOT_MASK] = dictionary.slotCount - 1;
      row = kernel.exports.countCells(recordAt, cellsAt, kernel.bytesAt, row, recordCount, firstLine, idsAt);
      dictionary.size = fields[SIZE]!;
      if (row === recordCount || 2 * dictionary.size < dictionary.slotCount) break;
      growSlots(dictionary);
    }
    dictionary.full = fields[IS_FULL] === 1;
    return row;
  }

  /** Writes the numbers of the texts of one column to `idsAt`, -1 where there is none or one that is not all ASCII. */
  find(batch: CellBatch, column: number, idsAt: number): void {
    const { kernel, fields, dictionary, recordAt } = this;
    fields[SLOT_MASK] = dictionary.slotCount - 1;
    kernel.exports.findIds(recordAt, kernel.columnAt(column, batch.stride), kernel.bytesAt, batch.recordCount, idsAt);
  }

  /** The dictionary takes no further text: from now on a filter can tell those that it does not hold. */
  close(): void {
    const filter = textFilter(this.dictionary);
    const filterAt = this.kernel.move(Uint32Array, filter);
    this.fields[SIZE] = this.dictionary.size;
    this.fields[SLOT_MASK] = this.dictionary.slotCount - 1;
    this.fields[FILTER] = filterAt;
    this.fields[FILTER_MASK] = filter.length - 1;
  }
}

/** Of which half are free whatever is entered. */
function mostSlots({ maxTexts, slotCount }: TextDictionary): number {
  return Math.max(slotCount, 2 ** Math.ceil(Math.log2(2 * (maxTexts + 1))));
}

/** No more than there may be texts, where columns are very many. */
function smallCount(maxTexts: number): number {
  return Math.min(MOST_SMALL, 2 ** Math.floor(Math.log2(maxTexts + 1)));
}

/** One more than the number of each small whole number's text, as it is mostly written; 0 where there is none. */
function smallIdsOf({ size, lows, metas, maxTexts }: TextDictionary): Uint16Array {
  const ids = new Uint16Array(smallCount(maxTexts));
  for (let id = 0; id < size; id++) {
    const low = lows[id]!;
    const meta = metas[id]!;
    const isWhole = meta >= 0 && signOf(meta) === 0 && fractionDigitsOf(meta) < 0;
    if (isWhole && low < ids.length && digitCountOf(meta) === String(low).length) ids[low] = id + 1;
  }
  return ids;
}

/** Moves the arrays; the fields of the record. */
function place(kernel: ReadingKernel, dictionary: TextDictionary): number[] {
  const { maxTexts, maxChars } = dictionary;
  const capacity = Math.max(maxTexts, dictionary.lows.length);
  const slots = kernel.place(Int32Array, mostSlots(dictionary), (own) => {
    dictionary.slots = own;
  });
  fillSlots(dictionary);
  const lows = kernel.extend(Int32Array, dictionary.lows, capacity, (own) => {
    dictionary.lows = own;
  });
  const metas = kernel.extend(Int32Array, dictionary.metas, capacity, (own) => {
    dictionary.metas = own;
  });
  const counts = kernel.extend(Uint32Array, dictionary.counts, capacity, (own) => {
    dictionary.counts = own;
  });
  const offsets = kernel.extend(Uint32Array, dictionary.offsets, capacity + 1, (own) => {
    dictionary.offsets = own;
  });
  const chars = kernel.extend(Uint16Array, dictionary.chars, Math.max(maxChars, dictionary.chars.length), (own) => {
    dictionary.chars = own;
  });
  const firstLines = kernel.extend(Uint32Array, dictionary.firstLines, capacity, (own) => {
    dictionary.firstLines = own;
  });
  const mask = dictionary.slotCount - 1;
  const smallIds = kernel.move(Uint16Array, smallIdsOf(dictionary));
  const smallMask = smallCount(maxTexts) - 1;
  const own = [slots, mask, lows, metas, counts, 0, 0, offsets, chars, firstLines, 0, 0, maxChars, 0];
  return [...own, smallIds, smallMask];
}
