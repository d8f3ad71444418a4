// What the first pass found in each cell of a column, in order, so that the second need not read the file again.
import type { BatchRoom } from "./batch-room.ts";
import type { TextDictionary } from "./text-dictionary.ts";

const FIRST_CELLS = 64;
/** From so many on, cells that come together stay together. */
const MANY_CELLS = 1024;
/** Texts whose numbers fit a byte. */
const FEW_TEXTS = 256;
/** The lower half of a NaN that is no text of the dictionary. */
export const NO_TEXT = -1;
/** The upper half of it, and of one that is. See kernels/rows.ts. */
const NO_VALUE = 0x7ff8_0000;
/** Of decimals that are tried to be packed: up to nine digits behind the point. */
const POWERS = Array.from({ length: 10 }, (_, digits) => 10 ** digits);

/** Cells side by side. */
export type LoggedCells =
  /** The numbers of their texts in the column's dictionary. */
  | { kind: "texts"; cells: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> }
  /** Where a cell is none, a NaN has the number of its text in its lower half, or `NO_TEXT`. */
  | { kind: "values"; cells: Float64Array<ArrayBuffer> }
  /** The same packed, see kernels/decimals.ts. */
  | { kind: "decimals"; cells: Int32Array<ArrayBuffer>; power: number };

/** What the logs of a table may take together. Where that is too little all are void, for one is of no use without the others. */
export class LogRoom {
  private bytesLeft: number;

  constructor(bytes: number) {
    this.bytesLeft = bytes;
  }

  get isSpent(): boolean {
    return this.bytesLeft < 0;
  }

  take(bytes: number): void {
    this.bytesLeft -= bytes;
  }
}

/** Texts up to the first cell that the dictionary does not hold, values from there on. */
export class CellLog {
  private readonly room: LogRoom;
  private readonly dictionary: TextDictionary;
  private readonly parts: LoggedCells[] = [];
  /** The last cells, `size` of them. */
  private open: Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer> = new Uint16Array(FIRST_CELLS);
  /** Those of `open`. */
  private words = new Int32Array(this.open.buffer);
  private size = 0;
  /** Of the decimals packed last; 0 once values were none. */
  private power = 1;

  constructor(room: LogRoom, dictionary: TextDictionary) {
    this.room = room;
    this.dictionary = dictionary;
  }

  /** True where the dictionary does not hold every cell. */
  get hasValues(): boolean {
    return this.open instanceof Float64Array;
  }

  /** A cell whose text the dictionary holds. */
  addText(id: number): void {
    const { open } = this;
    if (open instanceof Float64Array) this.addMark(id);
    else {
      open[this.size++] = id;
      if (this.size === open.length) this.makeRoom();
    }
  }

  /** Any other. `value`: of the cell as a plain number, NaN where it is none. */
  addValue(value: number): void {
    const open = this.openValues();
    if (!Number.isFinite(value)) this.addMark(NO_TEXT);
    else {
      open[this.size++] = value;
      if (this.size === open.length) this.makeRoom();
    }
  }

  /** The numbers of many texts that the dictionary holds. */
  addTexts(ids: Uint16Array): void {
    if (this.open instanceof Uint16Array) this.addMany(ids);
    else for (const id of ids) this.addText(id);
  }

  /** Digits behind the point that the next numbers may come packed with; -1 for values. */
  get packedDigits(): number {
    return this.power === 0 || this.room.isSpent ? -1 : POWERS.indexOf(this.power);
  }

  /** What the kernel took in of one column of a batch: values or, where `isPacked`, decimals of `packedDigits`. */
  addRows(room: BatchRoom, from: number, to: number, isPacked: boolean): void {
    if (from === to) return;
    this.openValues();
    const isMany = to - from >= MANY_CELLS && !this.room.isSpent;
    if (isMany && (isPacked || this.pack(room, from, to))) {
      this.seal();
      this.keep({ kind: "decimals", cells: room.packed.slice(from, to), power: this.power });
    } else if (!isPacked) this.addMany(room.values.subarray(from, to));
    else for (const multiple of room.packed.subarray(from, to)) this.addValue(multiple / this.power);
  }

  /** Gives all cells away, in order; null where the table's logs are void. */
  take(): LoggedCells[] | null {
    this.seal();
    return this.room.isSpent ? null : this.parts.splice(0);
  }

  private openValues(): Float64Array<ArrayBuffer> {
    if (this.open instanceof Float64Array) return this.open;
    this.seal();
    const values = new Float64Array(FIRST_CELLS);
    this.turnTo(values);
    return values;
  }

  private turnTo(open: Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer>): void {
    this.open = open;
    this.words = new Int32Array(open.buffer);
  }

  /** Written as bits: what a NaN tells is not sure to outlive its being a number. */
  private addMark(id: number): void {
    const at = 2 * this.size++;
    this.words[at] = id;
    this.words[at + 1] = NO_VALUE;
    if (this.size === this.open.length) this.makeRoom();
  }

  /** Cells of the kind that `open` has. */
  private addMany(cells: Uint16Array | Float64Array): void {
    if (cells.length >= MANY_CELLS) {
      this.seal();
      this.keepCopy(cells);
      return;
    }
    for (let from = 0; from < cells.length; ) {
      const to = Math.min(from + this.open.length - this.size, cells.length);
      this.open.set(cells.subarray(from, to), this.size);
      this.size += to - from;
      from = to;
      if (this.size === this.open.length) this.makeRoom();
    }
  }

  private makeRoom(): void {
    const { open } = this;
    if (open.length === MANY_CELLS) this.seal();
    else {
      const cells = 2 * open.length;
      this.turnTo(open instanceof Uint16Array ? new Uint16Array(cells) : new Float64Array(cells));
      this.open.set(open);
    }
  }

  private seal(): void {
    if (this.size > 0) this.keepCopy(this.open.subarray(0, this.size));
    this.size = 0;
  }

  private keepCopy(cells: Uint16Array | Float64Array): void {
    if (this.room.isSpent) this.drop();
    else if (cells instanceof Float64Array) this.keep({ kind: "values", cells: cells.slice() });
    else {
      const isFew = this.dictionary.size <= FEW_TEXTS;
      this.keep({ kind: "texts", cells: isFew ? new Uint8Array(cells) : cells.slice() });
    }
  }

  private keep(part: LoggedCells): void {
    const { room, parts } = this;
    parts.push(part);
    room.take(part.cells.byteLength);
  }

  private drop(): void {
    for (const { cells } of this.parts.splice(0)) cells.buffer.transfer(0);
  }

  /** Packs rows under the power of those before or, where that is too small, the first that will do; false without any. */
  private pack(room: BatchRoom, from: number, to: number): boolean {
    const power = POWERS.find((own) => this.power > 0 && own >= this.power && room.pack(from, to, own));
    this.power = power ?? 0;
    return power !== undefined;
  }
}
