// Records for tests of the column layer: cells in, batches as the CSV reader makes them.

import type { RecordBatch } from "../../engine/csv/types.ts";
import { ownRecords, TableFiller } from "../../engine/filling/table-filler.ts";
import { layOutTable } from "../../engine/filling/table-frame.ts";
import { type ColumnProfile, labelledRowCount, type TableProfile } from "../../engine/profile/profile.ts";
import { type ProfilerOptions, TableProfiler } from "../../engine/profile/profiler.ts";
import type { Table } from "../../engine/table/table.ts";
import { takeRecords } from "./cells.ts";

type Records = readonly (readonly string[])[];

/** Batches of `size` records; record `i` stands in line `i + 2`. */
export function batchesOf(records: Records, size = 7): RecordBatch[] {
  const batches: RecordBatch[] = [];
  for (let firstIndex = 0; firstIndex < records.length; firstIndex += size) {
    const part = records.slice(firstIndex, firstIndex + size);
    batches.push({ firstIndex, records: part, lines: Uint32Array.from(part, (_, at) => firstIndex + at + 2) });
  }
  return batches;
}

/** The profile of a table whose last column is the label unless the options say otherwise. */
export function profileOf(
  names: readonly string[],
  records: Records,
  options: Partial<ProfilerOptions> = {},
  batchSize = 7,
): TableProfile {
  const profiler = new TableProfiler(names, { delimiter: ",", label: null, ...options });
  for (const batch of batchesOf(records, batchSize)) takeRecords(profiler, batch);
  return profiler.finish();
}

export function buildOf(profile: TableProfile, records: Records, batchSize = 5): Table {
  const frame = layOutTable(profile, labelledRowCount(profile));
  const filler = new TableFiller(frame, ownRecords(profile));
  for (const batch of batchesOf(records, batchSize)) takeRecords(filler, batch);
  filler.finish();
  return frame.table;
}

/** One feature column "c" beside a label that is "a" and "b" in turn, but once: even labels are warned about. */
export function withLabel(cells: readonly string[]): string[][] {
  return cells.map((cell, row) => [cell, row % 2 === 0 && row !== 40 ? "a" : "b"]);
}

export function profileColumn(
  cells: readonly string[],
  options: Partial<ProfilerOptions> = {},
): { column: ColumnProfile; profile: TableProfile } {
  const profile = profileOf(["c", "label"], withLabel(cells), options);
  return { column: profile.columns[0]!, profile };
}
