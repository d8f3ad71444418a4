// Reads a labelled table from disk: one pass, as a rule. Levels come from the log of that pass; a second pass finds them where the
// logs do not tell all.

import { requireTrainable } from "../engine/columns/label.ts";
import { type ColumnProfile, labelledRowCount, type TableProfile } from "../engine/columns/profile.ts";
import { type Distribution, distributionOf } from "../engine/distribution.ts";
import { InputError } from "../engine/input-error.ts";
import { MOST_LOG_BYTES } from "../engine/reading/caps.ts";
import { fillFromLogs } from "../engine/reading/logged-levels.ts";
import { ownRecords, TableFiller } from "../engine/reading/table-filler.ts";
import { layOutTable, type TableFrame } from "../engine/reading/table-frame.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import type { Table } from "../engine/table.ts";
import type { Warning } from "../engine/warning.ts";
import { type CsvPlace, readAgain } from "./hashed-csv.ts";
import { type ProfiledFile, profileFile, type ReadTableRequest } from "./profile-file.ts";

/** Training needs so many rows with a label, so that each fold has some. */
export const LEAST_ROWS = 10;

export interface SourceColumn
  extends Pick<ColumnProfile, "name" | "index" | "kind" | "isInteger" | "missing" | "distinct" | "reading"> {
  role: "feature" | "label";
  used: boolean;
  /** Why a feature column is not used; null where it is, and for the label. */
  reason: string | null;
  distribution: Distribution | null;
}

export interface TableAnswer {
  table: Table;
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
  const frame = layOutTable(profile, labelledRowCount(profile));
  fillTable({ hasHeader: true, ...request }, profile, frame, stop);
  return tableAnswer(profiled, frame.table);
}

/** The first pass. @throws InputError where the file cannot be read or holds nothing to train on */
export function profileForTraining(request: ReadTableRequest, stop: StopSignal): ProfiledFile {
  const profiled = profileFile(request, stop, MOST_LOG_BYTES);
  requireTrainable(profiled.profile);
  const rowCount = labelledRowCount(profiled.profile);
  if (rowCount < LEAST_ROWS) {
    throw new InputError(
      "TOO_FEW_ROWS",
      `The table has ${rowCount} rows with a label; training needs at least ${LEAST_ROWS}.`,
    );
  }
  return profiled;
}

/** Fills the frame's first rows from the logs of the first pass, or by a second pass where these do not tell all. Throws InputError. */
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

/** Describes a file that was read. `own`: the rows of the table that come from it. */
export function tableAnswer({ profile, report, sha256, sizeBytes }: ProfiledFile, own: Table): TableAnswer {
  const { label } = profile;
  return {
    table: own,
    columns: sourceColumns(profile, own),
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
  return columns.map((column): SourceColumn => {
    const { name, index, kind, missing, distinct, isInteger, reading, unusedReason } = column;
    const role = index === label.column ? "label" : "feature";
    const feature = firstFeature.get(index);
    const used = feature !== undefined;
    const reason = used || role === "label" ? null : unusedReason;
    const distribution: Distribution | null = used ? distributionOf(table, feature) : null;
    return { name, index, kind, isInteger, role, missing, distinct, reading, used, reason, distribution };
  });
}
