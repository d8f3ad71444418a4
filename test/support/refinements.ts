// Hand-made refinements: a normal one, nothing to remove, nothing found, too
// few rows, cut short in every way, hostile, wide.

import type { PerformanceRecord } from "../../data/database/records.ts";
import { Random } from "../../engine/random.ts";
import type { ColumnDecision, ColumnEvidence, ColumnFlag } from "../../engine/refinement/decision.ts";
import type { RefinementSummary } from "../../src/summary/refinement-summary.ts";
import type { ClassCount, ColumnSummary } from "../../src/summary/summary.ts";
import { HOSTILE_TEXTS } from "./summaries.ts";
import { columnsOf } from "./summary-parts.ts";

export const REFINEMENT_CLASSES: readonly ClassCount[] = [
  { label: "no", count: 3380 },
  { label: "yes", count: 620 },
];

const TEST_ROWS = 1000;

/** What a page on a refinement is drawn from. */
export interface RefinementPage {
  summary: RefinementSummary;
  columns: readonly ColumnSummary[];
  classes: readonly ClassCount[];
}

/** Thirty columns, twelve of them kept, two proposals accepted and one refused. */
export function normalRefinement(columnCount = 30): RefinementPage {
  const columns = columnsOf(columnCount + 1, [3380, 620]);
  const decisions = columns.slice(0, -1).map((column, i) => decisionOf(column, i, columns));
  return { summary: summaryOf(decisions), columns, classes: REFINEMENT_CLASSES };
}

/** Every column has a signal of its own. */
export function allKeptRefinement(): RefinementPage {
  const page = normalRefinement(8);
  const decisions = page.summary.columns.map((column): ColumnDecision => ({ ...column, ...kept("SIGNAL_UNIVARIATE") }));
  const summary = summaryOf(decisions);
  return {
    ...page,
    summary: {
      ...summary,
      currentTopPerformances: summary.baselineTopPerformances,
      keptPerformances: summary.baselineTopPerformances,
      checkpoints: [],
      files: [],
    },
  };
}

/** No column tells more than noise, and the models are no better than the most frequent answer. */
export function nothingFoundRefinement(): RefinementPage {
  const page = normalRefinement(8);
  const decisions = page.summary.columns.map(
    (column): ColumnDecision => ({ ...column, ...kept("KEPT_NO_SIGNAL_FOUND"), evidence: noise(column.position) }),
  );
  const rows = performanceRows([155, 158, 171]).map((row) => ({ ...row, precision: null, f1Score: null }));
  return {
    ...page,
    summary: {
      ...summaryOf(decisions),
      reachedTarget: null,
      baselineTarget: null,
      recommendedThreshold: null,
      keptAccuracy: 0.845,
      holdoutEstimate: { mean: 0.84, low: 0.8008, high: 0.8727 },
      baselineTopPerformances: rows,
      currentTopPerformances: rows,
      keptPerformances: rows,
      checkpoints: [],
    },
  };
}

/** The kept columns are somewhat worse than all of them, by no more than chance gives. */
export function slightlyWorseRefinement(): RefinementPage {
  const page = normalRefinement();
  const { checkpoints, baselineTopPerformances } = page.summary;
  return {
    ...page,
    summary: {
      ...page.summary,
      keptAccuracy: 0.931,
      currentTopPerformances: baselineTopPerformances,
      keptPerformances: performanceRows([69, 103, 84]),
      checkpoints: [{ ...checkpoints[0]!, falseDecisions: 69, worseBy: 1.3, columnCount: 13 }],
    },
  };
}

/** Too few rows to judge columns by, and no TEST file. */
export function fewRowsRefinement(): RefinementPage {
  const page = normalRefinement(13);
  const decisions = page.summary.columns.map(
    (column): ColumnDecision =>
      column.decision === "KEEP" || column.reason === "NO_SIGNAL"
        ? { ...column, ...kept("KEPT_FEW_ROWS"), evidence: unmeasured(), importance: null, stability: null }
        : column,
  );
  const summary = summaryOf(decisions);
  return {
    ...page,
    summary: {
      ...summary,
      train: { ...summary.train, rows: 180 },
      test: null,
      testRows: 36,
      holdoutEstimate: null,
      majority: { label: "no", falseDecisions: 6, accuracy: 30 / 36 },
      baselineTopPerformances: performanceRows([5, 6, 6], 36),
      currentTopPerformances: performanceRows([5, 6, 6], 36),
      keptPerformances: performanceRows([5, 6, 6], 36),
      reachedTarget: 0.838,
      recommendedThreshold: 0.838,
      keptAccuracy: 31 / 36,
      checkpoints: [],
    },
  };
}

