// A sample of a column's number cells, drawn by row, from which levels come where a column has too many distinct values to list.
import { decimalValue, fractionDigitsOf } from "../csv/cell-key.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { deriveSeed } from "../random.ts";
import { decimalFits } from "./decimal-evidence.ts";
import {
  bodyBit,
  decimalNumber,
  FITS_DECIMAL_COMMA,
  FITS_PLAIN,
  fittingBodies,
  type NumberForm,
  splitAffix,
} from "./numbers.ts";
import { parsePlainNumber } from "./plain-number.ts";

const SEED = 0x43757065;

/** Decides with which share of the rows a row is sampled. */
export function rowHashOf(rowIndex: number): number {
  return deriveSeed(SEED, rowIndex);
}

const HAS_AFFIX = 16;
const HAS_SEPARATOR = 32;

interface SamplePlaces {
  rowHashes: number;
  values: number;
  readings: number;
}

/**
 * Holds the number cells of the rows whose hash lies below a threshold; the threshold is halved whenever more than
 * `maxCells` would be held. The sample depends on row numbers and cells alone, not on how the rows were handed over.
 * The column's form is known only at the end, so each cell is kept as its decimal value and the readings that it allows.
 */
export class NumberSample {
  /** Cells so far, and how often the threshold was halved. The reading kernel adds cells too. */
  size = 0;
  depth = 0;
  rowHashes = new Uint32Array(0);
  values = new Float64Array(0);
  readings = new Uint8Array(0);
  /** In the memory of a kernel. */
  private places: SamplePlaces | null = null;

  /** `maxCells`: 13 bytes each, taken at once; `kernel`: in whose memory all lies, where there is one at hand. */
  constructor(maxCells: number, kernel: ReadingKernel | null) {
    if (kernel === null) {
      this.rowHashes = new Uint32Array(maxCells);
      this.values = new Float64Array(maxCells);
      this.readings = new Uint8Array(maxCells);
    } else this.places = this.placeIn(kernel, maxCells);
  }

  /** Has all lie in the kernel's memory from now on, and tells where. */
  moveTo(kernel: ReadingKernel): SamplePlaces {
    this.places ??= this.placeIn(kernel, this.values.length);
    return this.places;
  }

  /** `bodies`: the ways of writing digits that every cell of the column up to this one fits. */
  add(rowIndex: number, text: string, bodies: number): void {
    const rowHash = rowHashOf(rowIndex);
    if (!this.isSampled(rowHash)) return;
    const plain = parsePlainNumber(text);
    if (Number.isNaN(plain) && bodies === 0) return;
    if ((bodies & ~FITS_PLAIN) === 0 && !Number.isNaN(plain)) {
      this.keep(rowHash, plain, FITS_PLAIN);
      return;
    }
    const { affix, body } = splitAffix(text);
    const fits = fittingBodies(body, bodies | FITS_PLAIN);
    if (fits === 0) return;
    const marks = (affix === "" ? 0 : HAS_AFFIX) | (/[.,]/.test(body) ? HAS_SEPARATOR : 0);
    this.keep(rowHash, decimalNumber(body, fits), fits | marks);
  }

  /** The same of a short decimal, given its key and its row's `rowHashOf`. */
  addDecimal(rowHash: number, low: number, meta: number, bodies: number): void {
    if (!this.isSampled(rowHash)) return;
    const value = decimalValue(low, meta);
    if ((bodies & ~FITS_PLAIN) === 0) this.keep(rowHash, value, FITS_PLAIN);
    else {
      const mark = fractionDigitsOf(meta) < 0 ? 0 : HAS_SEPARATOR;
      this.keep(rowHash, value, decimalFits(low, meta, bodies | FITS_PLAIN) | mark);
    }
  }

  /** How many cells of the column each sampled one stands for. */
  get weight(): number {
    return 2 ** this.depth;
  }

  /** The sampled cells that are finite numbers in this form: good until a cell is added, or the memory of the kernel grows. */
  valuesIn(form: NumberForm): Float64Array {
    if (form.affix === "" && bodyBit(form) === FITS_PLAIN && this.areAllPlain())
      return this.values.subarray(0, this.size);
    return this.readingsIn(form);
  }

  /** As nearly always. */
  private areAllPlain(): boolean {
    const { size, values, readings } = this;
    for (let at = 0; at < size; at++) {
      if ((readings[at]! & (FITS_PLAIN | HAS_AFFIX)) !== FITS_PLAIN || !Number.isFinite(values[at]!)) return false;
    }
    return true;
  }

  private readingsIn(form: NumberForm): Float64Array {
    const bit = bodyBit(form);
    const asGroups = form.grouping === "," ? FITS_DECIMAL_COMMA : form.grouping === "." ? FITS_PLAIN : 0;
    const result = new Float64Array(this.size);
    let count = 0;
    for (let at = 0; at < this.size; at++) {
      const reading = this.readings[at]!;
      if ((reading & bit) === 0 || ((reading & HAS_AFFIX) !== 0) !== (form.affix !== "")) continue;
      const decimal = this.values[at]!;
      // "1.234" was kept as 1.234; read as a group of thousands its three decimals are digits of an integer.
      const grouped = (reading & asGroups) !== 0 && (reading & HAS_SEPARATOR) !== 0;
      const value = grouped ? Math.round(decimal * 1000) : decimal;
      if (Number.isFinite(value)) result[count++] = value;
    }
    return result.subarray(0, count);
  }

  private placeIn(kernel: ReadingKernel, maxCells: number): SamplePlaces {
    const { size } = this;
    return {
      rowHashes: kernel.extend(Uint32Array, this.rowHashes.subarray(0, size), maxCells, (own) => {
        this.rowHashes = own;
      }),
      values: kernel.extend(Float64Array, this.values.subarray(0, size), maxCells, (own) => {
        this.values = own;
      }),
      readings: kernel.extend(Uint8Array, this.readings.subarray(0, size), maxCells, (own) => {
        this.readings = own;
      }),
    };
  }

  private keep(rowHash: number, value: number, readings: number): void {
    // Halving may leave this row out, and then there is room for the others.
    while (this.size === this.values.length && this.isSampled(rowHash)) this.halve();
    if (!this.isSampled(rowHash)) return;
    const at = this.size++;
    this.rowHashes[at] = rowHash;
    this.values[at] = value;
    this.readings[at] = readings;
  }

  /** Whether the highest `depth` of 32 bits are 0. */
  private isSampled(rowHash: number): boolean {
    return this.depth === 0 || rowHash >>> (32 - this.depth) === 0;
  }

  private halve(): void {
    this.depth++;
    const { rowHashes, values, readings } = this;
    let kept = 0;
    for (let at = 0; at < this.size; at++) {
      if (!this.isSampled(rowHashes[at]!)) continue;
      rowHashes[kept] = rowHashes[at]!;
      values[kept] = values[at]!;
      readings[kept] = readings[at]!;
      kept++;
    }
    this.size = kept;
  }
}
