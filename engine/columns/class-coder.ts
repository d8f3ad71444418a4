// From a cell of the label column to the code of its class.
import { decodeCell } from "../csv/cell-text.ts";
import { CELL_FIELDS } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/shapes.ts";
import type { TableProfile } from "./profile.ts";
import { trimCell } from "./reading.ts";
import { findCell, findText, hashText, type TextDictionary } from "./text-dictionary.ts";

/** The cell is a missing marker. */
export const NO_LABEL = -1;
/** The cell is a label that the profiled file does not have. */
export const UNKNOWN_LABEL = -2;

/** The class code of a label cell as it stands in a file, else `NO_LABEL` or `UNKNOWN_LABEL`. */
export type ClassCoder = (cell: string) => number;

/** The label's dictionary, with the class code of each of its texts or `NO_LABEL`. */
export interface LabelCodes {
  dictionary: TextDictionary;
  classOfText: Int16Array;
  markers: ReadonlySet<string>;
}

/** Of a table that `requireTrainable` let pass. */
export function labelCodes({ columns, label, missingMarkers: markers }: TableProfile): LabelCodes {
  const { dictionary } = columns[label.column]!.scan!;
  const classOfText = new Int16Array(dictionary.size).fill(NO_LABEL);
  label.classes.forEach((entry, code) => {
    classOfText[findText(dictionary, entry.label, hashText(entry.label))] = code;
  });
  return { dictionary, classOfText, markers };
}

/** Of a table that `requireTrainable` let pass. */
export function classCoder(profile: TableProfile): ClassCoder {
  const { dictionary, classOfText, markers } = labelCodes(profile);
  return (cell) => {
    const text = trimCell(cell);
    const id = findText(dictionary, text, hashText(text));
    if (id >= 0) return classOfText[id]!;
    return markers.has(text) ? NO_LABEL : UNKNOWN_LABEL;
  };
}

/** The class code of one record's label, or as `ClassCoder`. */
export function classOfCell(
  codes: LabelCodes,
  { cells, bytes, stride }: CellBatch,
  row: number,
  column: number,
): number {
  const at = (column * stride + row) * CELL_FIELDS;
  const start = cells[at]!;
  const end = cells[at + 1]!;
  const id = findCell(codes.dictionary, cells[at + 2]!, cells[at + 3]!, bytes, start, end);
  if (id >= 0) return codes.classOfText[id]!;
  return codes.markers.has(decodeCell(bytes, start, end)) ? NO_LABEL : UNKNOWN_LABEL;
}
