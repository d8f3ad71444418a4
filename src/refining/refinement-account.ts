// The summary of a refinement.
import { basename } from "node:path";
import type { Warning } from "../../engine/warning.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import type { RefinementFile, RefinementSummary } from "../summary/refinement-summary.ts";
import { GIVES_AWAY, IF_KNOWN_LATER } from "../verdict/leak-words.ts";
import type { RefineOptions, RefineOutcome } from "./refinement-job.ts";

/** Least share of TEST rows found in TRAIN for a warning. */
const NOTABLE_OVERLAP = 0.05;

export interface AccountInput {
  outcome: RefineOutcome;
  options: RefineOptions;
  /** Class codes to texts. */
  labels: readonly string[];
  label: string;
  train: RefinementFile;
  test: RefinementFile | null;
  testRows: number;
  activities: RefinementSummary["activities"];
  files: RefinementSummary["files"];
  workers: number;
  elapsedSeconds: number;
  /** From reading the files. */
  warnings: readonly Warning[];
}

/** The part that the API shows too (D01). `warnings`: from reading the files. */
export function refinementResult(outcome: RefineOutcome, hasTestFile: boolean, warnings: readonly Warning[]) {
  const { columns, reached, reachedTarget } = outcome;
  const namesOf = (decision: "KEEP" | "REMOVE") =>
    columns.filter((column) => column.decision === decision).map(({ name }) => name);
  return {
    partial: outcome.partial,
    reachedTarget,
    baselineTarget: outcome.baselineTarget,
    recommendedThreshold: reachedTarget,
    keptAccuracy: reached[0]?.accuracy ?? null,
    holdoutEstimate: outcome.holdoutEstimate,
    columns,
    keptColumns: namesOf("KEEP"),
    removedColumns: namesOf("REMOVE"),
    warnings: [...warnings, ...warningsOf(outcome, hasTestFile)],
  };
}

export function summariseRefinement(input: AccountInput): RefinementSummary {
  const { outcome, options, labels, label, train, test, testRows } = input;
  const { current, baseline, majority } = outcome;
  return {
    cupelVersion: CUPEL_VERSION,
    state: outcome.state,
    stateReason: outcome.stateReason,
    ...refinementResult(outcome, test !== null, input.warnings),
    majority: {
      label: labels[majority.code]!,
      falseDecisions: majority.falseDecisions,
      accuracy: majority.accuracy,
    },
    baselineTopPerformances: baseline,
    currentTopPerformances: current,
    keptPerformances: outcome.reached,
    checkpoints: outcome.checkpoints,
    activities: input.activities,
    train,
    test,
    testRows,
    label,
    files: input.files,
    numberOfBuckets: options.numberOfBuckets,
    seed: options.seed,
    workers: input.workers,
    budgetSeconds: outcome.budgetSeconds,
    elapsedSeconds: input.elapsedSeconds,
    progressCompleted: outcome.progressCompleted,
    progressTotal: outcome.progressTotal,
  };
}

export function fileOf(
  path: string,
  { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
  rows: number,
): RefinementFile {
  return { name: basename(path), sha256, sizeBytes, rows };
}

function warningsOf({ columns, overlap }: RefineOutcome, hasTestFile: boolean): Warning[] {
  const warnings: Warning[] = columns
    .filter(({ decision, flags }) => decision === "KEEP" && flags.includes("TARGET_LEAK_SUSPECT"))
    .map(({ name }) => ({
      code: "TARGET_LEAK_SUSPECT",
      message:
        `Column "${name}" alone ${GIVES_AWAY}. ${IF_KNOWN_LATER} If so, have such columns removed: ` +
        "--remove-leaks or, in the API, removeLeaks.",
      column: name,
    }));
  if (hasTestFile && overlap >= NOTABLE_OVERLAP) {
    const share = `${(100 * overlap).toFixed(1)}%`;
    const message =
      `${share} of the TEST rows also stand in TRAIN, cell by cell. ` +
      "Unless such rows are common in the data, figures on TEST are too good.";
    warnings.push({ code: "ROW_OVERLAP", message });
  }
  return warnings;
}
