// Two models side by side: figures, the difference and whether it is more than
// chance, settings, columns and importance (D113).

import { type Static, Type } from "@sinclair/typebox";
import { datasetNames } from "../../../data/datasets.ts";
import { findOwnedModel, type ModelDetail } from "../../../data/models.ts";
import { findOwnedTrainingJob, type TrainingJob } from "../../../data/training-jobs.ts";
import type { ColumnChoice } from "../../../engine/columns/choices.ts";
import { ApiError, found } from "../../http/problem.ts";
import {
  Baseline,
  Count,
  Instant,
  Key,
  NumberInterval,
  named,
  oneOf,
  orNull,
  shown,
  Version,
} from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import type { ColumnSummary, RunSummary, VersionSummary } from "../../summary/summary.ts";
import { compare, JUDGED_ON } from "../../verdict/comparison.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { ObjectiveName } from "../statuses.ts";
import { findSummary } from "./model-files.ts";

/** Most columns in the list of importance, and most names in the lists of columns. */
const MOST_COLUMNS = 200;

const Text = orNull(Type.String());
const Setting = orNull(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

const Side = Type.Object({
  modelKey: Key,
  version: Version,
  name: Text,
  versionName: Text,
  datasetKey: Key,
  datasetName: Type.String({ description: "Even if the dataset is deleted." }),
  trainingJobKey: Key,
  createdOn: Instant,
  label: Type.String(),
  algorithm: Type.String(),
  objective: ObjectiveName,
  heldOutPerformance: { ...NumberInterval, description: "Accuracy on the held-out rows with its 95% interval." },
  confirmedPerformance: orNull(NumberInterval),
  falseDecisions: Count,
  heldOutRows: Count,
  baseline: { ...Baseline, description: "Accuracy of always answering the most frequent label, on the same rows." },
  balancedAccuracy: orNull(Type.Number()),
  f1Score: orNull(Type.Number()),
  logLoss: Type.Number(),
  rows: Type.Integer({ minimum: 0, description: "Rows of the training file with a label." }),
  columnCount: Type.Integer({ minimum: 0, description: "Columns that it uses." }),
  elapsedSeconds: Type.Number({ description: "Of its training." }),
});

named({ ComparedModel: Side });

const Columns = Type.Array(Type.String(), { description: `${MOST_COLUMNS} at most, in the order of the file.` });

const ModelComparison = Type.Object({
  a: Side,
  b: Side,
  judgedOn: oneOf(JUDGED_ON, {
    description:
      "Whether both were judged on the same held-out rows. On OTHER_ROWS the difference is not a paired one; " +
      "of OTHER_LABELS there is none; NOT_KNOWN for models of earlier versions.",
  }),
  difference: orNull(
    Type.Object(
      {
        ...NumberInterval.properties,
        isPaired: Type.Boolean({ description: "True where it rests on which rows each decided right." }),
        isWithinChance: Type.Boolean({ description: "True where the interval holds 0." }),
        firstAlone: orNull(Type.Integer({ description: "Held-out rows that `a` alone decided right." })),
        secondAlone: orNull(Type.Integer({ description: "Held-out rows that `b` alone decided right." })),
      },
      { description: "Accuracy of `b` less that of `a`, with its 95% interval." },
    ),
  ),
  statements: Type.Array(Type.String(), { description: "What can be said of it, and what cannot, in sentences." }),
  settings: Type.Array(Type.Object({ name: Type.String(), a: Setting, b: Setting }), {
    description: "Settings of the training and of the version that differ.",
  }),
  columns: Type.Object(
    { both: Count, onlyA: Columns, onlyB: Columns },
    { description: "Columns that both use, and that one alone uses." },
  ),
  importance: Type.Array(Type.Object({ name: Type.String(), a: orNull(Type.Number()), b: orNull(Type.Number()) }), {
    description:
      "What the objective of the model loses when one column is shuffled; null where it was not measured. " +
      "Most important first.",
    "x-decision": "D161",
  }),
});
named({ ModelComparison });
export type ModelComparison = Static<typeof ModelComparison>;

const SIDE_EXAMPLE = {
  modelKey: EXAMPLES.modelKey,
  version: 1,
  name: "churn, spring",
  versionName: null,
  datasetKey: EXAMPLES.datasetKey,
  datasetName: "churn 2027",
  trainingJobKey: EXAMPLES.trainingJobKey,
  createdOn: EXAMPLES.createdOn,
  label: "left",
  algorithm: "extra-trees",
  objective: "accuracy",
  heldOutPerformance: { mean: 0.914, low: 0.895, high: 0.93 },
  confirmedPerformance: { mean: 0.909, low: 0.895, high: 0.921 },
  falseDecisions: 86,
  heldOutRows: 1_000,
  baseline: { label: "no", accuracy: 0.859 },
  balancedAccuracy: 0.842,
  f1Score: 0.71,
  logLoss: 0.233,
  rows: 5_000,
  columnCount: 19,
  elapsedSeconds: 41.2,
} as const satisfies Static<typeof Side>;

const EXAMPLE: ModelComparison = {
  a: SIDE_EXAMPLE,
  b: { ...SIDE_EXAMPLE, version: 2, name: null, algorithm: "random-forest" },
  judgedOn: "SAME_ROWS",
  difference: {
    mean: -0.009,
    low: -0.023,
    high: 0.005,
    isPaired: true,
    isWithinChance: true,
    firstAlone: 31,
    secondAlone: 22,
  },
  statements: [
    "Both were judged on the same 1,000 held-out rows: A alone decides 31 of them right, B alone 22.",
    "A is more accurate by 0.9 points; B less A is −0.9 [−2.3, +0.5]: that lies within chance.",
  ],
  settings: [{ name: "treeCount", a: 300, b: 500 }],
  columns: { both: 19, onlyA: [], onlyB: [] },
  importance: [{ name: "tenure", a: 0.041, b: 0.038 }],
};

const VersionQuery = (of: string) =>
  Type.Optional({ ...Version, description: `Version of \`${of}\`; its champion where it is left out.` });

export function modelComparisonRoutes(services: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/models/compare",
      operationId: "compareModels",
      tag: "Models",
      summary: "Compare two models, or two versions",
      description:
        "Figures side by side, the difference of their accuracies and what it is worth, and what else differs: " +
        "settings, columns, importance of columns. Models of earlier versions, " +
        "of which only figures are kept, cannot be compared.",
      decisions: ["D31", "D113"],
      scopes: ["read", "predict"],
      query: {
        a: Type.String({ format: "uuid", description: "A model." }),
        b: Type.String({ format: "uuid", description: "Another model, or the same for another of its versions." }),
        aVersion: VersionQuery("a"),
        bVersion: VersionQuery("b"),
      },
      answer: { status: 200, description: "The comparison.", schema: ModelComparison, example: EXAMPLE },
      problems: ["NOT_FOUND"],
      handle: async ({ query: { a, b, aVersion, bVersion }, caller: { userKey } }) => {
        const first = await readSide(services, userKey, "a", a, aVersion);
        const second = await readSide(services, userKey, "b", b, bVersion);
        return shown(ModelComparison, {
          a: showSide(first),
          b: showSide(second),
          ...compare(first, second),
          settings: differingSettings(first, second),
          columns: differingColumns(first, second),
          importance: importanceOf(first, second),
        });
      },
    }),
  ];
}