/** The time was up after the first checkpoint: what had been found by then is given. */
export function timeoutRefinement(): RefinementPage {
  const page = normalRefinement();
  const columns = page.summary.columns.map(
    (column): ColumnDecision => ({ ...column, evidence: { ...column.evidence, permutationZ: null } }),
  );
  return {
    ...page,
    summary: {
      ...page.summary,
      state: "TIMEOUT",
      stateReason: "The limit of 60 seconds was reached while near copies were compared.",
      partial: true,
      columns,
      checkpoints: page.summary.checkpoints.slice(0, 1),
      holdoutEstimate: null,
      progressCompleted: 31,
    },
  };
}

/** The time was up before anything was found. */
export function emptyTimeoutRefinement(): RefinementPage {
  const page = normalRefinement();
  return {
    ...page,
    summary: {
      ...page.summary,
      ...withoutResult(),
      state: "TIMEOUT",
      stateReason: "The limit of 5 seconds was reached.",
    },
  };
}

/** Cancelled before the columns were looked at. */
export function cancelledRefinement(): RefinementPage {
  const page = normalRefinement();
  const summary: RefinementSummary = {
    ...page.summary,
    ...withoutResult(),
    state: "CANCELLED",
    stateReason: "Stopped by Ctrl-C after 1 second.",
    progressTotal: null,
  };
  return { summary, columns: [], classes: [] };
}

/** A fault after the models on all columns were measured and a proposal was refused. */
export function failedRefinement(): RefinementPage {
  const page = normalRefinement();
  const { baselineTopPerformances, checkpoints } = page.summary;
  return {
    ...page,
    summary: {
      ...page.summary,
      ...withoutResult(),
      baselineTopPerformances,
      currentTopPerformances: baselineTopPerformances,
      checkpoints: checkpoints.slice(2),
      state: "ERROR",
      stateReason: "A worker ended unexpectedly.",
    },
  };
}

/** Every name and every sentence tries to leave its place; figures are at their edges. */
export function hostileRefinement(): RefinementPage {
  const page = normalRefinement(24);
  const text = (i: number) => HOSTILE_TEXTS[i % HOSTILE_TEXTS.length]!;
  const columns = page.columns.map((column, i) => ({ ...column, name: text(i) }));
  const decisions = page.summary.columns.map((column, i) => ({
    ...column,
    name: text(i),
    kind: text(1),
    with: column.with === null ? null : text(i + 1),
  }));
  const evil = text(1);
  const extreme: ColumnEvidence = { ...unmeasured(), pValue: 0, gain: 1, shadowGain: 0, hits: 20, rounds: 20 };
  decisions[0] = { ...decisions[0]!, evidence: { ...extreme, permutationZ: 1e6, mutualInformation: 0 } };
  decisions[1] = {
    ...decisions[1]!,
    evidence: { ...unmeasured(), pValue: 1, gain: 0, shadowGain: 0, permutationZ: -3 },
  };
  const summary = summaryOf(decisions);
  return {
    columns,
    classes: HOSTILE_TEXTS.map((label) => ({ label, count: 7 })),
    summary: {
      ...summary,
      label: text(0),
      state: "ERROR",
      partial: true,
      stateReason: evil,
      majority: { ...summary.majority, label: text(5) },
      train: { name: evil, sha256: text(0), sizeBytes: Number.NaN, rows: 4000 },
      test: { name: text(7), sha256: "", sizeBytes: 0, rows: 1000 },
      checkpoints: summary.checkpoints.map((checkpoint) => ({ ...checkpoint, proposal: evil })),
      activities: [{ timestamp: evil, state: text(0) }],
      files: [{ kind: "TRAIN", file: evil, sizeBytes: 1 }],
      warnings: [{ code: evil, message: text(0), column: evil }],
    },
  };
}

