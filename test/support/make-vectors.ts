// Writes the test vectors in test/fixtures/vectors: models of every kind, rows and what they must be scored as. Files
// that are there already stay as they are, for every reader and every later version has to give the same answers.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { algorithmName, type ModelSettings } from "../../engine/families/algorithms.ts";
import type { BaseSettings } from "../../engine/families/base-algorithms.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { type AttemptSpec, planAttempts } from "../../engine/search/attempts.ts";
import { openTraining } from "../../engine/search/open-training.ts";
import { basesOf, type FoundSettings } from "../../engine/search/refit.ts";
import type { StackBase } from "../../engine/search/stack-votes.ts";
import { isBase, type TrainingTask } from "../../engine/search/training-task.ts";
import { SMALL_ROWS } from "../../engine/splits/holdout.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import type { BucketChoice } from "../../engine/table/buckets.ts";
import { readTable, type TableAnswer } from "../../workers/reading/read-table.ts";
import { runAttempt, runFit, runPack, runStack } from "../../workers/train.ts";
import { aboutModel } from "./model-about.ts";
import { fitWholeStack } from "./stack-fits.ts";
import { americanTable, chosenTable, europeanTable, ODD_TEXTS, textTable, type VectorTable } from "./vector-tables.ts";
import { answersOf, drawRows, VECTORS } from "./vectors.ts";

const TABLES = {
  european: europeanTable(),
  american: americanTable(),
  chosen: chosenTable(),
  "two texts": textTable(2),
  "three texts": textTable(3),
};

type Extras = Pick<ModelFile, "temperature" | "classWeights" | "costs">;

interface Vector extends Extras {
  name: string;
  table: keyof typeof TABLES;
  /** By its name among the plan's attempts; of a stack, which attempts are its bases. */
  algorithm: string | { bases: readonly string[]; withMains: boolean };
  /** Changes of the settings that the plan has. */
  settings?: Partial<Record<string, unknown>>;
}

const WANTED: readonly Vector[] = [
  { name: "forest-two-classes", table: "european", algorithm: "random forest" },
  { name: "forest-many-classes", table: "american", algorithm: "extra-trees", classWeights: [1, 2.5, 0.75, 1.25] },
  {
    ...{ name: "forest-costs", table: "american", algorithm: "random forest", temperature: 1.25 },
    costs: [
      [0, 5, 1, 1],
      [1, 0, 2.5, 1],
      [8, 1, 0, 0.5],
      [3, 0, 1, 0],
    ],
  },
  { name: "forest-chosen", table: "chosen", algorithm: "random forest" },
  { name: "forest-texts", table: "three texts", algorithm: "random forest" },
  {
    ...{ name: "additive-trees-two-classes", table: "european", algorithm: "gradient-boosted logistic regression" },
    temperature: 1.75,
  },
  { name: "additive-trees-many-classes", table: "american", algorithm: "gradient-boosted logistic regression" },
  { name: "additive-trees-refined", table: "european", algorithm: "refined forest" },
  {
    ...{ name: "additive-two-classes", table: "european", algorithm: "smooth logistic regression" },
    ...{ temperature: 0.6, classWeights: [1, 3] },
  },
  { name: "additive-many-classes", table: "american", algorithm: "selective naive Bayes" },
  {
    ...{ name: "paired-two-classes", table: "european", algorithm: "logistic regression with products" },
    temperature: 1.2,
  },
  { name: "paired-many-classes", table: "american", algorithm: "weighted naive Bayes with joint columns" },
  { name: "networks-arithmetic-two-classes", table: "european", algorithm: "k-dependence naive Bayes" },
  {
    ...{ name: "networks-arithmetic-many-classes", table: "american" },
    ...{ algorithm: "averaged one-dependence naive Bayes", settings: { pooling: "arithmetic" } },
  },
  {
    ...{ name: "networks-geometric-two-classes", table: "european", algorithm: "averaged one-dependence naive Bayes" },
    ...{ settings: { pooling: "geometric" }, temperature: 2.5 },
  },
  {
    ...{ name: "networks-geometric-many-classes", table: "american", algorithm: "averaged one-dependence naive Bayes" },
    settings: { pooling: "geometric" },
  },
  {
    ...{ name: "hidden-layer-two-classes", table: "european" },
    algorithm: "logistic regression with a hidden layer",
  },
  {
    ...{ name: "hidden-layer-many-classes", table: "american", algorithm: "logistic regression with a hidden layer" },
    ...{ temperature: 1.5, classWeights: [1, 1.5, 1, 2] },
  },
  { name: "terms-two-classes", table: "two texts", algorithm: "logistic regression of words and their pieces" },
  {
    ...{ name: "terms-many-classes", table: "three texts", algorithm: "multinomial naive Bayes of words" },
    ...{ temperature: 1.5, classWeights: [1, 1, 2] },
  },
  {
    ...{ name: "terms-ratios", table: "two texts" },
    algorithm: "logistic regression of words, by log-count ratios",
  },
  {
    ...{ name: "stack-two-classes", table: "european" },
    algorithm: {
      bases: [
        "random forest",
        "linear logistic regression",
        "weighted naive Bayes",
        "gradient-boosted logistic regression",
      ],
      withMains: false,
    },
  },
  {
    ...{ name: "stack-many-classes", table: "american" },
    algorithm: {
      bases: ["extra-trees", "one-hot logistic regression", "averaged one-dependence naive Bayes"],
      withMains: true,
    },
    classWeights: [1.5, 1, 1, 2],
  },
  {
    ...{ name: "stack-hidden-layer", table: "american" },
    algorithm: { bases: ["random forest", "logistic regression with a hidden layer"], withMains: false },
  },
  {
    ...{ name: "stack-texts", table: "two texts" },
    algorithm: {
      bases: ["logistic regression of words", "complement naive Bayes of words", "extra-trees"],
      withMains: true,
    },
  },
];

