// The report of `inspect` about a table, as plain JSON.
import { type ShownForm, shownForm } from "../columns/reading.ts";
import type { TextProfile } from "../text/text-profile.ts";
import type { Warning } from "../warning.ts";
import type { ClassCount, ColumnProfile, TableProfile } from "./profile.ts";

/** Classes listed at most; where there are more, a warning says how many. */
const CLASSES_LISTED = 100;

/** How the file itself was read. */
export interface FileReading {
  delimiter: string;
  encoding: string;
  /** The reader's, which come before those about columns. */
  warnings: readonly Warning[];
}

interface InspectedColumn
  extends Pick<ColumnProfile, "name" | "kind" | "missing" | "distinct" | "isDistinctEstimated"> {
  role: "feature" | "label";
  /** How its numbers or dates are written, where that is not the plain way. */
  form?: ShownForm;
  /** The kind that its cells show by themselves, where another was chosen. */
  foundKind?: ColumnProfile["kind"];
  /** Texts that mean a missing value in this column alone, found or chosen. Left out where there are none. */
  missingTexts?: readonly string[];
  /** Left out where no terms are read. */
  text?: TextProfile & { shareEmpty: number };
}

export interface TableReport {
  delimiter: string;
  encoding: string;
  /** Every record, those without a label included. */
  rows: number;
  columns: InspectedColumn[];
  label: string;
  classes: ClassCount[];
  rowsWithoutLabel: number;
  warnings: Warning[];
}

/** `texts`: by column. */
export function inspectTable(
  profile: TableProfile,
  file: FileReading,
  texts: ReadonlyMap<number, TextProfile> = new Map(),
): TableReport {
  const { label, rowCount } = profile;
  return {
    delimiter: file.delimiter,
    encoding: file.encoding,
    rows: rowCount,
    columns: profile.columns.map((profiled): InspectedColumn => {
      const { name, index, kind, missing, distinct, isDistinctEstimated } = profiled;
      const { missingTexts } = profiled.reading;
      const role = index === label.column ? "label" : "feature";
      const chosen = profiled.foundKind === undefined ? {} : { foundKind: profiled.foundKind };
      const facts = { name, role, kind, ...chosen, missing, distinct, isDistinctEstimated } as const;
      const column = { ...facts, ...shownForm(profiled.reading), ...(missingTexts !== undefined && { missingTexts }) };
      const text = texts.get(index);
      return text === undefined ? column : { ...column, text: { ...text, shareEmpty: missing / rowCount } };
    }),
    label: label.name,
    classes: label.classes.slice(0, CLASSES_LISTED),
    rowsWithoutLabel: label.rowsWithoutLabel,
    warnings: [...file.warnings, ...profile.warnings],
  };
}
