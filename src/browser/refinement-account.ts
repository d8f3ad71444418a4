// A refinement as the report's pictures take it, put together from what the API answers.
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import type { RefinementItem } from "../api/feature-refinery.ts";
import type { RefinementEvidence } from "../api/refinement-evidence.ts";
import type { RefinementProgress } from "../api/refinement-progress.ts";
import type { RefinementAnswer } from "../api/refinement-result.ts";
import type { PerformanceRow, RefinementState, RefinementSummary } from "../refinement-summary.ts";
import type { ColumnsView } from "../report/refinement-columns.ts";

/** All that there is of a run; the last two once it has a result. */
export interface RefinementParts {
  run: RefinementItem;
  progress: RefinementProgress;
  result: RefinementAnswer | null;
  /** Null for runs of earlier versions, too. */
  evidence: RefinementEvidence | null;
}

/** Hashes, seeds and the like are not to be seen on a screen, and are left empty. */
export function summaryOf(
  { run, progress }: RefinementParts,
  result: RefinementAnswer,
  evidence: RefinementEvidence,
): RefinementSummary {
  const file = (name: string | null, rows: number) => ({ name: name ?? "", sha256: "", sizeBytes: 0, rows });
  const { partial, reachedTarget, baselineTarget, recommendedThreshold, keptAccuracy, holdoutEstimate } = result;
  const hasTestFile = result.files.some(({ kind }) => kind === "TEST");
  return {
    ...{ partial, reachedTarget, baselineTarget, recommendedThreshold, keptAccuracy, holdoutEstimate },
    cupelVersion: "",
    // The API's words are these types; older servers have none that are not in them.
    state: progress.state as RefinementState,
    stateReason: progress.errorReason ?? "",
    majority: evidence.majority,
    baselineTopPerformances: evidence.baselinePerformances as PerformanceRow[],
    currentTopPerformances: evidence.currentPerformances as PerformanceRow[],
    keptPerformances: evidence.keptPerformances as PerformanceRow[],
    columns: decisionsOf(result, evidence),
    keptColumns: result.keptColumns,
    removedColumns: result.removedColumns,
    checkpoints: evidence.checkpoints,
    activities: progress.recentActivities,
    train: file(run.trainFileName, evidence.trainRowCount),
    test: hasTestFile ? file(run.testFileName, evidence.testRowCount) : null,
    testRows: evidence.testRowCount,
    label: evidence.labelColumn,
    files: [],
    numberOfBuckets: run.numberOfBuckets,
    seed: 0,
    workers: 0,
    budgetSeconds: 0,
    elapsedSeconds: progress.elapsedSeconds,
    progressCompleted: progress.progressCompleted ?? 0,
    progressTotal: progress.progressTotal,
    warnings: [],
  };
}

function decisionsOf({ columns }: RefinementAnswer, { evidence }: RefinementEvidence): ColumnDecision[] {
  const evidenceAt = new Map(evidence.map(({ name: _name, position, ...figures }) => [position, figures]));
  return columns.map((column) => ({ ...column, evidence: evidenceAt.get(column.position)! }) as ColumnDecision);
}

/** For the table of decisions. */
export function columnsViewOf(refinement: RefinementSummary, evidence: RefinementEvidence): ColumnsView {
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
