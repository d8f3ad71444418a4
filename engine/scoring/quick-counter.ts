// Counts cells of a column as they are coded from a kernel's values, without a second look-up.
import { type CodeArray, FIRST_CODE } from "../buckets.ts";
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

/** Added to the lowest range of a code whose values lie in several. */
const SPLIT = 128;

/** Takes a number's range from its code of the model; the value is looked at where a range ends within the code's bucket. */
export class NumberCounter implements CellCounter {
  private readonly cells: CountedCells;
  private readonly cutPoints: Float64Array;
  /** The counted code of each code of the model, or its lowest one and `SPLIT`. */
  private readonly codeOf: Uint8Array;

  /** `cutPoints`: of the model's feature. */
  constructor(cells: CountedCells, cutPoints: Float64Array) {
    const own = (cells.feature as { cutPoints: Float64Array }).cutPoints;
    this.cells = cells;
    this.cutPoints = own;
    this.codeOf = new Uint8Array(FIRST_CODE + cutPoints.length + 1);
    // A bucket holds the values above the cut point before it, up to its own one; so does a range.
    for (let bucket = 0, lowest = 0, highest = 0; bucket <= cutPoints.length; bucket++) {
      while (bucket > 0 && lowest < own.length && own[lowest]! <= cutPoints[bucket - 1]!) lowest++;
      while (highest < own.length && (bucket === cutPoints.length || own[highest]! < cutPoints[bucket]!)) highest++;
      this.codeOf[FIRST_CODE + bucket] = FIRST_CODE + lowest + (lowest < highest ? SPLIT : 0);
    }
  }

  count({ values }: ReadingKernel, codes: CodeArray, { at, end, shift }: CodedRows, odd: Int32Array): void {
    const { codeOf, cutPoints } = this;
    const { counts, picks } = this.cells;
    const places = picks?.places ?? null;
    const last = places === null ? end : picksBelow(places, end);
    for (let pick = places === null ? at : picksBelow(places, at); pick < last; pick++) {
      const place = places === null ? pick : places[pick]!;
      const code = codeOf[codes[place]!]!;
      counts[code < SPLIT ? code : codeAt(values[place - shift]!, code - SPLIT, cutPoints)]!++;
    }
    for (const row of odd) {
      const place = row + shift;
      if (picks !== null && picks.isPicked[place] === 0) continue;
      const code = codeOf[codes[place]!]!;
      counts[code < SPLIT ? code : codeAt(values[row]!, code - SPLIT, cutPoints)]!--;
    }
  }
}

/** `lowest`: code of the lowest range that the value can lie in. */
function codeAt(value: number, lowest: number, cutPoints: Float64Array): number {
  let code = lowest;
  while (code - FIRST_CODE < cutPoints.length && value > cutPoints[code - FIRST_CODE]!) code++;
  return code;
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