const TREES = 9;
const BUCKETS = 12;

/** Reads a table as training does. */
function open({ csv, label, missingMarkers, columnChoices = [] }: VectorTable) {
  const folder = mkdtempSync(join(tmpdir(), "cupel-vectors-"));
  try {
    writeFileSync(join(folder, "train.csv"), csv);
    const source = readTable({ path: join(folder, "train.csv"), label, missingMarkers, columnChoices }, neverStop);
    return { source, task: openTraining(source.table, { numberOfBuckets: BUCKETS, target: null, seed: 1 }) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function planOf({ table }: TableAnswer): AttemptSpec[] {
  const shape = {
    ...{ learningRowCount: table.rowCount, featureCount: table.features.length, classCount: table.labels.length },
    ...{ numberOfBuckets: BUCKETS, scalingFactor: 19, hasStacks: false, tunesWeights: false, seed: 1 },
  };
  const hasTexts = table.texts !== undefined;
  const plans = [{ ...shape, hasTexts }, shape, { ...shape, learningRowCount: SMALL_ROWS + 1 }];
  return plans.flatMap(planAttempts).map((spec) => ({
    ...spec,
    settings: small(spec.settings),
  }));
}

function small(settings: ModelSettings): ModelSettings {
  switch (settings.algorithm) {
    case "forest":
      return { ...settings, treeCount: TREES };
    case "refined forest":
      return { ...settings, forest: { ...settings.forest, treeCount: TREES } };
    case "additive logistic regression":
      return { ...settings, roundCount: TREES };
    case "k-dependence naive Bayes":
      return { ...settings, memberCount: 2 };
    case "AODE":
      return { ...settings, parentCount: 3 };
    default:
      return settings;
  }
}

function packed(task: TrainingTask, source: TableAnswer, found: FoundSettings, extras: Extras): Uint8Array {
  const bases = basesOf(found).map((base) => runFit(task, { base, judgingPart: null }, neverStop));
  const about = { ...aboutModel(source, found.settings, found.buckets), ...extras };
  return runPack(task, { found, bases, about }).bytes;
}

function make({ table, algorithm, settings, temperature, classWeights, costs }: Vector): Uint8Array {
  const { source, task } = open(TABLES[table]);
  const plan = planOf(source).filter(isBase);
  const specOf = (name: string) => plan.find((spec) => algorithmName(spec.settings) === name)!;
  const extras: Extras = {
    ...(temperature && { temperature }),
    ...(classWeights && { classWeights }),
    ...(costs && { costs }),
  };
  if (typeof algorithm === "string") {
    const { buckets, seed, settings: own } = specOf(algorithm);
    const found = { buckets, seed, settings: { ...own, ...settings } as BaseSettings, mains: null };
    return packed(task, source, found, extras);
  }
  const bases = algorithm.bases.map((name): StackBase => {
    const spec = specOf(name);
    const { settings: own, votes } = runAttempt(task, { spec: { ...spec, rivals: [] }, others: [] }, neverStop);
    const { attempt, seed } = spec;
    return { attempt, seed, buckets: spec.buckets as BucketChoice, settings: own as BaseSettings, votes: votes! };
  });
  const asked = fitWholeStack(task, bases, algorithm.withMains);
  const { settings: stack, mains } = runStack(task, asked, neverStop);
  return packed(task, source, { buckets: "fine", seed: 1, settings: stack, mains: mains?.final ?? null }, extras);
}

mkdirSync(VECTORS, { recursive: true });
for (const vector of WANTED) {
  const path = join(VECTORS, `${vector.name}.cupel`);
  if (existsSync(path)) continue;
  const bytes = make(vector);
  const model = unpackModel(bytes);
  writeFileSync(path, bytes);
  const answers = answersOf(model, drawRows(model, ODD_TEXTS, 60));
  writeFileSync(path.replace(/\.cupel$/, ".json"), `${JSON.stringify(answers)}\n`);
}
