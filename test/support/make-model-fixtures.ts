// Writes the model files in test/fixtures/models and how each must score. Run it only when a new model format adds kinds of
// models: files that are there already must stay as they are, for every later version has to score them identically.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { algorithmName, type ModelSettings } from "../../engine/families/algorithms.ts";
import { type AttemptSpec, planAttempts } from "../../engine/search/attempts.ts";
import { openTraining } from "../../engine/search/open-training.ts";
import { basesOf } from "../../engine/search/refit.ts";
import { isBase } from "../../engine/search/training-task.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { scoreFile } from "../../workers/scoring/score-file.ts";
import { runFit, runPack } from "../../workers/train.ts";
import { fixtureTable } from "./in-process.ts";
import { aboutModel } from "./model-about.ts";

const FOLDER = join(import.meta.dir, "..", "fixtures", "models");
const FEW_TREES = 5;

mkdirSync(FOLDER, { recursive: true });
for (const name of ["penguins", "credit_g"] as const) {
  const source = readTable({ path: fixtureTable(name), label: null, missingMarkers: null }, neverStop);
  const { table } = source;
  const shape = {
    learningRowCount: table.rowCount,
    featureCount: table.features.length,
    classCount: table.labels.length,
    numberOfBuckets: 20,
    hasStacks: false,
    tunesWeights: false,
    seed: 1,
  };
  const task = openTraining(table, { numberOfBuckets: 20, target: null, seed: 1 });
  const plan = planAttempts({ ...shape, scalingFactor: 19 }).map((spec) => ({
    ...spec,
    settings: small(spec.settings),
  }));
  for (const { buckets, seed, settings } of [...plan, stackOf(plan, table.labels.length)]) {
    const modelPath = join(FOLDER, `${name}-${algorithmName(settings).replaceAll(" ", "-")}.cupel`);
    if (existsSync(modelPath)) continue;
    const about = aboutModel(source, settings, buckets);
    const found = { buckets, seed, settings, mains: null };
    const bases = basesOf(found).map((base) => runFit(task, { base, judgingPart: null }, neverStop));
    writeFileSync(modelPath, runPack(task, { found, bases, about }).bytes);
    const outputPath = modelPath.replace(/\.cupel$/, ".csv");
    const options = { likeInput: false, spreadsheetSafe: false };
    scoreFile({ modelPath, inputPath: firstRows(name), outputPath, ...options }, neverStop);
  }
}

/** A stack of some of the plan's attempts on views of every kind. */
function stackOf(plan: readonly AttemptSpec[], classCount: number) {
  const members = plan
    .filter(isBase)
    .flatMap(({ attempt, buckets, settings, seed }, index) =>
      index % 3 === 0 ? [{ attempt, buckets, settings, seed, weight: 0.3, finalWeight: 0.3 }] : [],
    );
  const intercepts = Array.from({ length: classCount }, () => 0);
  const settings = { algorithm: "stack", withMains: false, members, intercepts, finalIntercepts: intercepts } as const;
  return { buckets: "fine" as const, seed: 1, settings };
}

/** The same algorithm with as few trees as show every part of it. */
function small(settings: ModelSettings): ModelSettings {
  switch (settings.algorithm) {
    case "forest":
      return { ...settings, treeCount: FEW_TREES };
    case "refined forest":
      return { ...settings, forest: { ...settings.forest, treeCount: FEW_TREES } };
    case "additive logistic regression":
      return { ...settings, roundCount: FEW_TREES };
    case "k-dependence naive Bayes":
      return { ...settings, memberCount: 2 };
    default:
      return settings;
  }
}

/** The head of a bundled table: what the models are asked to score. */
function firstRows(name: "penguins" | "credit_g"): string {
  const path = join(FOLDER, `${name}-input.csv`);
  if (!existsSync(path)) writeFileSync(path, readFileSync(fixtureTable(name), "utf8").split("\n", 61).join("\n"));
  return path;
}
