// The parts of hand-made run summaries: attempts, versions, columns, each from a few figures.
import type { AttemptRecord } from "../../data/database/records.ts";
import type { FamilyName } from "../../engine/fitting/family.ts";
import {
  calibrationBins,
  classMetrics,
  decide,
  expectedCalibrationError,
  macroAverages,
  metricsByClass,
  wilsonInterval,
} from "../../engine/judging/metrics.ts";
import { thresholdCurve } from "../../engine/judging/thresholds.ts";
import { Random } from "../../engine/random.ts";
import type { ColumnSummary, RunSummary, VersionSummary } from "../../src/summary/summary.ts";
import { effectsOf } from "./effects.ts";

const PLAN: readonly [FamilyName, string, Readonly<Record<string, number | string | boolean>>][] = [
  ["random forest", "random forest", { treeCount: 300, featuresPerSplit: 4, minLeafRows: 1 }],
  ["logistic regression", "logistic regression", { buckets: 20, pairCount: 10, l2: 5 }],
  ["naive Bayes", "naive Bayes (k-dependence)", { parents: 2, modelCount: 12, smoothing: 10 }],
  ["random forest", "random forest (extra-trees)", { treeCount: 200, featuresPerSplit: 9, bootstrap: false }],
  ["logistic regression", "additive logistic regression", { maxDepth: 4, learningRate: 0.08, roundCount: 412 }],
  ["logistic regression", "stacked logistic regression", { baseCount: 7, l2: 10 }],
];

/**
 * Attempts with these numbers of wrong decisions: the tenth fails, the six with
 * the fewest are finalists, the best three versions.
 */
export function attemptsOf(wrong: readonly number[], holdoutRows: number): AttemptRecord[] {
  const order = wrong.map((_, i) => i).sort((a, b) => wrong[a]! - wrong[b]!);
  return wrong.map((count, i) => {
    const [family, algorithm, settings] = PLAN[i % PLAN.length]!;
    const failed = i === 9;
    const place = order.indexOf(i);
    const accuracy = 1 - count / holdoutRows;
    const finished = <T>(value: T): T | null => (failed ? null : value);
    return {
      attempt: i + 1,
      role: "attempt",
      family,
      algorithm,
      settings,
      status: failed ? "failed" : "finished",
      note: failed ? "Out of memory while building the pairs." : null,
      finalist: !failed && place < 6,
      version: !failed && place < 3 ? place + 1 : null,
      falseDecisions: finished(count),
      accuracy: finished(accuracy),
      logLoss: finished((count / holdoutRows) * 2.4),
      trainingAccuracy: finished(Math.min(1, accuracy + 0.03)),
      outOfFoldAccuracy: finished(accuracy - 0.004),
      outOfFoldLogLoss: finished((count / holdoutRows) * 2.5),
      seconds: 0.4 + i * 1.7,
    };
  });
}

export function libraryBaselines(holdoutRows: number): AttemptRecord[] {
  return [168, 119, 109].map((count, i) => ({
    ...attemptsOf([count], holdoutRows)[0]!,
    attempt: i + 1,
    role: "library baseline",
    family: PLAN[i]![0],
    algorithm: ["ml-random-forest", "ml-logistic-regression", "ml-naivebayes"][i]!,
    settings: {},
    note: "Learned on a sample of 2,000 rows.",
    finalist: false,
    version: null,
    outOfFoldAccuracy: null,
    outOfFoldLogLoss: null,
  }));
}

export function versionOf(version: number, attempt: AttemptRecord, confusion: number[][]): VersionSummary {
  const rows = confusion.flat().reduce((a, b) => a + b, 0);
  const falseDecisions = rows - confusion.reduce((total, row, code) => total + row[code]!, 0);
  const accuracy = 1 - falseDecisions / rows;
  const { precision, recall, f1Score } = classMetrics(confusion, confusion.length - 1);
  const byClass = metricsByClass(confusion);
  const averages = macroAverages(byClass);
  return {
    version,
    champion: version === 1,
    attempt: attempt.attempt,
    family: attempt.family,
    algorithm: attempt.algorithm,
    settings: attempt.settings,
    achievedPerformance: accuracy,
    trainingPerformance: Math.min(1, accuracy + 0.03),
    testPerformance: accuracy,
    heldOutPerformance: wilsonInterval(rows - falseDecisions, rows),
    confirmedPerformance: wilsonInterval(Math.round(rows * 2 * (accuracy - 0.005 * version)), rows * 2),
    falseDecisions,
    logLoss: 0.158 + 0.01 * version,
    precision,
    recall,
    f1Score,
    byClass: byClass.map((own, code) => ({ label: `class ${code}`, ...own })),
    macroAverages: averages,
    balancedAccuracy: averages.recall,
    file: version === 1 ? "model.cupel" : `model-v${version}.cupel`,
    confusion,
    classWeights: null,
    score: accuracy,
    objectiveHeldOut: wilsonInterval(rows - falseDecisions, rows),
    objectiveConfirmed: wilsonInterval(Math.round(rows * 2 * (accuracy - 0.005 * version)), rows * 2),
    temperature: version === 1 ? 1 : 1.3,
    expectedCalibrationError: expectedCalibrationError(calibrationOf(version)),
    calibration: calibrationOf(version),
    ...(confusion.length === 2 ? thresholdsOf(version, confusion) : { thresholds: null, threshold: null }),
    importance: COLUMN_NAMES.map((name, i) => ({
      name,
      mean: 0.062 / (i + 1) ** 1.2 - 0.001,
      low: 0.05 / (i + 1) ** 1.2 - 0.004,
      high: 0.075 / (i + 1) ** 1.2,
    })),
    effects: effectsOf(["yes"]),
  };
}

