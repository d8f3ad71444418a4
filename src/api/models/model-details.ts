// The evidence behind a model: what its run measured of each version, and the columns that they need.

import { type Static, Type } from "@sinclair/typebox";
import { findOwnedModel, type ModelVersion } from "../../../data/models.ts";
import type { FamilyName } from "../../../engine/fitting/family.ts";
import type { ModelThreshold } from "../../../engine/model/model-threshold.ts";
import type { ReadColumns } from "../../../engine/scoring/file-dialect.ts";
import { sumOf } from "../../../engine/sums.ts";
import { found } from "../../http/problem.ts";
import {
  Baseline,
  ClassCount,
  Count,
  Interval,
  Key,
  NumberInterval,
  named,
  orNull,
  Share,
  shown,
  Version,
  WarningItem,
} from "../../http/schemas.ts";
import { modelColumns, modelThreshold } from "../../jobs/prediction-file.ts";
import { type Route, route } from "../../routing/route.ts";
import type { ColumnSummary, RunSummary } from "../../summary/summary.ts";
import { FOUND_KIND } from "../column-choices.ts";
import { TEXT_PROFILE } from "../datasets/text-profile.ts";
import type { Services } from "../services.ts";
import { ObjectiveName } from "../statuses.ts";
import { VERDICT_EXAMPLE, Verdict } from "../verdict.ts";
import { Reading } from "./column-reading.ts";
import { findSummary, noSummary } from "./model-files.ts";
import { DECISIONS } from "./model-threshold.ts";
import { championOf, MODEL_EXAMPLE } from "./models.ts";

/** Longer values are left out: nobody picks them from a list. */
const LONGEST_VALUE = 100;
/** Most columns with an importance. */
const MOST_IMPORTANT = 200;
/** Rows that must have a text for it to be shown. */
const FEWEST_ROWS = 5;
/** Names of bars that stand for no single value. */
const NO_VALUES: ReadonlySet<string> = new Set(["missing", "all others"]);

const Measures = {
  precision: orNull(Share),
  recall: orNull(Share),
  f1Score: orNull({
    ...Share,
    description:
      "2TP / (2TP + FP + FN): 0 where no row of the label was found, " +
      "null only where none has it and none was decided as it.",
  }),
};

const VersionDetails = Type.Object({
  version: Version,
  attempt: Type.Integer({ description: "Its number on the leaderboard." }),
  family: Type.Unsafe<FamilyName>(Type.String()),
  algorithm: Type.String(),
  settings: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
  heldOutPerformance: {
    ...Interval,
    description:
      "Accuracy on the holdout with its 95% interval, widened by how much groups differ where it was judged by them.",
  },
  logLoss: Type.Number(),
  ...Measures,
  balancedAccuracy: orNull(Type.Number({ description: "The mean of the recalls." })),
  byClass: Type.Array(Type.Object({ label: Type.String(), support: Count, decided: Count, ...Measures }), {
    description: "Every class against all others; null where undefined.",
  }),
  macroAverages: Type.Object(Measures, { description: "Means over the classes where each is defined." }),
  confusion: Type.Array(Type.Array(Count), { description: "Rows by actual class, then by decided class." }),
  calibration: Type.Array(Type.Object({ low: Share, high: Share, count: Count, confidence: Share, accuracy: Share }), {
    description: "Decisions by confidence: their number and the share that was right.",
  }),
  temperature: Type.Number({ description: "What the log-odds are divided by; 1 leaves them as they are." }),
  score: Type.Number({
    description: "How the objective is met on the holdout: a share, or the mean cost of a decision, negated.",
    "x-decision": "D108",
  }),
  objectiveHeldOut: orNull(NumberInterval),
  objectiveConfirmed: orNull({
    ...NumberInterval,
    description: "The score on the rows that confirm; both intervals are null for models of earlier versions.",
    "x-decision": "D155",
  }),
  ...DECISIONS,
  expectedCalibrationError: orNull(Share),
  importance: Type.Array(
    Type.Object({ name: Type.String(), mean: Type.Number(), low: Type.Number(), high: Type.Number() }),
    {
      description:
        "What the objective loses when one column is shuffled, or how much the mean cost rises, " +
        `for at most ${MOST_IMPORTANT} columns, most important first; empty where not measured.`,
      "x-decision": "D161",
    },
  ),
});

