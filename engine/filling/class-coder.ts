// Turns the cells of the label column into class codes.
import { cellText } from "../csv/cell-text.ts";
import type { CellBatch } from "../csv/types.ts";
import { ODD_COUNT } from "../kernels/reading/layout.ts";
import type { TableProfile } from "../profile/profile.ts";
import type { TextDictionary } from "../reading/text-dictionary.ts";

/** The cell is a missing marker. */
export const NO_LABEL = -1;
/** The cell is a label that the profiled file does not have. */
const UNKNOWN_LABEL = -2;

/** Knows the classes of the profiled file. */
export class ClassCoder {
  readonly dictionary: TextDictionary;
  /** The class of each text in the label's dictionary; `NO_LABEL` for a missing one. */
  readonly classOfText: Int16Array;
  private readonly markers: ReadonlySet<string>;
  private codes = new Int16Array(0);

  /** The table must have passed `requireTrainable`. */
  constructor({ columns, label, missingMarkers }: TableProfile) {
    const { dictionary } = columns[label.column]!.scan!;
    const codeOf = new Map(label.classes.map((entry, code) => [entry.label, code]));
    this.dictionary = dictionary;
    this.classOfText = Int16Array.from(dictionary.allTexts(), (text) => codeOf.get(text) ?? NO_LABEL);
    this.markers = missingMarkers;
  }

  /**
   * Returns the class code of each record, else `NO_LABEL` or `UNKNOWN_LABEL`; valid until
   * the next call. `column`: the label's place in a record.
   */
  codesOf(batch: CellBatch, column: number): Int16Array {
    const { dictionary, classOfText, markers } = this;
    const { kernel, recordCount, stride } = batch;
    if (this.codes.length < recordCount) this.codes = new Int16Array(recordCount);
    const { codes } = this;
    kernel.exports.findCells(dictionary.at, kernel.columnAt(column, stride), 0, recordCount, 0);
    const { ids, odd, outcome } = kernel;
    for (let record = 0; record < recordCount; record++) codes[record] = classOfText[ids[record]!]!;
    for (let at = 0; at < outcome[ODD_COUNT]!; at++) {
      const record = odd[at]!;
      codes[record] = markers.has(cellText(batch, record, column)) ? NO_LABEL : UNKNOWN_LABEL;
    }
    return codes.subarray(0, recordCount);
  }
}