/** Confidences from a half to one, right somewhat less often than they say. */
function calibrationOf(seed: number): VersionSummary["calibration"] {
  const random = new Random(seed);
  const count = 1000;
  const probabilities = new Float64Array(count * 2);
  const classes = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const confidence = 1 - 0.5 * random.nextFloat() ** 3;
    probabilities.set([confidence, 1 - confidence], i * 2);
    classes[i] = random.nextFloat() < confidence - 0.02 ? 0 : 1;
  }
  const everyRow = { rows: Uint32Array.from(classes.keys()), classes, classCount: 2 };
  return calibrationBins(probabilities, everyRow, decide(probabilities, 2));
}

/** Probabilities of the second label that tell rows apart about as well as the confusion matrix does. */
function thresholdsOf(seed: number, confusion: number[][]): Pick<VersionSummary, "thresholds" | "threshold"> {
  const random = new Random(seed);
  const classes = Uint8Array.from(confusion.flatMap((row, code) => row.flatMap((count) => Array(count).fill(code))));
  const probabilities = Float64Array.from(confusion.flatMap((row) => row.flatMap(sharesOf)));
  const rows = Uint32Array.from(classes.keys());
  return { thresholds: thresholdCurve(probabilities, { rows, classes, classCount: 2 }, [0.5]), threshold: 0.5 };

  function sharesOf(count: number, decided: number): number[] {
    return Array.from({ length: count }, () => {
      const share = decided === 1 ? 1 - 0.5 * random.nextFloat() : 0.5 * random.nextFloat() ** 2;
      return [1 - share, share];
    }).flat();
  }
}

const COLUMN_NAMES: readonly string[] = [
  "total day minutes",
  "customer service calls",
  "international plan",
  "total evening minutes",
  "total international calls and messages",
  "voice mail plan",
  "signed up on",
  "state",
  "account length",
  "area code",
  "phone number",
  "remarks",
  "country",
];

/** The named columns first, then numbered ones, the label last. */
export function columnsOf(count: number, classTotals: readonly number[]): ColumnSummary[] {
  const random = new Random(count);
  const features = Array.from({ length: count - 1 }, (_, i): ColumnSummary => {
    const name = COLUMN_NAMES[i] ?? `measurement ${i + 1}`;
    const kind =
      (
        [
          "number",
          "number",
          "category",
          "number",
          "number",
          "category",
          "date",
          "category",
          "number",
          "category",
          "identifier",
          "text",
          "constant",
        ] as const
      )[i] ?? "number";
    const used = kind !== "identifier" && kind !== "text" && kind !== "constant";
    const barCount = kind === "category" ? 4 : 12;
    const bars = Array.from({ length: barCount }, (_, b) =>
      kind === "category" ? `value ${b + 1}` : `${b * 30}–${(b + 1) * 30}`,
    );
    const weights = bars.map((_, b) => Math.exp(-(((b - barCount / 2 + random.nextFloat()) / (barCount / 4)) ** 2)));
    const total = weights.reduce((a, b) => a + b, 0);
    const counts = weights.map((weight, b) =>
      classTotals.map((rows, k) => Math.round((rows * weight * (k === 1 ? 0.4 + (1.2 * b) / barCount : 1)) / total)),
    );
    return {
      name,
      kind,
      role: "feature",
      missing: i % 4 === 1 ? 37 + i : 0,
      distinct: kind === "constant" ? 1 : kind === "category" ? 4 : 1200 + i,
      used,
      reason: used
        ? null
        : {
            identifier: "Differs in every row.",
            text: "Free text, 4,870 distinct values.",
            constant: "The same value in every row.",
          }[kind as "identifier"],
      distribution: used ? { bars, counts } : null,
    };
  });
  return [
    ...features,
    {
      name: "churn",
      kind: "category",
      role: "label",
      missing: 4,
      distinct: classTotals.length,
      used: true,
      reason: null,
      distribution: null,
    },
  ];
}

export function performances(
  achieved: number | null,
): Pick<RunSummary, "achievedPerformance" | "trainingPerformance" | "testPerformance" | "confirmedPerformance"> {
  return {
    achievedPerformance: achieved,
    trainingPerformance: achieved === null ? null : Math.min(1, achieved + 0.03),
    testPerformance: achieved,
    confirmedPerformance: achieved === null ? null : wilsonInterval(Math.round(2000 * (achieved - 0.005)), 2000),
  };
}
