// Samples a column's number cells by row. Levels come from the sample where
// a column has too many distinct values to list.

import { splitNumber } from "../columns/affixes.ts";
import { bareNumber } from "../columns/bare-number.ts";
import type { CellEvidence } from "../columns/cell-evidence.ts";
import {
  bodyBit,
  decimalNumber,
  FITS_DECIMAL_COMMA,
  FITS_PLAIN,
  fittingBodies,
  type NumberForm,
} from "../columns/numbers.ts";
import { parsePlainNumber } from "../columns/plain-number.ts";
import { quantityOf } from "../columns/units.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import {
  SAMPLE_CAPACITY,
  SAMPLE_DEPTH,
  SAMPLE_FIELDS,
  SAMPLE_FORMS,
  SAMPLE_HASHES,
  SAMPLE_SIZE,
  SAMPLE_VALUES,
  SHAPE_COUNT,
} from "../kernels/reading/layout.ts";
import { bodiesOf, hasPoint } from "./number-shape.ts";

const HAS_AFFIX = 16;
const HAS_SEPARATOR = 32;
const GROUP = 1000;

/**
 * Holds the number cells of the rows whose hash lies below a threshold, which is halved whenever more than `maxCells`
 * would be held. The sample depends on row numbers and cells alone, not on how the rows were batched. The column's form
 * is known only at the end, so each cell is kept as its decimal value, in the smallest unit of its quantity, and the
 * forms that it fits.
 */
export class NumberSample {
  /** The address of its record, see kernels/reading/layout.ts. */
  readonly at: number;
  private readonly kernel: ReadingKernel;
  private fields = new Int32Array(0);
  rowHashes = new Uint32Array(0);
  values = new Float64Array(0);
  /** The shape of a plain number; `SHAPE_COUNT` plus the forms that it fits, for another text. */
  forms = new Uint16Array(0);

  /** `maxCells`: 14 bytes each, taken at once. */
  constructor(kernel: ReadingKernel, maxCells: number) {
    const hashesAt = kernel.place(Uint32Array, maxCells, (view) => {
      this.rowHashes = view;
    });
    const valuesAt = kernel.place(Float64Array, maxCells, (view) => {
      this.values = view;
    });
    const formsAt = kernel.place(Uint16Array, maxCells, (view) => {
      this.forms = view;
    });
    this.at = kernel.place(Int32Array, SAMPLE_FIELDS, (view) => {
      this.fields = view;
    });
    this.fields[SAMPLE_CAPACITY] = maxCells;
    this.fields[SAMPLE_HASHES] = hashesAt;
    this.fields[SAMPLE_VALUES] = valuesAt;
    this.fields[SAMPLE_FORMS] = formsAt;
    this.kernel = kernel;
  }

  get size(): number {
    return this.fields[SAMPLE_SIZE]!;
  }

  /** How often the threshold was halved. */
  get depth(): number {
    return this.fields[SAMPLE_DEPTH]!;
  }

  /** Adds one text, which the evidence of the column has taken in. */
  add(rowHash: number, written: string, { bodies, affixes }: Pick<CellEvidence, "bodies" | "affixes">): void {
    if (rowHash > 0xffff_ffff >>> this.depth) return;
    const text = bareNumber(written);
    const plain = parsePlainNumber(text);
    if (Number.isNaN(plain) && bodies === 0) return;
    const sizes = quantityOf(affixes);
    let fits = bodies | FITS_PLAIN;
    let marks = 0;
    let value = 0;
    for (const { affix, body } of splitNumber(text)) {
      fits = fittingBodies(body, fits);
      if (affix !== "") marks |= HAS_AFFIX;
      if (/[.,]/.test(body)) marks |= HAS_SEPARATOR;
      value += decimalNumber(body, fits) * (sizes?.[affix] ?? 1);
    }
    if (fits !== 0) this.kernel.exports.sampleOne(this.at, rowHash, value, SHAPE_COUNT | fits | marks);
  }

  /** The cells of the column that each sampled cell stands for. */
  get weight(): number {
    return 2 ** this.depth;
  }

  /** Returns the values of the sampled cells that are finite numbers in this form, which it writes `into` an array. */
  valuesIn(form: NumberForm, into: Float64Array = new Float64Array(this.size)): Float64Array {
    const { size, forms, values } = this;
    const unit = quantityOf(Object.keys(form.units ?? { [form.affix]: 1 }))?.[form.affix] ?? 1;
    // Factors by the form of a cell, computed once a form; NaN until a cell has it.
    const factors = new Float64Array(2 * SHAPE_COUNT).fill(Number.NaN);
    let count = 0;
    for (let at = 0; at < size; at++) {
      const reading = forms[at]!;
      if (Number.isNaN(factors[reading]!)) factors[reading] = factorIn(form, reading);
      const factor = factors[reading]!;
      const value = (factor === GROUP ? Math.round(values[at]! * GROUP) : values[at]!) / unit;
      if (factor > 0 && Number.isFinite(value)) into[count++] = value;
    }
    return into.subarray(0, count);
  }
}

/**
 * Returns what the decimal value of a sampled cell counts for in a form: "1.234" is
 * 1234 where the point groups thousands. 0 for none.
 */
function factorIn(form: NumberForm, kept: number): number {
  const reading = kept >= SHAPE_COUNT ? kept - SHAPE_COUNT : bodiesOf(kept) | (hasPoint(kept) ? HAS_SEPARATOR : 0);
  const hasAffix = (reading & HAS_AFFIX) !== 0;
  if ((reading & bodyBit(form)) === 0 || hasAffix !== (form.affix !== "")) return 0;
  const asDecimals = form.grouping === "," ? FITS_DECIMAL_COMMA : form.grouping === "." ? FITS_PLAIN : 0;
  return (reading & asDecimals) !== 0 && (reading & HAS_SEPARATOR) !== 0 ? GROUP : 1;
}
