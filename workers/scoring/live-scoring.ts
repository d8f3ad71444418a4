// Scores a few rows of JSON while the caller waits, with the same reading and models as for files.

import type { ColumnReading } from "../../engine/columns/reading.ts";
import { quotedName } from "../../engine/csv/header.ts";
import type { Reason } from "../../engine/explain/reasons.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import { ColumnMismatch, type MismatchedColumns } from "../../engine/scoring/column-mismatch.ts";
import type { OddCell } from "../../engine/scoring/odd-cells.ts";
import type { Scorer } from "../../engine/scoring/scorer.ts";
import { type TypedCell, typedCellText } from "../../engine/scoring/typed-cell.ts";
import type { Warning } from "../../engine/warning.ts";
import type { FileCounts } from "../../engine/watch/file-counts.ts";
import type { ModelCache, ReadyModel } from "./model-cache.ts";

/** Odd cells listed of each row. */
const MOST_ODD_CELLS = 100;
/** Names listed in a message. */
const NAMES_LISTED = 10;

/** Values by column name. */
export type JsonRow = Readonly<Record<string, TypedCell>>;

interface LiveScore {
  label: string;
  /** The label's probability. */
  confidence: number;
  /** By label. */
  probabilities: Readonly<Record<string, number>>;
  /** The strongest first; left out where none were asked for. */
  reasons?: LiveReason[];
  /** Cells that the model could not take as they stand, in its columns' order; left out where there are none. */
  oddCells?: LiveOddCell[];
}

interface LiveOddCell {
  /** Its name. */
  column: string;
  code: OddCell["code"];
}

interface LiveReason extends Omit<Reason, "column" | "minus"> {
  /** Its name. */
  column: string;
  /** The name of the column that is taken off, where the reason is a difference. */
  minus?: string;
}

export interface LiveAnswer {
  /** One per row, in their order. */
  scores: LiveScore[];
  /** About values unlike the training data, and about names that the model does not know. */
  warnings: Warning[];
}

/**
 * Scores rows. Blocks: well below a millisecond per row once the model is
 * cached, longer the first time, and with reasons.
 *
 * `follow`: is given the counts before these rows are added to them, where the cache counts.
 *
 * @throws ColumnMismatch where a row lacks a column that the model needs, InputError UNREADABLE_COLUMN
 */
export function scoreRows(
  cache: ModelCache,
  modelPath: string,
  rows: readonly JsonRow[],
  reasonCount = 0,
  follow: ((counts: FileCounts) => void) | null = null,
): LiveAnswer {
  const ready = cache.open(modelPath);
  const { file } = ready;
  const { scorer, warnings: notes } = scorerOf(ready, reasonCount);
  const warnings = [...notes, ...checkColumns(file, rows)];
  const names = categoryNames(file);
  const oddCells = scorer.coder.beginAnew();
  const readings = readAsWritten(file, scorer, rows);
  const records = rows.map((row) =>
    file.columns.map(({ name }, at) => typedCellText(row[name], readings[at]!, names[at]!)),
  );
  if (scorer.counts !== null) follow?.(scorer.counts);
  const { probabilities, decisions, reasons } = scorer.score(records);
  const { labels, columns } = file;
  const oddOfRow = new Map<number, LiveOddCell[]>();
  for (const { row, column, code } of oddCells) {
    const cells = oddOfRow.get(row) ?? [];
    if (cells.length < MOST_ODD_CELLS) cells.push({ column: columns[column]!.name, code });
    oddOfRow.set(row, cells);
  }
  oddCells.length = 0;
  const scores = rows.map((_, index): LiveScore => {
    const ofRow = probabilities.subarray(index * labels.length, (index + 1) * labels.length);
    const decided = decisions[index]!;
    const odd = oddOfRow.get(index);
    const score: LiveScore = {
      label: labels[decided]!,
      confidence: ofRow[decided]!,
      probabilities: Object.fromEntries(labels.map((label, code) => [label, ofRow[code]!])),
      ...(odd !== undefined && { oddCells: odd }),
    };
    if (reasonCount === 0) return score;
    const named = (reasons[index] ?? []).map(({ column, minus, ...effects }) => ({
      column: columns[column]!.name,
      ...(minus !== undefined && { minus: columns[minus]!.name }),
      ...effects,
    }));
    return { ...score, reasons: named.slice(0, reasonCount) };
  });
  return { scores, warnings: [...warnings, ...scorer.warnings()] };
}

/** Without reasons where they would take too much memory, with a warning that says so. */
function scorerOf(ready: ReadyModel, reasonCount: number): { scorer: Scorer; warnings: Warning[] } {
  if (reasonCount === 0) return { scorer: ready.scorer, warnings: [] };
  try {
    return { scorer: ready.explaining(), warnings: [] };
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "REASONS_TOO_LARGE") throw error;
    const { code, message } = error;
    return { scorer: ready.scorer, warnings: [{ code, message }] };
  }
}

function checkColumns({ columns, label }: ModelFile, rows: readonly JsonRow[]): Warning[] {
  const isNeeded = new Set(columns.map(({ name }) => name));
  const unexpected = new Set<string>();
  rows.forEach((row, index) => {
    for (const name of Object.keys(row)) if (!isNeeded.has(name) && name !== label) unexpected.add(name);
    const missing = columns.filter(({ name }) => !Object.hasOwn(row, name)).map(({ name }) => name);
    if (missing.length === 0) return;
    const particulars = { missing, unexpected: [...unexpected], expectedCount: columns.length };
    throw new ColumnMismatch(mismatchMessage(index, particulars), particulars);
  });
  if (unexpected.size === 0) return [];
  const count = unexpected.size;
  const which = count === 1 ? "One name" : `${count} names`;
  const message = `${which} that the model does not know ${count === 1 ? "was" : "were"} ignored: ${listed([...unexpected])}.`;
  return [{ code: "EXTRA_COLUMNS", message, count }];
}

function mismatchMessage(index: number, { missing, expectedCount }: MismatchedColumns): string {
  const what = missing.length === 1 ? "a column" : `${missing.length} columns`;
  return (
    `Row ${index + 1} lacks ${what} of the ${expectedCount} that the model needs: ${listed(missing)}. ` +
    "Names must match exactly; where there is no value, send null."
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_LISTED).map(quotedName);
  return names.length > NAMES_LISTED ? `${shown.join(", ")}, …` : shown.join(", ");
}

/** The categories of each column; empty for a column of another kind. */
function categoryNames({ columns, features }: ModelFile): readonly (readonly string[])[] {
  const names: (readonly string[])[] = columns.map(() => []);
  for (const feature of features) if (feature.kind === "category") names[feature.column] = feature.names;
  return names;
}

/**
 * Finds how texts are written here, which may differ from the training file. JSON numbers need no reading.
 * @throws InputError UNREADABLE_COLUMN
 */
function readAsWritten(file: ModelFile, scorer: Scorer, rows: readonly JsonRow[]): readonly ColumnReading[] {
  const dialect = scorer.newDialect(null);
  rows.forEach((row, index) => {
    file.columns.forEach(({ name }, at) => {
      const value = row[name];
      if (typeof value === "string") dialect.addText(at, value, index + 1);
    });
  });
  scorer.readAs(dialect);
  return dialect.readings();
}
