// Reads a labelled table from disk: one pass, as a rule. Levels come from the log of that pass;
// a second pass finds them where the logs do not tell all.

import { missingLabelWords } from "../../engine/columns/missing-advice.ts";
import { withDifferences } from "../../engine/differences/differences.ts";
import { fillFromLogs } from "../../engine/filling/logged-levels.ts";
import { ownRecords, TableFiller } from "../../engine/filling/table-filler.ts";
import { layOutTable, type TableFrame } from "../../engine/filling/table-frame.ts";
import { InputError } from "../../engine/input-error.ts";
import { requireFeatures, requireTrainable } from "../../engine/profile/label.ts";
import { type ColumnProfile, labelledRowCount, type TableProfile } from "../../engine/profile/profile.ts";
import { MOST_LOG_BYTES } from "../../engine/reading/caps.ts";
import type { KeyNames } from "../../engine/splits/key-check.ts";
import { INDEPENDENT_ROWS, type RowKeys } from "../../engine/splits/row-keys.ts";
import type { StopSignal } from "../../engine/stop-signal.ts";
import { type Distribution, distributionOf } from "../../engine/table/distribution.ts";
import { featuresOfColumns, selectFeatures, type Table } from "../../engine/table/table.ts";
import { type TextFacts, tellingWords } from "../../engine/text/telling-words.ts";
import type { Warning } from "../../engine/warning.ts";
import { type CsvPlace, readAgain } from "./hashed-csv.ts";
import { type KeyRequest, type ProfiledFile, profileFile, type ReadTableRequest } from "./profile-file.ts";
import { findKeys, type KeysAnswer, readKeys } from "./read-keys.ts";
import { readTexts } from "./read-texts.ts";

/** Labelled rows that training needs, so that each fold has some. */
export const LEAST_ROWS = 10;

/** The keys by which rows are judged; null where rows count as independent in that respect. */
interface JudgedBy extends KeyNames {
  groupCount: number;
}

export interface SourceColumn
  extends Pick<ColumnProfile, "name" | "index" | "kind" | "isInteger" | "missing" | "distinct" | "reading"> {
  role: "feature" | "label";
  used: boolean;
  /** Why a feature column is not used; null where it is, and for the label. */
  reason: string | null;
  distribution: Distribution | null;
  /** The kind that its cells show by themselves, where the user chose one. */
  foundKind?: ColumnProfile["kind"];
  /** Set where the column's terms are read. */
  text?: TextFacts;
  /** Set where it names the group or the time of a row. */
  isKey?: boolean;
  /** Set where the user asked to leave it out. */
  isLeftOut?: boolean;
}

export interface TableAnswer {
  table: Table;
  /** Which rows of the table belong together, and which came first. */
  keys: RowKeys;
  /** The columns that the keys come from, and the number of groups. */
  judgedBy: JudgedBy;
  columns: SourceColumn[];
  /** Name of the label column. */
  label: string;
  classCounts: number[];
  /** Records of the file; `rowsWithoutLabel` of them are not in the table. */
  recordCount: number;
  rowsWithoutLabel: number;
  missingMarkers: readonly string[];
  sha256: string;
  sizeBytes: number;
  delimiter: string;
  encoding: string;
  warnings: Warning[];
}

/** Throws InputError where the file cannot be read or holds nothing to train on. */
export function readTable(request: ReadTableRequest, stop: StopSignal): TableAnswer {
  const profiled = profileForTraining(request, stop);
  const { profile } = profiled;
  findKeys(request, profile);
  const frame = layOutTable(profile, labelledRowCount(profile));
  const place = { hasHeader: true, ...request };
  fillTable(place, profile, frame, stop);
  const names = profile.columns.map(({ name }) => name);
  const file = { place, names, positions: [...names.keys()], firstRow: 0 };
  const filled = withDifferences(frame.table, frame.table.rowCount, names);
  const table = readTexts(profile, [file], filled, filled.rowCount, stop);
  const keys = readKeys(request, profile, [file], table, stop);
  return withKeys(tableAnswer(profiled, table), keys, request);
}

/** The first pass. @throws InputError where the file cannot be read or holds nothing to train on */
export function profileForTraining(request: ReadTableRequest, stop: StopSignal): ProfiledFile {
  const profiled = profileFile(request, stop, MOST_LOG_BYTES);
  requireTrainable(profiled.profile);
  const rowCount = labelledRowCount(profiled.profile);
  if (rowCount < LEAST_ROWS) {
    const { label, missingMarkers } = profiled.profile;
    const found = `The table has ${rowCount} rows with a label; training needs at least ${LEAST_ROWS}.`;
    const words = missingLabelWords(label.missingTexts, missingMarkers);
    throw new InputError("TOO_FEW_ROWS", words === "" ? found : `${found} ${words}`);
  }
  return profiled;
}