/** A summary over the decisions given: 62 wrong decisions before, 55 after. */
function summaryOf(columns: readonly ColumnDecision[]): RefinementSummary {
  const named = (decision: "KEEP" | "REMOVE") =>
    columns.filter((column) => column.decision === decision).map(({ name }) => name);
  const keptColumns = named("KEEP");
  return {
    cupelVersion: "0.1.0",
    state: "REFINEMENT_COMPLETED",
    stateReason: "Every stage was made.",
    partial: false,
    reachedTarget: 0.929,
    baselineTarget: 0.921,
    recommendedThreshold: 0.929,
    keptAccuracy: 0.945,
    holdoutEstimate: { mean: 0.9375, low: 0.9093, high: 0.9573 },
    majority: { label: "no", falseDecisions: 155, accuracy: 0.845 },
    baselineTopPerformances: performanceRows([62, 131, 97]),
    currentTopPerformances: performanceRows([55, 103, 84]),
    keptPerformances: performanceRows([55, 103, 84]),
    columns,
    keptColumns,
    removedColumns: named("REMOVE"),
    checkpoints: [
      {
        proposal: "columns with a signal",
        columnCount: keptColumns.length + 3,
        falseDecisions: 58,
        worseBy: -0.7,
        accepted: true,
      },
      {
        proposal: "one of each group of near copies",
        columnCount: keptColumns.length,
        falseDecisions: 55,
        worseBy: -0.9,
        accepted: true,
      },
      { proposal: "without the weakest quarter", columnCount: 9, falseDecisions: 64, worseBy: 2.1, accepted: false },
    ],
    activities: [
      { timestamp: "2026-03-02T09:14:05Z", state: "REFINEMENT_STARTED" },
      { timestamp: "2026-03-02T09:14:07Z", state: "MEASURE_INITIAL" },
      { timestamp: "2026-03-02T09:14:21Z", state: "RELEVANCE" },
      { timestamp: "2026-03-02T09:15:02Z", state: "REFINEMENT_COMPLETED" },
    ],
    train: { name: "churn-train.csv", sha256: "9f86d081884c7d659a2feaa0c55ad015", sizeBytes: 412_345, rows: 4000 },
    test: { name: "churn-test.csv", sha256: "4e07408562bedb8b60ce05c1decfe3ad", sizeBytes: 101_200, rows: 1000 },
    testRows: TEST_ROWS,
    label: "churn",
    files: [
      { kind: "TRAIN", file: "train.csv", sizeBytes: 201_000 },
      { kind: "TEST", file: "test.csv", sizeBytes: 50_400 },
    ],
    numberOfBuckets: 20,
    seed: 42,
    workers: 2,
    budgetSeconds: 90,
    elapsedSeconds: 57.3,
    progressCompleted: 49,
    progressTotal: 49,
    warnings: [{ code: "ROW_OVERLAP", message: "12 rows of TEST also stand in TRAIN.", count: 12 }],
  };
}

function withoutResult(): Partial<RefinementSummary> {
  return {
    partial: false,
    reachedTarget: null,
    baselineTarget: null,
    recommendedThreshold: null,
    keptAccuracy: null,
    holdoutEstimate: null,
    baselineTopPerformances: [],
    currentTopPerformances: [],
    keptPerformances: [],
    columns: [],
    keptColumns: [],
    removedColumns: [],
    checkpoints: [],
    files: [],
    progressCompleted: 3,
  };
}

function performanceRows(wrong: readonly number[], rows = TEST_ROWS): PerformanceRecord[] {
  const families = ["random forest", "naive Bayes", "logistic regression"] as const;
  return wrong.map((falseDecisions, i) => ({
    falseDecisions,
    accuracy: 1 - falseDecisions / rows,
    f1Score: 0.8 - falseDecisions / rows,
    precision: 0.9 - falseDecisions / rows,
    recall: 0.72 - falseDecisions / rows,
    best: i === 0,
    family: families[i % families.length]!,
  }));
}

