// Codes most cells of a file without their text: numbers by value, categories by a dictionary of the known names.
import { type CodeArray, codeOfNumber, FIRST_CODE } from "../buckets.ts";
import { isSameForm, PLAIN_FORM } from "../columns/numbers.ts";
import { type ColumnReading, holdNumber } from "../columns/reading.ts";
import { TextCells } from "../csv/text-cells.ts";
import type { CellBatch } from "../csv/types.ts";
import { ENTERS_TEXTS, ODD_COUNT, READS_NUMBERS, SKIPS_LOOKUP } from "../kernels/reading/layout.ts";
import type { ModelFeature } from "../model/model-file.ts";
import type { ReadingKernel } from "../reading/reading-kernel.ts";
import { TextDictionary } from "../reading/text-dictionary.ts";
import { MOST_ROWS_TOGETHER, type RowPicks } from "../watch/row-picks.ts";

/** One way to code a column: by cut points, or by the name in the dictionary. */
type Coding = ({ cutPoints: Float64Array } | { codeOfText: Uint16Array }) & {
  /** Places to code at; null for all. */
  places: Uint32Array | null;
};

/** For a column of numbers, or of categories; several features may be made of it. */
export class QuickCoder {
  private readonly dictionary: TextDictionary;
  private readonly codings: readonly Coding[];
  private readonly how: number;

  /** `names`: those in the dictionary; none of a column of numbers. */
  constructor(kernel: ReadingKernel, codings: readonly Coding[], names: readonly string[]) {
    const bytes = names.reduce((sum, name) => sum + 3 * name.length, 0);
    this.dictionary = new TextDictionary(kernel, { texts: names.length, bytes });
    this.codings = codings;
    this.how = codings.some((coding) => "cutPoints" in coding) ? READS_NUMBERS | SKIPS_LOOKUP : 0;
    const records = names.map((name) => [name]);
    const lines = new Uint32Array(names.length);
    for (const batch of new TextCells(kernel, 1).batchesOf({ firstIndex: 0, records, lines })) {
      kernel.exports.findCells(this.dictionary.at, kernel.columnAt(0, 1), 0, batch.recordCount, ENTERS_TEXTS);
    }
  }

  /**
   * Writes the codes of the rows `[from, to)` of a batch to `codes`, an array for each feature, from place `at` on; gives the rows
   * that it leaves.
   */
  code(
    batch: CellBatch,
    column: number,
    from: number,
    to: number,
    codes: readonly CodeArray[],
    at: number,
  ): Int32Array {
    const { kernel, stride } = batch;
    kernel.exports.findCells(this.dictionary.at, kernel.columnAt(column, stride), from, to, this.how);
    const { ids, values } = kernel;
    const shift = at - from;
    for (const [index, coding] of this.codings.entries()) {
      const own = codes[index]!;
      if (coding.places !== null) codePicked(coding, kernel, own, coding.places, { at, end: at + to - from, shift });
      else if ("cutPoints" in coding) {
        const { cutPoints } = coding;
        for (let row = from; row < to; row++) own[row + shift] = codeOfNumber(values[row]!, cutPoints);
      } else {
        const { codeOfText } = coding;
        for (let row = from; row < to; row++) own[row + shift] = codeOfText[ids[row]!]!;
      }
    }
    return kernel.odd.slice(0, kernel.outcome[ODD_COUNT]);
  }
}

function codePicked(
  coding: Coding,
  { ids, values }: ReadingKernel,
  codes: CodeArray,
  places: Uint32Array,
  { at, end, shift }: { at: number; end: number; shift: number },
): void {
  // One place of each stretch: the first that is not below `at` is at most one stretch behind.
  let pick = Math.max(0, Math.floor((at * places.length) / MOST_ROWS_TOGETHER) - 1);
  while (pick < places.length && places[pick]! < at) pick++;
  if ("cutPoints" in coding) {
    const { cutPoints } = coding;
    for (; pick < places.length && places[pick]! < end; pick++) {
      const place = places[pick]!;
      codes[place] = codeOfNumber(values[place - shift]!, cutPoints);
    }
    return;
  }
  const { codeOfText } = coding;
  for (; pick < places.length && places[pick]! < end; pick++) {
    const place = places[pick]!;
    codes[place] = codeOfText[ids[place - shift]!]!;
  }
}

/** `picks`: of each feature, null where it is coded at every row. Null where every cell has to be looked at as text. */
export function quickCoder(
  kernel: ReadingKernel,
  features: readonly ModelFeature[],
  picks: readonly (RowPicks | null)[],
  reading: ColumnReading,
  markers: ReadonlySet<string>,
): QuickCoder | null {
  if (features.length === 0) return null;
  const numbers = features.flatMap((feature) => (feature.kind === "number" && feature.part === null ? [feature] : []));
  if (numbers.length === features.length) {
    const isPlain = reading.kind === "number" && isSameForm(reading.form, PLAIN_FORM) && !holdNumber(markers);
    const codings = numbers.map(({ cutPoints }, at) => ({ cutPoints, places: picks[at]?.places ?? null }));
    return isPlain ? new QuickCoder(kernel, codings, []) : null;
  }
  const categories = features.flatMap((feature) => (feature.kind === "category" ? [feature] : []));
  if (categories.length < features.length) return null;
  // No cell holds a NUL. The last of equal names counts.
  const codesOf = categories.map(
    ({ names, codes }) =>
      new Map(
        names.flatMap((name, at): [string, number][] =>
          codes[at]! >= FIRST_CODE && !markers.has(name) && !name.includes("\0") ? [[name, codes[at]!]] : [],
        ),
      ),
  );
  const known = [...codesOf[0]!.keys()].filter((name) => codesOf.every((codes) => codes.has(name)));
  const codings = codesOf.map((codes, at) => ({
    codeOfText: Uint16Array.from(known, (name) => codes.get(name)!),
    places: picks[at]?.places ?? null,
  }));
  return new QuickCoder(kernel, codings, known);
}
