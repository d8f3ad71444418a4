// Hand-made run summaries: two classes, many classes, cut short, hostile names, hundreds of columns.

import { Random } from "../../engine/random.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { effectsOf } from "./effects.ts";
import { attemptsOf, columnsOf, libraryBaselines, performances, versionOf } from "./summary-parts.ts";

/** A run on two classes that reached its target: 1,000 held-out rows, 58 of them decided wrongly by the champion. */
export function binarySummary(): RunSummary {
  const classes = [
    { label: "no", count: 4225 },
    { label: "yes", count: 775 },
  ];
  const attempts = attemptsOf(
    [93, 97, 141, 88, 66, 58, 103, 74, 71, 149, 84, 60, 138, 110, 95, 90, 99, 82, 132, 70],
    1000,
  );
  return {
    cupelVersion: "0.1.0",
    status: "COMPLETED",
    statusReason: "The target of 94.0% was reached after 20 attempts.",
    ...performances(0.942),
    objective: "accuracy",
    costs: null,
    guess: { label: "no", score: 0.845 },
    targetPerformance: 0.94,
    baseline: { label: "no", falseDecisions: 155, accuracy: 0.845 },
    file: {
      name: "churn.csv",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      sizeBytes: 412_345,
      delimiter: ",",
      encoding: "UTF-8",
    },
    label: "churn",
    positiveLabel: "yes",
    rows: 5004,
    rowsWithoutLabel: 4,
    columnCount: 14,
    columns: columnsOf(14, [4225, 775]),
    classes,
    holdout: {
      rows: 1000,
      classes: [
        { label: "no", count: 845 },
        { label: "yes", count: 155 },
      ],
    },
    numberOfBuckets: 20,
    scalingFactor: 19,
    seed: 42,
    workers: 2,
    timeLimitSeconds: 600,
    elapsedSeconds: 74.2,
    lookSeconds: 1.3,
    attemptsTotal: 20,
    attemptsCompleted: 19,
    attemptsFailed: 1,
    attempts: [...attempts, ...libraryBaselines(1000)],
    versions: [
      versionOf(1, attempts[5]!, [
        [828, 17],
        [41, 114],
      ]),
      versionOf(2, attempts[11]!, [
        [826, 19],
        [41, 114],
      ]),
      versionOf(3, attempts[4]!, [
        [824, 21],
        [45, 110],
      ]),
    ],
    predictions: [
      {
        input: "new-customers.csv",
        file: "new-customers-predictions.csv",
        rows: 1250,
        classes: [
          { label: "no", count: 1010 },
          { label: "yes", count: 240 },
        ],
        confidenceCounts: [0, 0, 0, 0, 0, 95, 130, 205, 300, 520],
        warnings: [
          {
            code: "UNSEEN_CATEGORY",
            message: "12 cells of state hold a text that training never saw.",
            column: "state",
            count: 12,
          },
        ],
      },
    ],
    verdict: {
      judgedBy: { kind: "random", groupColumn: null, timeColumn: null, groupCount: 0 },
      isLookedAt: true,
      doubts: [],
    },
    warnings: [
      { code: "ROWS_WITHOUT_LABEL", message: "4 rows have no label and were left out.", count: 4 },
      {
        code: "IDENTIFIER",
        message: "phone number differs in every row, so it cannot say anything about new rows. It was left out.",
        column: "phone number",
      },
      { code: "EMPTY_LINE", message: "Row 1,204 is empty and was skipped.", line: 1205 },
    ],
    refinement: null,
  };
}

/** The letters of the alphabet, one version, figures that leave one class undefined. */
export function manyClassesSummary(classCount = 26): RunSummary {
  const random = new Random(classCount);
  const labels = Array.from({ length: classCount }, (_, k) =>
    classCount <= 26 ? String.fromCharCode(65 + k) : `class ${k + 1}`,
  ).sort();
  const confusion = labels.map((_, actual) =>
    labels.map((_, decided) =>
      actual === decided ? 120 + random.nextBelow(40) : random.nextFloat() < 0.12 ? random.nextBelow(9) : 0,
    ),
  );
  confusion.forEach((row, actual) => {
    const last = classCount - 1;
    row[0]! += row[last]!;
    row[last] = 0;
    if (actual === last) row[last] = 0;
  });
  const holdoutRows = confusion.flat().reduce((a, b) => a + b, 0);
  const wrong = holdoutRows - confusion.reduce((total, row, code) => total + row[code]!, 0);
  const attempts = attemptsOf([wrong + 40, wrong + 300, wrong + 610, wrong], holdoutRows);
  const summary = binarySummary();
  const classes = labels.map((label, k) => ({ label, count: 600 + ((k * 37) % 200) }));
  return {
    ...summary,
    ...performances(1 - wrong / holdoutRows),
    status: "NOT_COMPLETED",
    statusReason: "No better attempt came for 60 seconds, and the target of 98.0% was not reached.",
    targetPerformance: 0.98,
    baseline: { label: labels[0]!, falseDecisions: Math.round(holdoutRows * 0.96), accuracy: 0.04 },
    label: "letter",
    positiveLabel: null,
    file: { ...summary.file, name: "letter.csv", delimiter: ";" },
    classes,
    columns: columnsOf(
      17,
      classes.map(({ count }) => count),
    ),
    holdout: { rows: holdoutRows, classes },
    attempts: attempts.map((attempt, i) => (i === 3 ? attempt : { ...attempt, version: null })),
    attemptsTotal: 4,
    attemptsCompleted: 4,
    attemptsFailed: 0,
    versions: [versionOf(1, attempts[3]!, confusion)],
    predictions: [
      {
        input: "unlabelled.csv",
        file: "unlabelled-predictions.csv",
        rows: 900,
        classes: classes.slice(0, 20),
        confidenceCounts: [0, 4, 20, 61, 90, 121, 151, 203, 180, 70],
        warnings: [],
      },
    ],
    warnings: [],
  };
}

