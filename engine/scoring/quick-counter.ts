// Counts cells of a column as they are coded from a kernel's values, without a second look-up.
import { type CodeArray, FIRST_CODE, MISSING_CODE } from "../buckets.ts";
import { countBelow } from "../midpoints.ts";
import type { ReadingKernel } from "../reading/reading-kernel.ts";
import type { CountedCells } from "../watch/file-counts.ts";
import { MOST_ROWS_TOGETHER } from "../watch/row-picks.ts";

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

/** Begins the search for a number's range where its code of the model leaves it: mostly it is the first one. */
export class NumberCounter implements CellCounter {
  private readonly cells: CountedCells;
  private readonly cutPoints: Float64Array;
  /** The lowest range of each code of the model. */
  private readonly firstRange: Uint8Array;

  /** `cutPoints`: of the model's feature. */
  constructor(cells: CountedCells, cutPoints: Float64Array) {
    const own = (cells.feature as { cutPoints: Float64Array }).cutPoints;
    this.cells = cells;
    this.cutPoints = own;
    this.firstRange = Uint8Array.from({ length: FIRST_CODE + cutPoints.length + 1 }, (_, code) => {
      const lowest = code <= FIRST_CODE ? Number.NEGATIVE_INFINITY : cutPoints[code - FIRST_CODE - 1]!;
      // Values lie above the cut point: so do all ranges up to one that ends at it.
      return countBelow(own, lowest) + (own.includes(lowest) ? 1 : 0);
    });
  }

  count({ values }: ReadingKernel, codes: CodeArray, { at, end, shift }: CodedRows, odd: Int32Array): void {
    const { firstRange, cutPoints } = this;
    const { counts, picks } = this.cells;
    const places = picks?.places ?? null;
    const last = places === null ? end : places.length;
    for (let pick = places === null ? at : firstPick(places, at); pick < last; pick++) {
      const place = places === null ? pick : places[pick]!;
      if (place >= end) break;
      counts[codeOf(values[place - shift]!, codes[place]!, firstRange, cutPoints)]!++;
    }
    for (const row of odd) {
      const place = row + shift;
      if (picks !== null && picks.isPicked[place] === 0) continue;
      counts[codeOf(values[row]!, codes[place]!, firstRange, cutPoints)]!--;
    }
  }
}

/** `code`: of the model's feature. */
function codeOf(value: number, code: number, firstRange: Uint8Array, cutPoints: Float64Array): number {
  if (code === MISSING_CODE) return MISSING_CODE;
  let range = firstRange[code]!;
  while (range < cutPoints.length && value > cutPoints[range]!) range++;
  return FIRST_CODE + range;
}

export class CategoryCounter implements CellCounter {
  private readonly cells: CountedCells;
  private readonly codeOfText: Uint8Array;

  /** `known`: the names in the dictionary, in its order. */
  constructor(cells: CountedCells, known: readonly string[]) {
    const { names, codes } = cells.feature as { names: readonly string[]; codes: Uint16Array };
    const codeOf = new Map(names.map((name, at) => [name, codes[at]!]));
    this.cells = cells;
    // A row that is left has the id 0, also where no name is known.
    this.codeOfText = Uint8Array.from({ length: Math.max(1, known.length) }, (_, id) => codeOf.get(known[id]!) ?? 0);
  }

  count({ ids }: ReadingKernel, _: CodeArray, { at, end, shift }: CodedRows, odd: Int32Array): void {
    const { codeOfText } = this;
    const { counts, picks } = this.cells;
    if (picks === null) for (let place = at; place < end; place++) counts[codeOfText[ids[place - shift]!]!]!++;
    else {
      const { places } = picks;
      for (let pick = firstPick(places, at); pick < places.length && places[pick]! < end; pick++) {
        counts[codeOfText[ids[places[pick]! - shift]!]!]!++;
      }
    }
    for (const row of odd) {
      if (picks === null || picks.isPicked[row + shift] === 1) counts[codeOfText[ids[row]!]!]!--;
    }
  }
}

/** One place of each stretch: the first that is not below `at` is at most one stretch behind. */
function firstPick(places: Uint32Array, at: number): number {
  let pick = Math.max(0, Math.floor((at * places.length) / MOST_ROWS_TOGETHER) - 1);
  while (pick < places.length && places[pick]! < at) pick++;
  return pick;
}
