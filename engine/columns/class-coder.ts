// From a cell of the label column to the code of its class.
import type { TableProfile } from "./profile.ts";
import { trimCell } from "./reading.ts";
import { findText, hashText } from "./text-dictionary.ts";

/** The cell is a missing marker. */
export const NO_LABEL = -1;
/** The cell is a label that the profiled file does not have. */
export const UNKNOWN_LABEL = -2;

/** The class code of a label cell as it stands in a file, else `NO_LABEL` or `UNKNOWN_LABEL`. */
export type ClassCoder = (cell: string) => number;

/** Of a table that `requireTrainable` let pass. */
export function classCoder({ columns, label, missingMarkers }: TableProfile): ClassCoder {
  const { dictionary } = columns[label.column]!.scan!;
  const classOfText = new Int16Array(dictionary.size).fill(NO_LABEL);
  label.classes.forEach((entry, code) => {
    classOfText[findText(dictionary, entry.label, hashText(entry.label))] = code;
  });
  return (cell) => {
    const text = trimCell(cell);
    const id = findText(dictionary, text, hashText(text));
    if (id >= 0) return classOfText[id]!;
    return missingMarkers.has(text) ? NO_LABEL : UNKNOWN_LABEL;
  };
}