/**
 * Fills the frame's first rows from the logs of the first pass, or by a second
 * pass where these do not tell all. Throws InputError.
 */
export function fillTable(place: CsvPlace, profile: TableProfile, frame: TableFrame, stop: StopSignal): void {
  if (fillFromLogs(profile, frame)) return;
  const names = profile.columns.map(({ name }) => name);
  const fresh = () => new TableFiller(frame, ownRecords(profile));
  let filler = fresh();
  readAgain(place, names, stop, () => {
    filler = fresh();
    return filler;
  });
  filler.finish();
}

/** Describes a file that was read. `table`: its rows. @throws InputError NO_FEATURES */
export function tableAnswer({ profile, report, sha256, sizeBytes }: ProfiledFile, table: Table): TableAnswer {
  const { label } = profile;
  const columns = sourceColumns(profile, table);
  // Only now it is known whether a text has words that recur.
  const others = columns.filter(({ role }) => role !== "label");
  requireFeatures(
    others.map(({ name, reason }) => [name, reason]),
    label.name,
  );
  return {
    table,
    keys: INDEPENDENT_ROWS,
    judgedBy: { group: null, time: null, groupCount: 0 },
    columns,
    label: label.name,
    classCounts: label.classes.map(({ count }) => count),
    recordCount: profile.rowCount,
    rowsWithoutLabel: label.rowsWithoutLabel,
    missingMarkers: [...profile.missingMarkers],
    sha256,
    sizeBytes,
    delimiter: report.header.delimiter,
    encoding: report.header.encoding,
    warnings: [...report.warnings, ...profile.warnings],
  };
}

function sourceColumns({ columns, label }: TableProfile, table: Table): SourceColumn[] {
  const firstFeature = new Map<number, number>();
  table.features.forEach(({ column }, index) => {
    if (!firstFeature.has(column)) firstFeature.set(column, index);
  });
  const texts = new Map((table.texts ?? []).map((text) => [text.column, text]));
  return columns.map((column): SourceColumn => {
    const { name, index, kind, missing, distinct, isInteger, reading, unusedReason } = column;
    const role = index === label.column ? "label" : "feature";
    const feature = firstFeature.get(index);
    const used = feature !== undefined;
    const reason = used || role === "label" ? null : (unusedReason ?? "text: no word stands in two of its rows");
    const distribution: Distribution | null = used ? distributionOf(table, feature) : null;
    const facts = {
      name,
      index,
      kind,
      ...(column.foundKind !== undefined && { foundKind: column.foundKind }),
      isInteger,
      role,
      missing,
      distinct,
      reading,
      used,
      reason,
      distribution,
    } as const;
    const text = texts.get(index);
    if (text === undefined) return facts;
    const words = tellingWords(text, table.classes, table.labels.length);
    return { ...facts, text: { ...text.profile, tellingWords: words } };
  });
}

/**
 * The answer with its keys; their columns are no features unless that was asked for, nor are those left out by name.
 *
 * @throws InputError where a name is that of no column, or no feature is left
 */
export function withKeys(answer: TableAnswer, found: KeysAnswer, request: KeyRequest): TableAnswer {
  const { keys, names, groupCount, warnings } = found;
  const { keepKeyColumns = false, withoutColumns = [] } = request;
  const added = { ...answer, keys, judgedBy: { ...names, groupCount }, warnings: [...answer.warnings, ...warnings] };
  const reasons = new Map(withoutColumns.map((name) => [name, "left out as asked"]));
  if (!keepKeyColumns && names.time !== null) reasons.set(names.time, "it says when a row was recorded");
  if (!keepKeyColumns && names.group !== null) reasons.set(names.group, "it says which rows belong together");
  const columns = answer.columns.map((column) => {
    if (column.role === "label") return column;
    const isKey = column.name === names.group || column.name === names.time;
    const isLeftOut = withoutColumns.includes(column.name);
    const marked = { ...column, ...(isKey && { isKey }), ...(isLeftOut && { isLeftOut }) };
    const reason = reasons.get(column.name);
    if (reason === undefined) return marked;
    const { text: _, ...others } = marked;
    return { ...others, used: false, reason, distribution: null };
  });
  if (reasons.size === 0) return { ...added, columns };
  const used = new Set(columns.filter(({ used }) => used).map(({ index }) => index));
  const kept = featuresOfColumns(answer.table, used);
  if (kept.length > 0) return { ...added, columns, table: selectFeatures(answer.table, kept) };
  throw new InputError(
    "NO_FEATURES",
    "No column is left to learn from: all others name a group or a time, are left out, or cannot be used. " +
      "Add columns that say something about the label.",
  );
}
