// Reading a labelled table from disk: one pass for the profile of its columns, one for the levels.
import type { TableProfile } from "../engine/columns/profile.ts";
import { TableBuilder } from "../engine/columns/table-builder.ts";
import { readCsv } from "../engine/csv/read.ts";
import { type Distribution, distributionOf } from "../engine/distribution.ts";
import { InputError } from "../engine/input-error.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import type { Table } from "../engine/table.ts";
import { fileChunks } from "./file-chunks.ts";
import type { ReadTableRequest, SourceColumn, TableAnswer } from "./messages.ts";
import { profileFile } from "./profile-file.ts";

/** Rows with a label that training needs: below, no row could be held out of each part. */
const LEAST_ROWS = 10;

/** Throws InputError where the file cannot be read or holds nothing to train on. */
export function readTable(request: ReadTableRequest, stop: StopSignal): TableAnswer {
  const { profile, report, sha256, sizeBytes } = profileFile(request, stop);
  let builder = new TableBuilder(profile);
  readCsv(
    () => fileChunks(request.path, stop),
    () => {
      builder = new TableBuilder(profile);
      return (batch) => builder.add(batch);
    },
  );
  const { table } = builder.finish();
  if (table.rowCount < LEAST_ROWS) {
    throw new InputError(
      "TOO_FEW_ROWS",
      `The table has ${table.rowCount} rows with a label; training needs at least ${LEAST_ROWS}.`,
    );
  }
  const { label } = profile;
  return {
    table,
    columns: sourceColumns(profile, table),
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
  return columns.map(({ name, index, kind, missing, distinct, reading, unusedReason }): SourceColumn => {
    const role = index === label.column ? "label" : "feature";
    const feature = firstFeature.get(index);
    const used = feature !== undefined;
    const reason = used || role === "label" ? null : unusedReason;
    const distribution: Distribution | null = used ? distributionOf(table, feature) : null;
    return { name, kind, role, missing, distinct, reading, used, reason, distribution };
  });
}