interface ReadSide {
  detail: ModelDetail;
  datasetName: string;
  job: TrainingJob;
  run: RunSummary;
  version: VersionSummary;
}

/** @throws ApiError NOT_FOUND */
async function readSide(
  { database, state }: Services,
  userKey: string,
  side: "a" | "b",
  modelKey: string,
  askedVersion: number | undefined,
): Promise<ReadSide> {
  const detail = found(`model \`${side}\``, findOwnedModel(database, userKey, modelKey));
  const { model } = detail;
  const run = await findSummary(state, modelKey);
  if (run === null) {
    throw new ApiError("NOT_FOUND", `Of the model \`${side}\` only figures are kept: it cannot be compared.`);
  }
  const number = askedVersion ?? model.championVersion;
  const version = run.versions.find((version) => version.version === number);
  if (version === undefined) throw new ApiError("NOT_FOUND", `The model \`${side}\` has no version ${number}.`);
  const datasetName = datasetNames(database, [model.datasetKey]).get(model.datasetKey) ?? "";
  const job = findOwnedTrainingJob(database, userKey, model.trainingJobKey)!;
  return { detail, datasetName, job, run, version };
}

function showSide({ detail: { model, versions }, datasetName, run, version }: ReadSide) {
  const row = versions.find((row) => row.version === version.version);
  return {
    ...model,
    ...version,
    modelKey: model.key,
    name: model.name,
    versionName: row?.name ?? null,
    datasetName,
    label: run.label,
    objective: run.objective,
    heldOutRows: run.holdout.rows,
    baseline: run.baseline,
    rows: run.rows - run.rowsWithoutLabel,
    columnCount: usedColumns(run).length,
    elapsedSeconds: run.elapsedSeconds,
  };
}

