// Lays out an empty table on one block of memory that threads can share, with the rules that fill it.

import { missingTextsOf } from "../columns/reading.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { isLearnedWhole, type LevelRule, levelBytes, levelRulesOf } from "../profile/features.ts";
import { requireTrainable } from "../profile/label.ts";
import { type ColumnProfile, kernelOf, type TableProfile } from "../profile/profile.ts";
import type { TextDictionary } from "../reading/text-dictionary.ts";
import type { LevelArray, Table } from "../table/table.ts";
import { ClassCoder } from "./class-coder.ts";

/** A used column: its dictionary, and for each feature the rule and the array to fill. */
export interface ColumnWriter {
  column: ColumnProfile;
  dictionary: TextDictionary;
  rules: readonly LevelRule[];
  levels: readonly LevelArray[];
  /** Texts that count as missing in this column. */
  missingTexts: ReadonlySet<string>;
}

export interface TableFrame {
  /** Its levels and classes are 0 until they are written. */
  table: Table;
  writers: readonly ColumnWriter[];
  classCoder: ClassCoder;
  kernel: ReadingKernel;
}

/**
 * Features, levels and labels depend on the profile alone; the `rowCount` rows may come from other files too.
 *
 * @throws InputError where the profiled table cannot be trained on, see `requireTrainable`
 */
export function layOutTable(profile: TableProfile, rowCount: number): TableFrame {
  requireTrainable(profile);
  const { label, missingMarkers } = profile;
  const takenNames = new Set(profile.columns.map((column) => column.name));
  const usedColumns = profile.columns.filter((column) => isLearnedWhole(column));
  const hasClocks = usedColumns.filter(({ reading }) => reading.kind === "date").length > 1;
  const rules = usedColumns.map((column) =>
    levelRulesOf(column, missingTextsOf(column.reading, missingMarkers), takenNames, hasClocks),
  );
  const { levels, classes } = allocate(rules.flat(), rowCount);
  const features = rules.flat().map(({ feature }) => feature);
  const labels = label.classes.map((entry) => entry.label);
  return {
    table: { rowCount, features, levels, labels, classes },
    writers: writersOf(usedColumns, rules, levels, missingMarkers),
    classCoder: new ClassCoder(profile),
    kernel: kernelOf(profile),
  };
}

/**
 * Allocates one shared block: two-byte levels first, so that they are aligned, then one-byte levels, then the classes.
 */
function allocate(rules: readonly LevelRule[], rowCount: number): { levels: LevelArray[]; classes: Uint8Array } {
  const bytes = rules.map(({ feature }) => levelBytes(feature));
  const shared = new SharedArrayBuffer(rowCount * bytes.reduce<number>((sum, size) => sum + size, 1));
  let twoByteAt = 0;
  let oneByteAt = 2 * rowCount * bytes.filter((size) => size === 2).length;
  const levels = bytes.map((size) => {
    const at = size === 2 ? twoByteAt : oneByteAt;
    if (size === 2) twoByteAt += 2 * rowCount;
    else oneByteAt += rowCount;
    return size === 2 ? new Uint16Array(shared, at, rowCount) : new Uint8Array(shared, at, rowCount);
  });
  return { levels, classes: new Uint8Array(shared, oneByteAt, rowCount) };
}

function writersOf(
  usedColumns: readonly ColumnProfile[],
  rules: readonly (readonly LevelRule[])[],
  levels: readonly LevelArray[],
  markers: ReadonlySet<string>,
): ColumnWriter[] {
  let first = 0;
  return usedColumns.map((column, at) => {
    const features = rules[at]!;
    const ofColumn = levels.slice(first, first + features.length);
    first += features.length;
    const missingTexts = missingTextsOf(column.reading, markers);
    return { column, dictionary: column.scan!.dictionary, rules: features, levels: ofColumn, missingTexts };
  });
}