function kept(reason: "SIGNAL_UNIVARIATE" | "KEPT_NO_SIGNAL_FOUND" | "KEPT_FEW_ROWS"): Partial<ColumnDecision> & {
  decision: "KEEP";
  reason: typeof reason;
} {
  return { decision: "KEEP", reason, with: null, flags: [] };
}

/** Signals get weaker with the position; the tail is copies and noise. */
function decisionOf(column: ColumnSummary, i: number, all: readonly ColumnSummary[]): ColumnDecision {
  const base = { name: column.name, position: i, kind: column.kind, with: null, flags: flagsOf(i) };
  const none = { ...base, importance: null, stability: null, evidence: unmeasured() };
  if (column.kind === "constant") return { ...none, decision: "REMOVE", reason: "CONSTANT" };
  if (column.kind === "identifier") return { ...none, decision: "REMOVE", reason: "ID_LIKE" };
  if (column.kind === "text") return { ...none, decision: "REMOVE", reason: "FREE_TEXT" };
  if (i >= 13 && i < 17) {
    const like = all[i - 13]!.name;
    if (i % 2 === 0) return { ...none, decision: "REMOVE", reason: "DUPLICATE_OF", with: like };
    return { ...base, ...measured(signal(i - 13), 0.02), decision: "REMOVE", reason: "REDUNDANT_WITH", with: like };
  }
  if (i > 19) return { ...base, ...measured(noise(i), 0.002), decision: "REMOVE", reason: "NO_SIGNAL" };
  const importance = 0.3 / (i + 1) ** 1.1;
  const reason =
    i === 0
      ? "KEPT_SUSPECT"
      : i === 3
        ? "REPRESENTATIVE"
        : i > 17
          ? "SIGNAL_INTERACTION"
          : i > 6
            ? "SIGNAL_FOREST"
            : "SIGNAL_UNIVARIATE";
  const evidence =
    reason === "SIGNAL_INTERACTION" ? { ...noise(i), permutationZ: 5.2, probabilityLoss: 0.011 } : signal(i);
  return { ...base, ...measured(evidence, importance), decision: "KEEP", reason };
}

function flagsOf(i: number): ColumnFlag[] {
  if (i === 0) return ["TARGET_LEAK_SUSPECT"];
  if (i === 6) return ["DATE_DRIFT", "TRAIN_TEST_DRIFT"];
  if (i === 10) return ["ROW_ORDER_LEAK"];
  return i === 1 ? ["MISSING_INFORMATIVE"] : [];
}

function measured(evidence: ColumnEvidence, importance: number) {
  return { evidence, importance, stability: Math.min(1, 0.4 + importance * 4) };
}

function signal(i: number): ColumnEvidence {
  return {
    pValue: 10 ** -Math.max(1.6, 22 - 3.1 * i),
    mutualInformation: 0.08 / (i + 1),
    strength: i === 0 ? 0.97 : 0.2 / (i + 1),
    hits: Math.max(12, 20 - i),
    rounds: 20,
    gain: 0.25 / (i + 1),
    shadowGain: 0.011,
    permutationZ: 14 / (i + 1) ** 0.7,
    probabilityLoss: 0.06 / (i + 1),
    accuracyLoss: 0.03 / (i + 1),
    accuracyEffect: 0.02 / (i + 1) - 0.001,
  };
}

function noise(i: number): ColumnEvidence {
  const random = new Random(i + 1);
  return {
    pValue: 0.05 + 0.9 * random.nextFloat(),
    mutualInformation: 0.0006 * random.nextFloat(),
    strength: 0,
    hits: random.nextBelow(4),
    rounds: 20,
    gain: 0.004 + 0.006 * random.nextFloat(),
    shadowGain: 0.011,
    permutationZ: 2 * random.nextFloat() - 1,
    probabilityLoss: 0.0004 - 0.0008 * random.nextFloat(),
    accuracyLoss: 0,
    accuracyEffect: -0.0004,
  };
}

function unmeasured(): ColumnEvidence {
  return {
    pValue: null,
    mutualInformation: null,
    strength: null,
    hits: null,
    rounds: null,
    gain: null,
    shadowGain: null,
    permutationZ: null,
    probabilityLoss: null,
    accuracyLoss: null,
    accuracyEffect: null,
  };
}