named({ VersionDetails });

const TextColumn = Type.Object(
  {
    ...TEXT_PROFILE,
    tellingWords: Type.Array(
      Type.Array(Type.Object({ word: Type.String(), share: Share, shareOfOthers: Share }), {
        description: "The most telling first; empty where none stands out.",
      }),
      {
        description:
          "By class, in the order of `classes`: words and pairs of words that its rows have more often than all " +
          "others, with the share of rows that have each. Only those that at least five rows have; `#` stands for any digit.",
      },
    ),
  },
  { description: "Left out where the column is not read as text." },
);

named({ TextColumn });

const ModelDetails = Type.Object({
  modelKey: Key,
  label: Type.String({ description: "The column that is predicted." }),
  positiveLabel: orNull(Type.String({ description: "Null where there are more than two classes." })),
  objective: ObjectiveName,
  costs: orNull(
    Type.Array(Type.Array(Type.Number()), {
      description:
        "What decisions cost, by actual label, then by predicted one; null where the objective is not `cost`.",
      "x-decision": "D108",
    }),
  ),
  guess: orNull(
    Type.Object(
      { label: Type.String(), score: Type.Number() },
      {
        description:
          "How the best label to answer always meets the objective, on the holdout; " +
          "null for models of earlier versions.",
        "x-decision": "D108",
      },
    ),
  ),
  classes: Type.Array(ClassCount, { description: "With their rows in the training file." }),
  holdout: Type.Object({ rows: Count, classes: Type.Array(ClassCount) }, { description: "The rows held out." }),
  baseline: { ...Baseline, description: "Accuracy of always answering the most frequent label, on the holdout." },
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      foundKind: FOUND_KIND,
      reading: Reading,
      values: Type.Array(Type.String(), {
        description: "Of a category: the most frequent ones; where its terms are read, of those that five rows have.",
      }),
      text: Type.Optional(TextColumn),
    }),
    { description: "Columns that a row needs, in the order of the training file." },
  ),
  missingValues: Type.Array(Type.String(), {
    description: "Texts that stand for a missing value.",
    "x-decision": "D75",
  }),
  versions: Type.Array(VersionDetails, {
    description: "Figures of the models that saw 80% of the rows, on the holdout.",
  }),
  warnings: Type.Array(WarningItem, {
    description:
      "Warnings of its run: a target that guessing reaches (`TARGET_IS_GUESSING`), " +
      "a champion that is not shown to be better than guessing (`NOT_BETTER_THAN_GUESSING`), " +
      "why there are fewer than three versions (`FEWER_VERSIONS`), and what was found in the file.",
    "x-decision": "D74",
  }),
  verdict: Verdict("Null for models of earlier versions."),
});
named({ ModelDetails });
export type ModelDetails = Static<typeof ModelDetails>;

const EXAMPLE: ModelDetails = {
  modelKey: MODEL_EXAMPLE.modelKey,
  label: "left",
  positiveLabel: "yes",
  objective: "accuracy",
  costs: null,
  guess: { label: "no", score: 0.859 },
  classes: [
    { label: "no", count: 4_293 },
    { label: "yes", count: 707 },
  ],
  holdout: {
    rows: 1_000,
    classes: [
      { label: "no", count: 859 },
      { label: "yes", count: 141 },
    ],
  },
  baseline: { label: "no", accuracy: 0.859 },
  columns: [
    {
      name: "tenure",
      kind: "number",
      reading: { kind: "number", form: { decimal: ".", grouping: "", affix: "" } },
      values: [],
    },
    { name: "plan", kind: "category", reading: { kind: "category" }, values: ["basic", "plus"] },
  ],
  missingValues: ["", "NA", "?"],
  versions: [
    {
      version: 1,
      attempt: 4,
      family: "random forest",
      algorithm: "extra-trees",
      settings: { treeCount: 200, minLeafRows: 2, buckets: "fine" },
      heldOutPerformance: { mean: 0.912, low: 0.893, high: 0.928 },
      logLoss: 0.231,
      precision: 0.782,
      recall: 0.539,
      f1Score: 0.638,
      balancedAccuracy: 0.757,
      byClass: [
        { label: "no", support: 859, decided: 903, precision: 0.927, recall: 0.974, f1Score: 0.95 },
        { label: "yes", support: 141, decided: 97, precision: 0.773, recall: 0.532, f1Score: 0.63 },
      ],
      macroAverages: { precision: 0.85, recall: 0.753, f1Score: 0.79 },
      confusion: [
        [837, 22],
        [66, 75],
      ],
      calibration: [{ low: 0.9, high: 1, count: 700, confidence: 0.96, accuracy: 0.97 }],
      temperature: 1,
      score: 0.912,
      objectiveHeldOut: { mean: 0.912, low: 0.893, high: 0.928 },
      objectiveConfirmed: { mean: 0.909, low: 0.895, high: 0.921 },
      classWeights: null,
      threshold: 0.5,
      trainedThreshold: 0.5,
      thresholds: {
        thresholds: [0, 0.5, 1],
        hits: [141, 75, 0],
        falseAlarms: [859, 22, 0],
        rocArea: 0.91,
        averagePrecision: 0.62,
      },
      expectedCalibrationError: 0.01,
      importance: [{ name: "tenure", mean: 0.041, low: 0.037, high: 0.045 }],
    },
  ],
  warnings: [{ code: "FEWER_VERSIONS", message: "1 instead of 3: only 1 attempt came to a model." }],
  verdict: VERDICT_EXAMPLE,
};

