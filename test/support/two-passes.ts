// Both passes over a table, with the sinks handed to the reader as a test wants them.

import { readCsv } from "../../engine/csv/read.ts";
import type { CellSink, ChunkTaker, RecordSink } from "../../engine/csv/types.ts";
import { ownRecords, TableFiller } from "../../engine/filling/table-filler.ts";
import { layOutTable } from "../../engine/filling/table-frame.ts";
import { labelledRowCount, type TableProfile } from "../../engine/profile/profile.ts";
import { type ProfilerOptions, TableProfiler } from "../../engine/profile/profiler.ts";
import type { Table } from "../../engine/table/table.ts";
import { takeRecords } from "./cells.ts";

type OpenChunks = (taker: ChunkTaker) => Iterable<Uint8Array>;
/** What the reader is given in the place of a sink. */
export type Handing = (sink: CellSink) => RecordSink | CellSink;

/** Cut from bytes where the reader can. */
export const asCells: Handing = (sink) => sink;
/** All by papaparse. */
export const asStrings: Handing = (sink) => (batch) => takeRecords(sink, batch);

/** The last column is the label. */
export function firstPass(
  openChunks: OpenChunks,
  hand: Handing,
  options: Omit<ProfilerOptions, "delimiter" | "label">,
): TableProfile {
  let profiler: TableProfiler | null = null;
  readCsv(openChunks, ({ names, delimiter }) => {
    profiler = new TableProfiler(names, { delimiter, label: null, ...options });
    return hand(profiler);
  });
  return (profiler as TableProfiler | null)!.finish();
}

export function secondPass(openChunks: OpenChunks, hand: Handing, profile: TableProfile): Table {
  const fresh = () => {
    const frame = layOutTable(profile, labelledRowCount(profile));
    return { table: frame.table, filler: new TableFiller(frame, ownRecords(profile)) };
  };
  let own = fresh();
  readCsv(openChunks, () => {
    own = fresh();
    return hand(own.filler);
  });
  own.filler.finish();
  return own.table;
}
