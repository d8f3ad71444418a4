// Counts cells of a column from a kernel's values, as they are coded.

import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { codeOfNumber, MISSING_CODE } from "../table/buckets.ts";
import type { CountedCells } from "../watch/file-counts.ts";
import type { RowPicks } from "../watch/row-picks.ts";

/**
 * Counts the picked ones of rows that were just coded, except the `odd` ones, which are rows of the kernel. `picks`:
 * its places are those of these rows alone. `shift`: how far a place lies after its row in the kernel.
 */
export type CellCounter = (kernel: ReadingKernel, picks: RowPicks, shift: number, odd: Int32Array) => void;

/** Counts a column of numbers. */
export function numberCounter({ feature, counts }: CountedCells): CellCounter {
  const { cutPoints } = feature as { cutPoints: Float64Array };
  return ({ values }, { places, isPicked }, shift, odd) => {
    for (let pick = 0; pick < places.length; pick++) {
      counts[codeOfNumber(values[places[pick]! - shift]!, cutPoints)]!++;
    }
    // Odd rows were counted as missing above.
    for (let at = 0; at < odd.length; at++) counts[MISSING_CODE]! -= isPicked[odd[at]! + shift]!;
  };
}

/** Counts a column of categories. `knownNames`: those of the dictionary, in order; `placeOf`: their places there. */
export function categoryCounter(
  { feature, counts }: CountedCells,
  knownNames: readonly string[],
  placeOf: ReadonlyMap<string, number>,
): CellCounter {
  const { codes } = feature as { codes: Uint16Array };
  // A row that is left has the id 0, also where no name is known.
  const codeOfText = new Uint8Array(Math.max(1, knownNames.length));
  for (const [id, name] of knownNames.entries()) codeOfText[id] = codes[placeOf.get(name)!]!;
  return ({ ids }, { places, isPicked }, shift, odd) => {
    for (let pick = 0; pick < places.length; pick++) counts[codeOfText[ids[places[pick]! - shift]!]!]!++;
    for (let at = 0; at < odd.length; at++) counts[codeOfText[ids[odd[at]!]!]!]! -= isPicked[odd[at]! + shift]!;
  };
}