export function modelDetailRoutes({ database, state }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/models/{modelKey}/details",
      operationId: "getModelDetails",
      tag: "Models",
      summary: "The evidence behind a model",
      description:
        "What its run measured of each version: confusion matrix, measures by class, calibration, " +
        "importance of columns; and the columns that a row must have. Nothing but `threshold` ever changes; " +
        "the model says which version is the champion.",
      decisions: ["D31", "D67", "D74", "D75", "D96", "D108", "D109"],
      scopes: ["read", "predict"],
      answer: { status: 200, description: "The evidence.", schema: ModelDetails, example: EXAMPLE },
      problems: ["NOT_FOUND"],
      handle: async ({ params: { modelKey }, caller: { userKey } }) => {
        const model = found("model", findOwnedModel(database, userKey, modelKey));
        const summary = await findSummary(state, modelKey);
        if (summary === null) throw noSummary();
        const pathOf = ({ filePath }: ModelVersion) => state.locate(filePath);
        const thresholds = new Map(model.versions.map((row) => [row.version, modelThreshold(pathOf(row))]));
        return showDetails(modelKey, summary, modelColumns(pathOf(championOf(model))), thresholds);
      },
    }),
  ];
}

/** `thresholds`: by version, of the files. */
function showDetails(
  modelKey: string,
  summary: RunSummary,
  scored: ReadColumns,
  thresholds: ReadonlyMap<number, ModelThreshold | null>,
): ModelDetails {
  const { columns, versions } = summary;
  const readings = new Map(scored.columns.map(({ name, reading }) => [name, reading]));
  return shown(ModelDetails, {
    ...summary,
    modelKey,
    columns: columns
      .filter(({ role, used }) => role === "feature" && used)
      .map((column) => ({
        ...column,
        reading: readings.get(column.name) ?? { kind: "category" },
        values: valuesOf(column),
      })),
    missingValues: scored.missingMarkers,
    // Summaries of earlier versions have no costs, no curve and no average precision.
    costs: summary.costs ?? null,
    guess: summary.guess ?? null,
    versions: versions.map((version) => ({
      ...version,
      objectiveHeldOut: version.objectiveHeldOut ?? null,
      objectiveConfirmed: version.objectiveConfirmed ?? null,
      thresholds: version.thresholds == null ? null : { averagePrecision: null, ...version.thresholds },
      threshold: thresholds.get(version.version)?.threshold ?? null,
      trainedThreshold: thresholds.get(version.version)?.trainedThreshold ?? null,
      importance: version.importance.slice(0, MOST_IMPORTANT),
    })),
  });
}

/** Values of a category column; among texts only frequent ones, because a rare one may tell of a person. */
export function valuesOf({ kind, distribution, text }: ColumnSummary): string[] {
  if (kind !== "category" || distribution === null) return [];
  const { bars, counts } = distribution;
  const isShown = (bar: number) => text === undefined || sumOf(counts[bar]!) >= FEWEST_ROWS;
  return bars.filter((value, bar) => value.length <= LONGEST_VALUE && !NO_VALUES.has(value) && isShown(bar));
}
