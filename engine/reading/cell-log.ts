// Logs what the first pass found in each cell of a column, in order, so that the file need not be read again.

/**
 * Runs of this many cells or more are kept as they come. Shorter ones are joined: an array for each took more memory
 * than its cells.
 */
const MANY_CELLS = 256;
/** The numbers of fewer texts than these fit a byte each. */
const FEW_TEXTS = 256;

/** Consecutive cells: the numbers of their texts in the column's dictionary, or values as `findCells` leaves them. */
export type LoggedCells = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * Counts the bytes that the logs of a table share. If they run out, all logs are void, since a part of them is of no
 * use.
 */
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

/** Logs numbers of texts while the dictionary holds every cell of a run, and values from the first other run on. */
export class CellLog {
  private readonly buffer: LogBuffer;
  private readonly parts: LoggedCells[] = [];
  /** Holds the last `size` cells. */
  private open: Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer> = new Uint16Array(MANY_CELLS);
  private size = 0;
  private textCount = 0;

  constructor(buffer: LogBuffer) {
    this.buffer = buffer;
  }

  /** True where the dictionary does not hold every cell. */
  get hasValues(): boolean {
    return this.open instanceof Float64Array;
  }

  /**
   * Adds a run of cells as `findCells` leaves them. `areTexts`: the dictionary
   * holds all of them. `textCount`: its texts by now.
   */
  add(ids: Uint16Array, values: Float64Array, areTexts: boolean, textCount: number): void {
    this.textCount = textCount;
    if (!this.hasValues && !areTexts) {
      this.seal();
      this.open = new Float64Array(MANY_CELLS);
    }
    const cells = this.hasValues ? values : ids;
    if (this.size + cells.length > MANY_CELLS) this.seal();
    if (cells.length >= MANY_CELLS) this.keepCopy(cells);
    else {
      this.open.set(cells, this.size);
      this.size += cells.length;
    }
  }

  /** Returns all cells in order; null where the table's logs are void. */
  peek(): readonly LoggedCells[] | null {
    this.seal();
    return this.buffer.isSpent ? null : this.parts;
  }

  /** Returns all cells in order and forgets them; null where the table's logs are void. */
  take(): LoggedCells[] | null {
    this.seal();
    return this.buffer.isSpent ? null : this.parts.splice(0);
  }

  private seal(): void {
    if (this.size > 0) this.keepCopy(this.open.subarray(0, this.size));
    this.size = 0;
  }

  private keepCopy(cells: Uint16Array | Float64Array): void {
    const { parts, buffer } = this;
    if (buffer.isSpent) {
      for (const part of parts.splice(0)) part.buffer.transfer(0);
      return;
    }
    const isFew = cells instanceof Uint16Array && this.textCount <= FEW_TEXTS;
    const copy = isFew ? new Uint8Array(cells) : cells.slice();
    parts.push(copy);
    buffer.take(copy.byteLength);
  }
}
