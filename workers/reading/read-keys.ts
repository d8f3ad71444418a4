// One more pass over the files of a table, for the columns that --group and --time name.
import { meantName } from "../../engine/columns/near-miss.ts";
import type { ColumnReading } from "../../engine/columns/reading.ts";
import { listNames, quotedName } from "../../engine/csv/header.ts";
import { type KeyColumn, KeyReader } from "../../engine/filling/key-reader.ts";
import { InputError } from "../../engine/input-error.ts";
import type { TableProfile } from "../../engine/profile/profile.ts";
import { checkKeys, type KeyNames } from "../../engine/splits/key-check.ts";
import { INDEPENDENT_ROWS, type RowKeys } from "../../engine/splits/row-keys.ts";
import type { StopSignal } from "../../engine/stop-signal.ts";
import type { Table } from "../../engine/table/table.ts";
import type { Warning } from "../../engine/warning.ts";
import { type CsvPlace, readAgain } from "./hashed-csv.ts";
import type { KeyRequest } from "./profile-file.ts";

/** Warnings that say why a column of dates or numbers is read as neither. */
const UNREAD_CODES: ReadonlySet<string> = new Set([
  "MIXED_COLUMN",
  "AMBIGUOUS_DATE",
  "AMBIGUOUS_NUMBER",
  "UNREAD_NUMBERS",
]);

/** A file of the table, and where its columns stand. */
export interface KeyFile {
  place: CsvPlace;
  /** The names of the file's header, in order. */
  names: readonly string[];
  /** Position in this file of each column of TRAIN, by TRAIN's position. */
  positions: readonly number[];
  /** How this file writes TRAIN's columns, where that is not as TRAIN does; a column that is not used is a category. */
  readings?: readonly ColumnReading[];
}

export interface KeysAnswer {
  keys: RowKeys;
  names: KeyNames;
  groupCount: number;
  warnings: Warning[];
}

type KeyOption = "group" | "time" | "without";

/** The part of a profile by which columns are found by name. */
export interface NamedColumns {
  columns: readonly Pick<TableProfile["columns"][number], "name" | "reading">[];
  label: { column: number };
}

/** Refuses the label, and names that the file does not have, before long work. @throws InputError */
export function findKeys(request: KeyRequest, { columns, label }: NamedColumns) {
  const columnOf = (name: string | null | undefined, option: KeyOption): KeyColumn | null => {
    if (name === null || name === undefined) return null;
    const position = columns.findIndex((column) => column.name === name);
    if (position === label.column) throw labelRefusal(name, option);
    if (position >= 0) return { name, position, reading: columns[position]!.reading };
    const others = columns.filter((_, place) => place !== label.column).map((column) => column.name);
    const hint = meantName(name, others, `The columns are ${listNames(others)}.`);
    const use = option === "without" ? "to leave out" : `to use as the ${option}`;
    throw new InputError("COLUMN_NOT_FOUND", `The file has no column ${quotedName(name)} ${use}. ${hint}`, {
      line: 1,
      column: name,
    });
  };
  for (const name of request.withoutColumns ?? []) columnOf(name, "without");
  return { group: columnOf(request.groupColumn, "group"), time: columnOf(request.timeColumn, "time") };
}

function labelRefusal(name: string, option: KeyOption): InputError {
  const is = `Column ${quotedName(name)} is the label`;
  if (option === "without") {
    const message = `${is}, which cannot be left out. Leave out other columns only, or choose another label.`;
    return new InputError("LABEL_LEFT_OUT", message, { column: name });
  }
  const message = `${is}; it cannot name the ${option} of a row as well.`;
  return new InputError(option === "group" ? "UNUSABLE_GROUP" : "UNUSABLE_TIME", message, { column: name });
}

/** The keys of all rows of a table whose files are read in this order. @throws InputError */
export function readKeys(
  request: KeyRequest,
  profile: TableProfile,
  files: readonly KeyFile[],
  table: Table,
  stop: StopSignal,
): KeysAnswer {
  const { group, time } = findKeys(request, profile);
  const names = { group: group?.name ?? null, time: time?.name ?? null };
  if (group === null && time === null) return { keys: INDEPENDENT_ROWS, names, groupCount: 0, warnings: [] };
  const markers = profile.missingMarkers;
  const labels = new Set(table.labels);
  const whyUnread = profile.warnings.find(({ code, column }) => column === time?.name && UNREAD_CODES.has(code));
  const reader = new KeyReader({ group, time, markers, rowCount: table.rowCount, whyUnread });
  for (const [file, { place, names: fileNames, positions, readings }] of files.entries()) {
    const timeReading = readings?.[time?.position ?? 0];
    readAgain(place, fileNames, stop, () => {
      reader.beginFile(file, timeReading?.kind === time?.reading.kind ? timeReading : null);
      const labelAt = positions[profile.label.column]!;
      const at = { group: positions[group?.position ?? 0]!, time: positions[time?.position ?? 0]! };
      return (batch) => reader.add(batch, at, (record) => labels.has(batch.records[record]![labelAt]!.trim()));
    });
  }
  const { keys, groupCount, warnings } = reader.finish();
  const late = checkKeys(table, keys, groupCount, names);
  return { keys, names, groupCount, warnings: [...warnings, ...late] };
}
