// Codes most cells of a file without their text: numbers by value, categories by a dictionary of the known names.

import { isSameForm, PLAIN_FORM } from "../columns/numbers.ts";
import { type ColumnReading, holdNumber } from "../columns/reading.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { TextCells } from "../csv/text-cells.ts";
import type { CellBatch } from "../csv/types.ts";
import { ENTERS_TEXTS, ODD_COUNT, READS_NUMBERS, SKIPS_LOOKUP } from "../kernels/reading/layout.ts";
import type { ModelFeature } from "../model/model-file.ts";
import { TextDictionary } from "../reading/text-dictionary.ts";
import { type CodeArray, codeOfNumber, FIRST_CODE } from "../table/buckets.ts";
import type { CountedCells } from "../watch/file-counts.ts";
import type { RowPicks } from "../watch/row-picks.ts";
import { type CellCounter, categoryCounter, numberCounter } from "./quick-counter.ts";

/** One way to code a column: by cut points, or by the name in the dictionary. */
type Coding = { cutPoints: Float64Array } | { codeOfText: Uint16Array };

/** The rows `[from, to)` of a batch, whose codes begin at place `at`. */
interface CodedRows {
  from: number;
  to: number;
  at: number;
}

/** For a column of numbers, or of categories; several features may be made of it. */
export class QuickCoder {
  private readonly dictionary: TextDictionary;
  private readonly codings: readonly Coding[];
  private readonly counter: CellCounter | null;
  private readonly how: number;

  /** `names`: those in the dictionary; none of a column of numbers. `counter`: where the cells are counted. */
  constructor(
    kernel: ReadingKernel,
    codings: readonly Coding[],
    names: readonly string[],
    counter: CellCounter | null,
  ) {
    const bytes = names.reduce((sum, name) => sum + 3 * name.length, 0);
    this.dictionary = new TextDictionary(kernel, { texts: names.length, bytes });
    this.codings = codings;
    this.counter = counter;
    this.how = codings.some((coding) => "cutPoints" in coding) ? READS_NUMBERS | SKIPS_LOOKUP : 0;
    const records = names.map((name) => [name]);
    const lines = new Uint32Array(names.length);
    for (const batch of new TextCells(kernel, 1).batchesOf({ firstIndex: 0, records, lines })) {
      kernel.exports.findCells(this.dictionary.at, kernel.columnAt(0, 1), 0, batch.recordCount, ENTERS_TEXTS);
    }
  }

  /**
   * Writes the codes of some rows of a batch to `codes`, an array for each feature; gives the rows that it leaves.
   * `picks`: those of these rows that are counted; null where nobody counts. `amounts`: where differences are made of
   * the column, those of its numbers.
   */
  code(
    batch: CellBatch,
    column: number,
    { from, to, at }: CodedRows,
    codes: readonly CodeArray[],
    picks: RowPicks | null,
    amounts: Float64Array | undefined,
  ): Int32Array {
    const { kernel, stride } = batch;
    kernel.exports.findCells(this.dictionary.at, kernel.columnAt(column, stride), from, to, this.how);
    const { ids, values } = kernel;
    const shift = at - from;
    for (const [index, coding] of this.codings.entries()) {
      const ofFeature = codes[index]!;
      if ("cutPoints" in coding) {
        const { cutPoints } = coding;
        for (let row = from; row < to; row++) ofFeature[row + shift] = codeOfNumber(values[row]!, cutPoints);
      } else {
        const { codeOfText } = coding;
        for (let row = from; row < to; row++) ofFeature[row + shift] = codeOfText[ids[row]!]!;
      }
    }
    amounts?.set(values.subarray(from, to));
    const odd = kernel.odd.slice(0, kernel.outcome[ODD_COUNT]);
    // Rows that are left are counted by whoever codes them.
    if (picks !== null) this.counter?.(kernel, picks, shift, odd);
    return odd;
  }
}

/** `counted`: null where the cells are not counted. Null where every cell has to be looked at as text. */
export function quickCoder(
  kernel: ReadingKernel,
  features: readonly ModelFeature[],
  counted: CountedCells | null,
  reading: ColumnReading,
  markers: ReadonlySet<string>,
): QuickCoder | null {
  if (features.length === 0) return null;
  const numbers = features.flatMap((feature) => (feature.kind === "number" && feature.part === null ? [feature] : []));
  if (numbers.length === features.length) {
    const isPlain = reading.kind === "number" && isSameForm(reading.form, PLAIN_FORM) && !holdNumber(markers);
    if (!isPlain) return null;
    return new QuickCoder(kernel, numbers, [], counted && numberCounter(counted));
  }
  const categories = features.flatMap((feature) => (feature.kind === "category" ? [feature] : []));
  if (categories.length < features.length) return null;
  // No cell holds a NUL. The last of equal names counts.
  const placesOf = categories.map(({ names, codes }) => {
    const places = new Map<string, number>();
    for (const [at, name] of names.entries()) {
      if (codes[at]! >= FIRST_CODE && !markers.has(name) && !name.includes("\0")) places.set(name, at);
    }
    return places;
  });
  const knownNames = [...placesOf[0]!.keys()].filter((name) => placesOf.every((places) => places.has(name)));
  const codings = categories.map(({ codes }, index) => {
    const codeOfText = new Uint16Array(knownNames.length);
    for (const [id, name] of knownNames.entries()) codeOfText[id] = codes[placesOf[index]!.get(name)!]!;
    return { codeOfText };
  });
  return new QuickCoder(kernel, codings, knownNames, counted && categoryCounter(counted, knownNames, placesOf[0]!));
}
