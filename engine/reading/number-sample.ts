// Samples a column's number cells by row. Levels come from the sample where a column has too many distinct values to list.

import {
  bodyBit,
  decimalNumber,
  FITS_DECIMAL_COMMA,
  FITS_PLAIN,
  fittingBodies,
  type NumberForm,
  splitAffix,
} from "../columns/numbers.ts";
import { parsePlainNumber } from "../columns/plain-number.ts";
import { SHAPE_COUNT } from "../kernels/layout.ts";
import { deriveSeed } from "../random.ts";
import { bodiesOf, hasPoint } from "./number-shape.ts";

const SEED = 0x43757065;
const HAS_AFFIX = 16;
const HAS_SEPARATOR = 32;

/** Draws rows of one batch by their hashes: at depth d, the rows whose hash begins with d zero bits. */
export class RowDraw {
  hashes = new Uint32Array(0);
  private count = 0;
  /** By depth, filled when asked for. */
  private readonly drawn: (Int32Array | undefined)[] = [];

  turnTo(firstIndex: number, count: number): void {
    if (this.hashes.length < count) this.hashes = new Uint32Array(count);
    for (let row = 0; row < count; row++) this.hashes[row] = deriveSeed(SEED, firstIndex + row);
    this.count = count;
    this.drawn.length = 0;
  }

  /** Returns the rows drawn at a depth, ascending. */
  rowsAt(depth: number): Int32Array {
    const found = this.drawn[depth];
    if (found !== undefined) return found;
    const rows = new Int32Array(this.count);
    const most = 0xffff_ffff >>> depth;
    let size = 0;
    for (let row = 0; row < this.count; row++) if (this.hashes[row]! <= most) rows[size++] = row;
    this.drawn[depth] = rows.subarray(0, size);
    return this.drawn[depth];
  }
}

/**
 * Holds the number cells of the rows whose hash lies below a threshold, which is halved whenever more than `maxCells` would be held.
 * The sample depends on row numbers and cells alone, not on how the rows were batched. The column's form is known only at the end, so
 * each cell is kept as its decimal value and the forms that it fits.
 */
export class NumberSample {
  size = 0;
  /** How often the threshold was halved. */
  depth = 0;
  readonly rowHashes: Uint32Array;
  readonly values: Float64Array;
  /** The shape of a plain number; `SHAPE_COUNT` plus the forms that it fits, for another text. */
  readonly forms: Uint16Array;
  private most = 0xffff_ffff;

  /** `maxCells`: 14 bytes each, taken at once. */
  constructor(maxCells: number) {
    this.rowHashes = new Uint32Array(maxCells);
    this.values = new Float64Array(maxCells);
    this.forms = new Uint16Array(maxCells);
  }

  /** Adds one text. `bodies`: the ways of writing digits that every cell of the column so far fits. */
  add(rowHash: number, text: string, bodies: number): void {
    if (rowHash > this.most) return;
    const plain = parsePlainNumber(text);
    if (Number.isNaN(plain) && bodies === 0) return;
    const { affix, body } = splitAffix(text);
    const fits = fittingBodies(body, bodies | FITS_PLAIN);
    if (fits === 0) return;
    const marks = (affix === "" ? 0 : HAS_AFFIX) | (/[.,]/.test(body) ? HAS_SEPARATOR : 0);
    this.keep(rowHash, decimalNumber(body, fits), SHAPE_COUNT | fits | marks);
  }

  /** Adds the rows `[from, to)`, each with the value of a plain number or NaN, and its shape. */
  addNumbers(draw: RowDraw, values: Float64Array, shapes: Uint16Array, from: number, to: number): void {
    const { rowHashes, values: own, forms } = this;
    const rows = draw.rowsAt(this.depth);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const value = values[row]!;
      if (row < from || row >= to || Number.isNaN(value)) continue;
      const hash = draw.hashes[row]!;
      if (hash > this.most || (this.size === own.length && !this.makeRoom(hash))) continue;
      rowHashes[this.size] = hash;
      own[this.size] = value;
      forms[this.size++] = shapes[row]!;
    }
  }

  /** Each sampled cell stands for so many cells of the column. */
  get weight(): number {
    return 2 ** this.depth;
  }

  /** Returns the values of the sampled cells that are finite numbers in this form. */
  valuesIn(form: NumberForm): Float64Array {
    const bit = bodyBit(form);
    const asGroups = form.grouping === "," ? FITS_DECIMAL_COMMA : form.grouping === "." ? FITS_PLAIN : 0;
    const affix = form.affix === "" ? 0 : HAS_AFFIX;
    const result = new Float64Array(this.size);
    let count = 0;
    for (let at = 0; at < this.size; at++) {
      const reading = readingsOf(this.forms[at]!);
      if ((reading & bit) === 0 || (reading & HAS_AFFIX) !== affix) continue;
      const decimal = this.values[at]!;
      // "1.234" was kept as 1.234; where the point groups thousands, it is 1234.
      const grouped = (reading & asGroups) !== 0 && (reading & HAS_SEPARATOR) !== 0;
      const value = grouped ? Math.round(decimal * 1000) : decimal;
      if (Number.isFinite(value)) result[count++] = value;
    }
    return result.subarray(0, count);
  }

  private keep(rowHash: number, value: number, form: number): void {
    if (this.size === this.values.length && !this.makeRoom(rowHash)) return;
    this.rowHashes[this.size] = rowHash;
    this.values[this.size] = value;
    this.forms[this.size++] = form;
  }

  /** Halves the threshold until there is room. Returns false where that leaves this row out. */
  private makeRoom(rowHash: number): boolean {
    while (this.size === this.values.length && rowHash <= this.most) this.halve();
    return rowHash <= this.most;
  }

  private halve(): void {
    this.most = 0xffff_ffff >>> ++this.depth;
    const { rowHashes, values, forms, most } = this;
    let kept = 0;
    for (let at = 0; at < this.size; at++) {
      if (rowHashes[at]! > most) continue;
      rowHashes[kept] = rowHashes[at]!;
      values[kept] = values[at]!;
      forms[kept] = forms[at]!;
      kept++;
    }
    this.size = kept;
  }
}

function readingsOf(form: number): number {
  if (form >= SHAPE_COUNT) return form - SHAPE_COUNT;
  return bodiesOf(form) | (hasPoint(form) ? HAS_SEPARATOR : 0);
}
