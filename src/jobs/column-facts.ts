// Facts about a table's columns as the database stores them, with histograms as far as space allows.
import type { DatasetColumn } from "../../data/database/records.ts";
import { shortened } from "../../engine/shortened.ts";
import type { Distribution } from "../../engine/table/distribution.ts";
import type { Warning } from "../../engine/warning.ts";
import type { SourceColumn } from "../../workers/messages.ts";
import { summariseColumn } from "../training/run-summary.ts";

/** Limit of all histogram counts of a table together: a few hundred kilobytes in its database row. */
const MOST_COUNTS = 50_000;
const LONGEST_BAR = 60;

/** All columns in file order; where there are many, only the first ones keep their histograms. */
export function columnFacts(columns: readonly SourceColumn[], warnings: readonly Warning[]): DatasetColumn[] {
  let room = MOST_COUNTS;
  return columns.map((column) => {
    const { role: _role, used: _used, reason, distribution, text, ...read } = summariseColumn(column);
    room -= (distribution?.bars.length ?? 0) * (distribution?.counts[0]?.length ?? 0);
    // Why the column is not used, or else the first warning about it from reading.
    const warning = reason ?? warnings.find((one) => one.column === read.name)?.message ?? null;
    const facts = { ...read, warning, distribution: room < 0 ? null : withShortBars(distribution) };
    if (text === undefined) return facts;
    const { tellingWords: _, ...profile } = text;
    return { ...facts, text: profile };
  });
}

/** Bars are named after cells, which may be of any length. */
function withShortBars(distribution: Distribution | null): Distribution | null {
  if (distribution === null) return null;
  return { bars: distribution.bars.map((bar) => shortened(bar, LONGEST_BAR)), counts: distribution.counts };
}