/** Cancelled before anything was kept. */
export function cancelledSummary(): RunSummary {
  return {
    ...binarySummary(),
    status: "CANCELLED",
    statusReason: "Stopped by Ctrl-C after 2 seconds, before the first attempt had finished.",
    ...performances(null),
    targetPerformance: null,
    attempts: [],
    attemptsCompleted: 0,
    attemptsFailed: 0,
    versions: [],
    predictions: [],
    warnings: [],
  };
}

/** Texts that try to leave their place. */
export const HOSTILE_TEXTS: readonly string[] = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "__proto__",
  "",
  "   ",
  "long ".repeat(2000),
  "\u202eסדר הפוך\u202e",
  "&amp; ' \u0000\u001b[31m ]]> --> </style></title></svg>",
  "constructor",
  "👩‍👩‍👧‍👦".repeat(200),
];

/** A run whose every name is hostile, whose optional figures are missing, and whose attempts failed in part. */
export function hostileSummary(): RunSummary {
  const summary = manyClassesSummary(HOSTILE_TEXTS.length);
  const rename = <T extends { label: string }>(items: readonly T[]) =>
    items.map((item, i) => ({ ...item, label: HOSTILE_TEXTS[i % HOSTILE_TEXTS.length]! }));
  const evil = HOSTILE_TEXTS[1]!;
  return {
    ...summary,
    status: "TIMED_OUT",
    statusReason: evil,
    label: HOSTILE_TEXTS[0]!,
    positiveLabel: null,
    file: { name: evil, sha256: "", sizeBytes: Number.NaN, delimiter: "<", encoding: evil },
    baseline: { ...summary.baseline, label: HOSTILE_TEXTS[5]! },
    classes: rename(summary.classes),
    holdout: { rows: summary.holdout.rows, classes: rename(summary.holdout.classes) },
    columns: summary.columns.map((column, i) => ({
      ...column,
      name: HOSTILE_TEXTS[i % HOSTILE_TEXTS.length]!,
      reason: evil,
    })),
    attempts: summary.attempts.map((attempt) => ({
      ...attempt,
      algorithm: evil,
      note: evil,
      settings: { [evil]: evil, __proto__: 1 },
    })),
    versions: summary.versions.map((version) => ({
      ...version,
      file: evil,
      confirmedPerformance: null,
      calibration: [],
      importance: version.importance.map((column, i) => ({
        ...column,
        name: HOSTILE_TEXTS[i % HOSTILE_TEXTS.length]!,
      })),
      effects: effectsOf(HOSTILE_TEXTS.slice(0, 5), HOSTILE_TEXTS),
    })),
    predictions: summary.predictions.map((prediction) => ({
      ...prediction,
      input: evil,
      file: evil,
      classes: rename(prediction.classes),
    })),
    verdict: {
      judgedBy: { kind: "groups and time", groupColumn: evil, timeColumn: HOSTILE_TEXTS[5]!, groupCount: 3 },
      isLookedAt: false,
      doubts: HOSTILE_TEXTS.map((text) => ({
        ...{ code: "LEAK_SUSPECT", level: "serious", message: text.slice(0, 60), remedy: "", option: text },
        ...{ columns: [text], random: null, held: null },
      })),
    },
    warnings: [{ code: evil, message: HOSTILE_TEXTS[0]!, column: evil, line: 3 }],
  };
}

/** As many columns as asked for, and as many importances. */
export function wideSummary(columnCount = 600): RunSummary {
  const summary = binarySummary();
  const columns = columnsOf(columnCount, [4225, 775]);
  const importance = columns.map(({ name }, i) => ({
    name,
    mean: 0.03 / (i + 1) - 0.0005,
    low: -0.001,
    high: 0.04 / (i + 1),
  }));
  return {
    ...summary,
    columnCount,
    columns,
    versions: summary.versions.map((version) => ({ ...version, importance })),
  };
}
