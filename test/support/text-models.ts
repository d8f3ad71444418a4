// Model files of tables with a text column, fitted without a search.
import type { Model } from "../../engine/families/algorithms.ts";
import { type BaseModel, type BaseSettings, fitBase } from "../../engine/families/base-algorithms.ts";
import { modelFeatures, modelTexts } from "../../engine/model/model-features.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../engine/table/buckets.ts";
import type { TableAnswer } from "../../workers/reading/read-table.ts";
import { forestOf } from "./forests.ts";
import { aboutModel } from "./model-about.ts";
import { everyRow } from "./tables.ts";

export const WORDS: BaseSettings = {
  algorithm: "logistic regression of terms",
  terms: "all",
  scaling: "tf-idf",
  l2: 0.1,
};
export const FOREST = forestOf({ treeCount: 9, featuresPerSplit: 2, minLeafRows: 2 });

/** A model file fitted on all rows; of several settings a stack with equal weights. */
export function fileOf(source: TableAnswer, ...settings: readonly [BaseSettings, ...BaseSettings[]]): ModelFile {
  const { table } = source;
  const rows = everyRow(table);
  const bucketing = fitBuckets(table, rows, 20);
  const view = codeTable(table, bucketing);
  const classCount = table.labels.length;
  const input = { view, rows, classes: table.classes, classCount, seed: 1, stop: neverStop };
  const members = settings.map((own) => fitBase(own, input));
  const model = members.length === 1 ? members[0]! : stackOf(members, classCount);
  const texts = modelTexts(table);
  const about = { ...aboutModel(source, settings[0], "fine"), features: modelFeatures(table, bucketing), model };
  return texts === undefined ? about : { ...about, texts };
}

function stackOf(members: readonly BaseModel[], classCount: number): Model {
  return {
    ...{ kind: "stack", classCount, merges: [], mains: null },
    weights: new Float64Array(members.length).fill(1 / members.length),
    intercepts: new Float64Array(classCount),
    members: members.map((model) => ({ merge: null, model })),
  };
}

/** A table of drawn texts and a number that says nothing. */
export function csvOf({ texts, labels }: { texts: readonly string[]; labels: readonly string[] }): string {
  const rows = texts.map((text, row) => `${(row * 7) % 13},"${text.replaceAll('"', '""')}",${labels[row]}`);
  return `number,review,label\n${rows.join("\n")}\n`;
}
