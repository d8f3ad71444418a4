// What the first pass found in each cell of a column, in order, so that the file need not be read again.

const FIRST_CELLS = 64;
/** From so many on, cells that come together stay together. */
const MANY_CELLS = 1024;
/** Texts whose numbers fit a byte. */
const FEW_TEXTS = 256;

/** Cells side by side: the numbers of their texts in the column's dictionary, or values as `findCells` leaves them. */
export type LoggedCells = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** What the logs of a table may take together. Where that is too little all are void, for one is of no use without the others. */
export class LogBuffer {
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

/** Texts up to the first run of cells that the dictionary does not hold all of, values from there on. */
export class CellLog {
  private readonly room: LogBuffer;
  private readonly parts: LoggedCells[] = [];
  /** The last cells, `size` of them. */
  private open: Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer> = new Uint16Array(FIRST_CELLS);
  private size = 0;
  private textCount = 0;

  constructor(room: LogBuffer) {
    this.room = room;
  }

  /** True where the dictionary does not hold every cell. */
  get hasValues(): boolean {
    return this.open instanceof Float64Array;
  }

  /** A run of cells as `findCells` leaves them, all of them texts or not. `textCount`: of the dictionary by now. */
  add(ids: Uint16Array, values: Float64Array, areTexts: boolean, textCount: number): void {
    this.textCount = textCount;
    if (!this.hasValues && !areTexts) {
      this.seal();
      this.open = new Float64Array(FIRST_CELLS);
    }
    const cells = this.hasValues ? values : ids;
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

  /** Gives all cells away, in order; null where the table's logs are void. */
  take(): LoggedCells[] | null {
    this.seal();
    return this.room.isSpent ? null : this.parts.splice(0);
  }

  private makeRoom(): void {
    const { open } = this;
    if (open.length === MANY_CELLS) this.seal();
    else {
      const cells = 2 * open.length;
      this.open = open instanceof Uint16Array ? new Uint16Array(cells) : new Float64Array(cells);
      this.open.set(open);
    }
  }

  private seal(): void {
    if (this.size > 0) this.keepCopy(this.open.subarray(0, this.size));
    this.size = 0;
  }

  private keepCopy(cells: Uint16Array | Float64Array): void {
    const { parts, room } = this;
    if (room.isSpent) {
      for (const { buffer } of parts.splice(0)) buffer.transfer(0);
      return;
    }
    const isFew = cells instanceof Uint16Array && this.textCount <= FEW_TEXTS;
    const copy = isFew ? new Uint8Array(cells) : cells.slice();
    parts.push(copy);
    room.take(copy.byteLength);
  }
}
