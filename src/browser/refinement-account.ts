// Joins the API's answers about a refinement into what the report's pictures are drawn from.
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import type { RefinementEvidence } from "../api/refinements/refinement-evidence.ts";
import type { RefinementProgress } from "../api/refinements/refinement-progress.ts";
import type { RefinementAnswer } from "../api/refinements/refinement-result.ts";
import type { PerformanceRow, RefinementState } from "../refinement-summary.ts";
import type { ColumnsView } from "../report/refinement/refinement-columns.ts";
import type { RefinementOutcome } from "../report/refinement/refinement-words.ts";

/** The API types states, families, kinds and reasons as plain strings: the casts narrow them. */
export function outcomeOf(
  { state }: RefinementProgress,
  result: RefinementAnswer,
  evidence: RefinementEvidence,
): RefinementOutcome {
  const evidenceAt = new Map(evidence.evidence.map(({ name: _, position, ...figures }) => [position, figures]));
  return {
    ...result,
    state: state as RefinementState,
    columns: result.columns.map(
      (column) => ({ ...column, evidence: evidenceAt.get(column.position)! }) as ColumnDecision,
    ),
    majority: evidence.majority,
    baselineTopPerformances: evidence.baselinePerformances as PerformanceRow[],
    currentTopPerformances: evidence.currentPerformances as PerformanceRow[],
    keptPerformances: evidence.keptPerformances as PerformanceRow[],
    checkpoints: evidence.checkpoints,
    train: { rows: evidence.trainRowCount },
    testRows: evidence.testRowCount,
  };
}

/** The data for the table of decisions. */
export function columnsViewOf(refinement: RefinementOutcome, evidence: RefinementEvidence): ColumnsView {
  const { read, classes, distributions, labelColumn } = evidence;
  const histograms = new Map(distributions.map(({ name, ...distribution }) => [name, distribution]));
  return {
    refinement,
    classes,
    columns: read.map(({ name, kind, missing, distinct }) => ({
      ...{ name, missing, distinct, reason: null, distribution: histograms.get(name) ?? null },
      kind: kind as ColumnsView["columns"][number]["kind"],
      role: name === labelColumn ? ("label" as const) : ("feature" as const),
      used: histograms.has(name),
    })),
    rowCount: classes.reduce((sum, { count }) => sum + count, 0),
    jsonFile: "refinement.json",
  };
}
