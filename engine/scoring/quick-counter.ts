// Counts cells of a column as they are coded from a kernel's values, without a second look-up.
import { type CodeArray, codeOfNumber, FIRST_CODE, MISSING_CODE } from "../buckets.ts";
import type { ReadingKernel } from "../reading/reading-kernel.ts";
import type { CountedCells } from "../watch/file-counts.ts";
import { picksBelow } from "../watch/row-picks.ts";

/** Rows that were just coded: their places, and how far these lie behind their rows in the kernel. */
interface CodedRows {
  at: number;
  end: number;
  shift: number;
}

/** `codes`: of the column's first feature, by place. `odd`: rows of the kernel that count for nothing here. */
export interface CellCounter {
  count(kernel: ReadingKernel, codes: CodeArray, rows: CodedRows, odd: Int32Array): void;
}

/**
 * Takes a number's range from its code of the model; where a range ends within the
 * code's bucket, the value tells on which side it lies.
 */
export class NumberCounter implements CellCounter {
  private readonly cells: CountedCells;
  private readonly cutPoints: Float64Array;
  /** By code of the model: the counted code of its lowest values, and the cut point above which the next one begins. */
  private readonly lowest: Uint8Array;
  private readonly firstCut: Float64Array;
  /** Whether some bucket holds several cut points, so that its code says too little. */
  private readonly isFiner: boolean = false;

  /** `cutPoints`: of the model's feature. */
  constructor(cells: CountedCells, cutPoints: Float64Array) {
    const own = (cells.feature as { cutPoints: Float64Array }).cutPoints;
    this.cells = cells;
    this.cutPoints = own;
    this.lowest = new Uint8Array(FIRST_CODE + cutPoints.length + 1);
    this.firstCut = new Float64Array(this.lowest.length);
    // A bucket holds the values above the cut point before it, up to its own one; so does a range.
    for (let bucket = 0, range = 0; bucket <= cutPoints.length; bucket++) {
      const end = cutPoints[bucket] ?? Number.POSITIVE_INFINITY;
      this.lowest[FIRST_CODE + bucket] = FIRST_CODE + range;
      this.firstCut[FIRST_CODE + bucket] = own[range] ?? Number.POSITIVE_INFINITY;
      const first = range;
      while (range < own.length && own[range]! <= end) range++;
      if (range - first > 1 && own[first + 1]! < end) this.isFiner = true;
    }
  }

  count({ values }: ReadingKernel, codes: CodeArray, { at, end, shift }: CodedRows, odd: Int32Array): void {
    const { lowest, firstCut } = this;
    const { counts, picks } = this.cells;
    const places = picks?.places ?? null;
    const last = places === null ? end : picksBelow(places, end);
    const first = places === null ? at : picksBelow(places, at);
    if (this.isFiner) {
      for (let pick = first; pick < last; pick++)
        counts[codeOfNumber(values[(places?.[pick] ?? pick) - shift]!, this.cutPoints)]!++;
    } else {
      // Has no branch that depends on the value, which the processor could not foresee.
      for (let pick = first; pick < last; pick++) {
        const place = places === null ? pick : places[pick]!;
        const code = codes[place]!;
        counts[lowest[code]! + Number(values[place - shift]! > firstCut[code]!)]!++;
      }
    }
    // They were counted as missing.
    for (let at = 0; at < odd.length; at++) {
      if (picks === null || picks.isPicked[odd[at]! + shift] === 1) counts[MISSING_CODE]!--;
    }
  }
}

export class CategoryCounter implements CellCounter {
  private readonly cells: CountedCells;
  private readonly codeOfText: Uint8Array;

  /** `known`: the names in the dictionary, in its order; `placeOf`: among the names of the column. */
  constructor(cells: CountedCells, known: readonly string[], placeOf: ReadonlyMap<string, number>) {
    const { codes } = cells.feature as { codes: Uint16Array };
    this.cells = cells;
    // A row that is left has the id 0, also where no name is known.
    this.codeOfText = new Uint8Array(Math.max(1, known.length));
    for (const [id, name] of known.entries()) this.codeOfText[id] = codes[placeOf.get(name)!]!;
  }

  count({ ids }: ReadingKernel, _: CodeArray, { at, end, shift }: CodedRows, odd: Int32Array): void {
    const { codeOfText } = this;
    const { counts, picks } = this.cells;
    if (picks === null) for (let place = at; place < end; place++) counts[codeOfText[ids[place - shift]!]!]!++;
    else {
      const { places } = picks;
      const last = picksBelow(places, end);
      for (let pick = picksBelow(places, at); pick < last; pick++) {
        counts[codeOfText[ids[places[pick]! - shift]!]!]!++;
      }
    }
    for (const row of odd) {
      if (picks === null || picks.isPicked[row + shift] === 1) counts[codeOfText[ids[row]!]!]!--;
    }
  }
}
