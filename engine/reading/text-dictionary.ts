// The distinct texts of a column with their counts and first lines. They lie in the
// memory of the reading kernel, which enters and finds them.
import { decodeText } from "../csv/cell-text.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import {
  BYTE_CAPACITY,
  COUNTS,
  DICTIONARY_FIELDS,
  ENTRIES,
  ENTRY_BYTES,
  ENTRY_FIELDS,
  ENTRY_FIRST_LINE,
  ENTRY_META,
  ENTRY_SHAPE,
  ENTRY_START,
  ENTRY_VALUE,
  FURTHER,
  IS_FULL,
  MOST_SMALL,
  MOST_TEXTS,
  SIZE,
  SLOT_COUNT,
  SLOTS,
  SMALL_COUNT,
  SMALL_IDS,
  TEXT_CAPACITY,
  TEXT_LIMIT,
  TEXTS,
} from "../kernels/reading/layout.ts";

const FIRST_SLOTS = 128;
/** Bytes after a text that are read with it. */
const BYTES_BEHIND = 16;

export interface DictionarySize {
  /** 65,534 at most. */
  texts: number;
  /** Bytes of all texts in UTF-8. */
  bytes: number;
  /** Texts that it takes before `raiseLimit`; by default as many as there is room for. */
  firstTexts?: number;
}

/**
 * Distinct texts numbered by first occurrence, up to a number of texts and of bytes. Once a text did not fit, the
 * dictionary is full and takes no further one, so that its content depends on the order of cells alone.
 */
export class TextDictionary {
  readonly kernel: ReadingKernel;
  /** The address of its record, see kernels/reading/layout.ts. */
  readonly at: number;
  private fields = new Int32Array(0);
  private entries = new Int32Array(0);
  private numbers = new Float64Array(0);
  private texts = new Uint8Array(0);
  private counts = new Uint32Array(0);

  constructor(kernel: ReadingKernel, { texts, bytes, firstTexts = texts }: DictionarySize) {
    const most = Math.min(texts, MOST_TEXTS);
    this.kernel = kernel;
    const entriesAt = kernel.place(Int32Array, ENTRY_FIELDS * (most + 1), (view) => {
      this.entries = view;
      this.numbers = new Float64Array(view.buffer, view.byteOffset, view.length / 2);
    });
    const textsAt = kernel.place(Uint8Array, bytes + BYTES_BEHIND, (view) => {
      this.texts = view;
    });
    const slotsAt = kernel.place(Int32Array, mostSlots(most), () => undefined);
    const countsAt = kernel.place(Uint32Array, most, (view) => {
      this.counts = view;
    });
    const smallAt = kernel.place(Uint16Array, smallCount(most), () => undefined);
    this.at = kernel.place(Int32Array, DICTIONARY_FIELDS, (view) => {
      this.fields = view;
    });
    this.fields[TEXT_LIMIT] = Math.min(firstTexts, most);
    this.fields[TEXT_CAPACITY] = most;
    this.fields[BYTE_CAPACITY] = bytes;
    this.fields[ENTRIES] = entriesAt;
    this.fields[TEXTS] = textsAt;
    this.fields[SLOTS] = slotsAt;
    this.fields[SLOT_COUNT] = FIRST_SLOTS;
    this.fields[COUNTS] = countsAt;
    this.fields[SMALL_IDS] = smallAt;
    this.fields[SMALL_COUNT] = smallCount(most);
  }

  /**
   * Returns how many bytes of the kernel's memory a dictionary reserves. It
   * touches no more of them than its texts need.
   */
  static bytesFor({ texts, bytes }: DictionarySize): number {
    const most = Math.min(texts, MOST_TEXTS);
    return (ENTRY_BYTES + 4) * (most + 1) + bytes + 4 * mostSlots(most) + 2 * smallCount(most) + 256;
  }

  get size(): number {
    return this.fields[SIZE]!;
  }

  get isFull(): boolean {
    return this.fields[IS_FULL] === 1;
  }

  /** True where `raiseLimit` would let it take a further text. */
  get isAtLimit(): boolean {
    const { fields } = this;
    return !this.isFull && fields[SIZE] === fields[TEXT_LIMIT] && fields[TEXT_LIMIT]! < fields[TEXT_CAPACITY]!;
  }

  /** Lets it take as many texts as there is room for. */
  raiseLimit(): void {
    this.fields[TEXT_LIMIT] = this.fields[TEXT_CAPACITY]!;
  }

  /** Makes it take no further text. */
  close(): void {
    this.fields[IS_FULL] = 1;
  }

  /** From now on the counter at this address counts the texts that it does not hold; none does at 0. */
  countFurther(counterAt: number): void {
    this.fields[FURTHER] = counterAt;
  }

  /** Returns how many cells held the text. */
  countOf(id: number): number {
    return this.counts[id]!;
  }

  /** Returns the counts of all texts, by number. They lie in the kernel's memory. */
  allCounts(): Uint32Array {
    return this.counts.subarray(0, this.size);
  }

  /** Returns the physical line of the first of them. */
  firstLineOf(id: number): number {
    return this.entries[id * ENTRY_FIELDS + ENTRY_FIRST_LINE]! >>> 0;
  }

  /** Tells whether the text is a short decimal, see kernels/reading/cell-key.ts. */
  isShortDecimal(id: number): boolean {
    return this.entries[id * ENTRY_FIELDS + ENTRY_META]! >= 0;
  }

  /** Returns the shape of a plain number without needless zeros, else 0: see kernels/reading/layout.ts. */
  shapeOf(id: number): number {
    return this.entries[id * ENTRY_FIELDS + ENTRY_SHAPE]!;
  }

  /** Returns the value of a text with a shape. */
  valueOf(id: number): number {
    return this.numbers[(id * ENTRY_FIELDS + ENTRY_VALUE) / 2]!;
  }

  byteCountOf(id: number): number {
    return this.startOf(id + 1) - this.startOf(id);
  }

  /** Returns a fresh string. */
  textOf(id: number): string {
    return decodeText(this.texts, this.startOf(id), this.startOf(id + 1));
  }

  /** Returns fresh strings of all texts, by number. */
  allTexts(): string[] {
    return Array.from({ length: this.size }, (_, id) => this.textOf(id));
  }

  /** Returns the text's number; -1 where it is none of the texts. Compares it with all of them, so call it seldom. */
  find(text: string): number {
    const bytes = new TextEncoder().encode(text);
    for (let id = 0; id < this.size; id++) {
      if (this.byteCountOf(id) !== bytes.length) continue;
      const start = this.startOf(id);
      if (bytes.every((byte, at) => this.texts[start + at] === byte)) return id;
    }
    return -1;
  }

  private startOf(id: number): number {
    return this.entries[id * ENTRY_FIELDS + ENTRY_START]!;
  }
}

/** Returns a count of slots of which half stay free. */
function mostSlots(texts: number): number {
  return Math.max(FIRST_SLOTS, 2 ** Math.ceil(Math.log2(2 * (texts + 1))));
}

/** Returns how many small whole numbers have a place: no more than there may be texts. */
function smallCount(texts: number): number {
  return Math.min(MOST_SMALL, 2 ** Math.floor(Math.log2(texts + 1)));
}