function usedColumns({ columns }: RunSummary): string[] {
  return columns.filter(({ role, used }: ColumnSummary) => role === "feature" && used).map(({ name }) => name);
}

type SettingValue = Static<typeof Setting>;

/** Settings of the training, then of the version. */
function settingsOf({ run, version, job }: ReadSide): ReadonlyMap<string, SettingValue> {
  const { groupColumn, timeColumn, keepKeyColumns, withoutColumns, columnChoices } = job;
  const { objective, targetPerformance, numberOfBuckets, scalingFactor, timeLimitSeconds, seed, positiveLabel } = run;
  const training = {
    ...{ objective, targetPerformance, numberOfBuckets, scalingFactor, timeLimitSeconds, seed, positiveLabel },
    ...{ groupColumn, timeColumn, keepKeyColumns, withoutColumns: withoutColumns.join(", ") || null },
    costs: job.costs === null ? null : JSON.stringify(job.costs),
    columnChoices: columnChoices.map(choiceInWords).join("; ") || null,
    cupelVersion: run.cupelVersion,
  };
  return new Map<string, SettingValue>([
    ...Object.entries(training),
    ["algorithm", version.algorithm],
    ...Object.entries(version.settings),
  ]);
}

/** `plan: category, missing "x"`. */
function choiceInWords({ name, kind, missingTexts }: ColumnChoice): string {
  const missing = missingTexts?.map((text) => JSON.stringify(text)).join(", ") || "nothing";
  return `${name}: ${[kind ?? [], missingTexts === undefined ? [] : `missing ${missing}`].flat().join(", ")}`;
}

function differingSettings(first: ReadSide, second: ReadSide) {
  const [one, other] = [settingsOf(first), settingsOf(second)];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => ({ name, a: one.get(name) ?? null, b: other.get(name) ?? null }))
    .filter(({ a, b }) => a !== b);
}

function differingColumns(first: ReadSide, second: ReadSide) {
  const [one, other] = [usedColumns(first.run), usedColumns(second.run)];
  const [ofFirst, ofSecond] = [new Set(one), new Set(other)];
  return {
    both: one.filter((name) => ofSecond.has(name)).length,
    onlyA: one.filter((name) => !ofSecond.has(name)).slice(0, MOST_COLUMNS),
    onlyB: other.filter((name) => !ofFirst.has(name)).slice(0, MOST_COLUMNS),
  };
}

function importanceOf(first: ReadSide, second: ReadSide) {
  const meansOf = ({ version }: ReadSide) => new Map(version.importance.map(({ name, mean }) => [name, mean]));
  const [one, other] = [meansOf(first), meansOf(second)];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => ({ name, a: one.get(name) ?? null, b: other.get(name) ?? null }))
    .toSorted((x, y) => most(y) - most(x))
    .slice(0, MOST_COLUMNS);
}

function most({ a, b }: { a: number | null; b: number | null }): number {
  return Math.max(a ?? Number.NEGATIVE_INFINITY, b ?? Number.NEGATIVE_INFINITY);
}
