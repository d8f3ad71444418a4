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

/** For a column of one feature. */
export class QuickCoder {
  private readonly dictionary: TextDictionary;
  private readonly codeOfText: Uint16Array;
  /** Null for a category. */
  private readonly cutPoints: Float64Array | null;

  /** `codeOfName`: of categories. */
  constructor(kernel: ReadingKernel, cutPoints: Float64Array | null, codeOfName: ReadonlyMap<string, number>) {
    const names = [...codeOfName.keys()];
    const bytes = names.reduce((sum, name) => sum + 3 * name.length, 0);
    this.dictionary = new TextDictionary(kernel, { texts: names.length, bytes });
    this.codeOfText = Uint16Array.from(codeOfName.values());
    this.cutPoints = cutPoints;
    const records = names.map((name) => [name]);
    const lines = new Uint32Array(names.length);
    for (const batch of new TextCells(kernel, 1).batchesOf({ firstIndex: 0, records, lines })) {
      kernel.exports.findCells(this.dictionary.at, kernel.columnAt(0, 1), 0, batch.recordCount, ENTERS_TEXTS);
    }
  }

  /** Writes the codes of the rows `[from, to)` of a batch to `codes`, from place `at` on; gives the rows that it leaves. */
  code(batch: CellBatch, column: number, from: number, to: number, codes: CodeArray, at: number): Int32Array {
    const { kernel, stride } = batch;
    const { cutPoints, codeOfText } = this;
    const how = cutPoints === null ? 0 : READS_NUMBERS | SKIPS_LOOKUP;
    kernel.exports.findCells(this.dictionary.at, kernel.columnAt(column, stride), from, to, how);
    const { ids, values } = kernel;
    const shift = at - from;
    if (cutPoints === null) for (let row = from; row < to; row++) codes[row + shift] = codeOfText[ids[row]!]!;
    else for (let row = from; row < to; row++) codes[row + shift] = codeOfNumber(values[row]!, cutPoints);
    return kernel.odd.slice(0, kernel.outcome[ODD_COUNT]);
  }
}

/** Null where every cell has to be looked at as text. */
export function quickCoder(
  kernel: ReadingKernel,
  features: readonly ModelFeature[],
  reading: ColumnReading,
  markers: ReadonlySet<string>,
): QuickCoder | null {
  const source = features[0];
  if (source === undefined || features.length > 1) return null;
  if (source.kind === "number") {
    const isPlain = reading.kind === "number" && isSameForm(reading.form, PLAIN_FORM) && !holdNumber(markers);
    return isPlain ? new QuickCoder(kernel, source.cutPoints, new Map()) : null;
  }
  if (source.kind === "score") return null;
  const { names, codes } = source;
  // No cell holds a NUL. The last of equal names counts.
  const isKnown = (name: string, code: number) => code >= FIRST_CODE && !markers.has(name) && !name.includes("\0");
  const known = names.flatMap((name, at): [string, number][] =>
    isKnown(name, codes[at]!) ? [[name, codes[at]!]] : [],
  );
  return new QuickCoder(kernel, null, new Map(known));
}
