// Joins the API's answers about a refinement into what the report's pictures are drawn from.
import type { PerformanceRecord } from "../../../data/database/records.ts";
import type { ColumnDecision } from "../../../engine/refinement/decision.ts";
import type { ColumnsView } from "../../report/refinement/refinement-columns.ts";
import type { RefinementOutcome } from "../../report/refinement/refinement-words.ts";
import type { RefinementState } from "../../summary/refinement-summary.ts";
import type { ColumnSummary } from "../../summary/summary.ts";
import type { RefinementEvidence } from "./refinement-evidence.ts";
import type { RefinementProgress } from "./refinement-progress.ts";
import type { RefinementAnswer } from "./refinement-result.ts";

/** The API types states, families, kinds and reasons as plain strings: the casts narrow them. */
export function outcomeOf(
  { state }: RefinementProgress,
  result: RefinementAnswer,
  evidence: RefinementEvidence,
): RefinementOutcome {
  return {
    ...result,
    state: state as RefinementState,
    columns: decisionsOf(result, evidence),
    majority: evidence.majority,
    baselineTopPerformances: evidence.baselinePerformances as PerformanceRecord[],
    currentTopPerformances: evidence.currentPerformances as PerformanceRecord[],
    keptPerformances: evidence.keptPerformances as PerformanceRecord[],
    checkpoints: evidence.checkpoints,
    train: { rows: evidence.trainRowCount },
    testRows: evidence.testRowCount,
  };
}

/** The decision about each column, with the figures behind it. */
export function decisionsOf({ columns }: RefinementAnswer, { evidence }: RefinementEvidence): ColumnDecision[] {
  const figuresAt = new Map(evidence.map(({ name: _, position, ...figures }) => [position, figures]));
  return columns.map((column) => ({ ...column, evidence: figuresAt.get(column.position)! }) as ColumnDecision);
}

/** The columns as reading found them. */
export function columnSummariesOf({ read, distributions, labelColumn }: RefinementEvidence): ColumnSummary[] {
  const histograms = new Map(distributions.map(({ name, ...distribution }) => [name, distribution]));
  return read.map(({ name, kind, missing, distinct }) => ({
    ...{ name, missing, distinct, reason: null, distribution: histograms.get(name) ?? null },
    kind: kind as ColumnSummary["kind"],
    role: name === labelColumn ? "label" : "feature",
    used: histograms.has(name),
  }));
}

/** The data for the table of decisions. */
export function columnsViewOf(refinement: RefinementOutcome, evidence: RefinementEvidence): ColumnsView {
  const { classes } = evidence;
  const rowCount = classes.reduce((sum, { count }) => sum + count, 0);
  return { refinement, classes, columns: columnSummariesOf(evidence), rowCount, jsonFile: "refinement.json" };
}
