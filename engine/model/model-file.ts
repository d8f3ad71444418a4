// The .cupel file: a fitted model with its cut points, categories, labels, lineage and metrics, to and from bytes.

import {
  type FileFormat,
  packArrays,
  type ReadAt,
  readHead,
  readPrefix,
  type StoredArray,
  unpackArrays,
} from "../arrays/array-file.ts";
import type { ArrayShelf } from "../arrays/array-shelf.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { formOf, MODEL_FORMS, type Model, type ModelSettings } from "../families/algorithms.ts";
import type { ModelHead } from "../fitting/model-form.ts";
import { InputError } from "../input-error.ts";
import type { CostMatrix } from "../judging/costs.ts";
import type { ConfirmedFigure } from "../judging/estimate.ts";
import type { ClassMetrics, Estimate } from "../judging/metrics.ts";
import type { Objective } from "../judging/objective.ts";
import type { ReliabilityMap } from "../judging/reliability.ts";
import type { BucketChoice } from "../table/buckets.ts";
import { DIFFERENCE_PART, type NumberFeature } from "../table/table.ts";
import { isPlacePart } from "../table/text-shape.ts";
import { areSoundFeatures, hasArrayType, isModelHead } from "./model-check.ts";
import { areSoundCounts } from "./reference-check.ts";
import type { HeldOutCounts, ReferenceColumn } from "./reference-counts.ts";

const VERSION_WITH_HIDDEN_LAYERS = 4;
const VERSION_WITH_UNITS = 5;
const VERSION_WITH_UNIX_TIMES = 6;
const VERSION_WITH_NUMBERS_INSIDE = 7;
const VERSION_WITH_DIFFERENCES = 8;
const NEWEST_VERSION = VERSION_WITH_DIFFERENCES;
/**
 * A model is written in the lowest version that can express it, so that older programs can read it: version 2 knows
 * texts, version 3 costs that decide and texts that are missing in one category alone, version 4 hidden layers, version
 * 5 several units in a column, version 6 times since 1970, version 7 numbers inside texts, version 8 differences.
 */
export const MODEL_FORMAT: FileFormat = { magic: "CUPELMDL", version: NEWEST_VERSION, noun: "Cupel model" };
const PLAIN_VERSION = 1;
const VERSION_WITH_TEXTS = 2;
const VERSION_WITH_COSTS = 3;

/** Where a model comes from and how good it is; scoring needs none of it. */
interface ModelLineage {
  cupelVersion: string;
  version: number;
  trainedOn: { name: string; sha256: string; sizeBytes: number };
  rowCount: number;
  classCounts: readonly number[];
  seed: number;
  attempt: number;
  family: string;
  algorithm: string;
  buckets: BucketChoice;
  numberOfBuckets: number;
  settings: ModelSettings;
  /** Figures of the model that saw 80% of the rows; this one was refitted on all of them. */
  performance: {
    trainingPerformance: number;
    testPerformance: number;
    confirmedPerformance: Estimate | null;
    falseDecisions: number;
    holdoutRowCount: number;
    logLoss: number;
    /**
     * The objective where it is not accuracy, how it is met on the holdout, what decisions cost where that is asked
     * for, and the confirmed figure, left out where none was confirmed and by earlier versions.
     */
    optimised?: { objective: Objective; score: number; costs?: CostMatrix; confirmed?: ConfirmedFigure };
  } & ClassMetrics;
  /** Models of earlier versions have none. */
  verdict?: ModelVerdict;
}

/** How the figures were judged, and the doubts about them: see the verdict of a run. */
interface ModelVerdict {
  judgedBy: {
    kind: "random" | "groups" | "time" | "groups and time";
    groupColumn: string | null;
    timeColumn: string | null;
    groupCount: number;
  };
  doubts: readonly { code: string; level: string; message: string; remedy: string }[];
}

/** A column that a scoring file must have. */
export interface ModelColumn {
  name: string;
  kind: string;
  reading: ColumnReading;
  /** Set where the training rows hold whole numbers only, which show no decimal sign. */
  isWhole?: true;
  /** Cells without a value among the training rows. */
  missingCount: number;
}

/** How a feature's code is made of a cell; of a difference, of the cells of two columns. */
export type ModelFeature = { column: number; codeCount: number } & (
  | { kind: "number"; part: NumberFeature["part"]; minus?: number; cutPoints: Float64Array }
  /** The score of a text: `bias + Σ scoreWeights[term]`; NaN where none of its terms has a weight. */
  | { kind: "score"; part: null; cutPoints: Float64Array; bias: number; scoreWeights: Float32Array }
  | {
      kind: "category";
      part: null;
      names: readonly string[];
      /** Code of each name. */
      codes: Uint16Array;
      /** Code of any other text. */
      codeOfOthers: number;
    }
);

/** A feature that is made of two columns. */
export type DifferenceFeature = Extract<ModelFeature, { kind: "number" }> & { minus: number };

export function isDifference(feature: ModelFeature): feature is DifferenceFeature {
  return "minus" in feature;
}

/** A column that is read as text: the terms that the model knows, by number. */
export interface ModelText extends TextShape {
  /** Index among the model's columns. */
  column: number;
  /** Low and high half of each term's hash, see text/terms.ts. */
  keys: Int32Array;
}

/**
 * Terms below `plainCount` are words and pairs of words, the others pieces of
 * words. Those below `shownCount` may be shown.
 */
interface TextShape {
  plainCount: number;
  shownCount: number;
}

export interface ModelFile {
  lineage: ModelLineage;
  label: string;
  /** Label texts as the training file has them, by class code. */
  labels: readonly string[];
  positiveLabel: string | null;
  missingMarkers: readonly string[];
  columns: readonly ModelColumn[];
  features: readonly ModelFeature[];
  /** Left out where the model reads no text. */
  texts?: readonly ModelText[];
  model: Model;
  /** Divides the model's log-probabilities; left out where it is 1. */
  temperature?: number;
  /** Multiply the labels' probabilities before the largest decides; left out where the most probable decides. */
  classWeights?: readonly number[];
  /** `classWeights` as training chose them, where another threshold was chosen since; null for none. */
  trainedClassWeights?: readonly number[] | null;
  /** Costs of wrong decisions: the lowest expected cost decides. Left out where class weights say the same. */
  costs?: CostMatrix;
  /** The training rows, counted: one entry for each column. Models of earlier versions have none, nor of the next. */
  reference?: readonly ReferenceColumn[];
  heldOut?: HeldOutCounts;
  /**
   * How often decisions of each confidence were right on learning rows that
   * had no part in the fit. Later than `heldOut`.
   */
  reliability?: ReliabilityMap;
}

/** The fields that a comparison with the training rows needs. */
export type WatchedModel = Pick<
  ModelFile,
  "columns" | "label" | "labels" | "missingMarkers" | "reference" | "heldOut" | "reliability" | "trainedClassWeights"
> & {
  lineage: Pick<ModelLineage, "rowCount" | "classCounts" | "version" | "performance">;
  /** `names`: of categories. */
  features: readonly { column: number; part: string | null; codeCount: number; names?: readonly string[] }[];
};

/** The bytes of a model file; the same content gives the same bytes. */
export function packModel(file: ModelFile): Uint8Array {
  const arrays = new Map<string, StoredArray>();
  const features = file.features.map((feature, index) => {
    if (feature.kind !== "category") arrays.set(`cutPoints.${index}`, feature.cutPoints);
    if (feature.kind === "number") return { ...feature, cutPoints: null };
    if (feature.kind === "score") {
      arrays.set(`scoreWeights.${index}`, feature.scoreWeights);
      return { ...feature, cutPoints: null, scoreWeights: null };
    }
    arrays.set(`codes.${index}`, feature.codes);
    return { ...feature, codes: null };
  });
  const texts = file.texts?.map((text, index) => {
    arrays.set(`keys.${index}`, text.keys);
    return { ...text, keys: null };
  });
  const model = formOf(file.model).pack(file.model, shelfOf(arrays), "");
  const head = { ...file, features, ...(texts !== undefined && { texts }), model };
  return packArrays({ ...MODEL_FORMAT, version: versionOf(file) }, head, arrays);
}

function versionOf({ model, texts, costs, columns, features }: ModelFile): number {
  if (features.some(({ part }) => part === DIFFERENCE_PART)) return VERSION_WITH_DIFFERENCES;
  if (features.some(({ part }) => isPlacePart(part))) return VERSION_WITH_NUMBERS_INSIDE;
  if (columns.some(({ reading }) => reading.kind === "date" && reading.form.order === "unix"))
    return VERSION_WITH_UNIX_TIMES;
  if (columns.some(({ reading }) => reading.kind === "number" && reading.form.units !== undefined))
    return VERSION_WITH_UNITS;
  const parts = model.kind === "stack" ? model.members.map((member) => member.model) : [model];
  if (parts.some(({ kind }) => kind === "hidden layer")) return VERSION_WITH_HIDDEN_LAYERS;
  const hasChoices = columns.some(({ reading }) => reading.kind === "category" && reading.missingTexts !== undefined);
  if (costs !== undefined || hasChoices) return VERSION_WITH_COSTS;
  return texts === undefined ? PLAIN_VERSION : VERSION_WITH_TEXTS;
}

/** @throws InputError where the bytes are no model file, damaged, or of a newer format. */
export function unpackModel(bytes: Uint8Array): ModelFile {
  const file = unpackScoring(bytes);
  if (!areSoundCounts(file, file.features)) throw damaged();
  return file;
}

/** As `unpackModel`, for a program that only scores: what the model counted of its training rows is not checked. */
export function unpackScoring(bytes: Uint8Array): ModelFile {
  const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes);
  if (!isModelHead(head)) throw damaged();
  const packed = head as PackedFile;
  const shelf = shelfOf(arrays);
  const features = packed.features.map((feature, index): ModelFeature => {
    if (feature.kind === "category") return { ...feature, codes: shelf.take<Uint16Array>(`codes.${index}`) };
    const cutPoints = shelf.take<Float64Array>(`cutPoints.${index}`);
    if (feature.kind === "number") return { ...feature, cutPoints };
    return { ...feature, cutPoints, scoreWeights: shelf.take<Float32Array>(`scoreWeights.${index}`) };
  });
  const texts = (packed.texts ?? []).map((text, index) => ({ ...text, keys: shelf.take<Int32Array>(`keys.${index}`) }));
  const termCounts = texts.map(({ keys }) => keys.length / 2);
  const codeCounts = features.map(({ codeCount }) => codeCount);
  const classCount = packed.labels.length;
  const isFitting =
    packed.model.classCount === classCount &&
    (packed.classWeights?.length ?? classCount) === classCount &&
    (packed.costs ?? packed.labels).length === classCount &&
    (packed.costs ?? []).every(({ length }) => length === classCount);
  const form = MODEL_FORMS.get(packed.model.kind)!;
  const model = isFitting ? orDamaged(() => form.unpack(packed.model, codeCounts, shelf, "", termCounts)) : null;
  if (model === null || !areSoundFeatures(features, packed.columns, texts)) throw damaged();
  const { texts: _, ...others } = packed;
  return packed.texts === undefined ? { ...others, features, model } : { ...others, features, texts, model };
}

/**
 * Reads the columns that a scoring file must have, and how they are read, from
 * the beginning of a model's file: see `readHead`.
 *
 * @throws InputError where there is no model
 */
export function readModelColumns(readAt: ReadAt): Pick<ModelFile, "columns" | "missingMarkers"> {
  const head = readHead(MODEL_FORMAT, readAt);
  if (!isModelHead(head)) throw damaged();
  const { columns, missingMarkers } = head as PackedFile;
  return { columns, missingMarkers };
}

/**
 * Reads what comparisons with the training rows need, from the beginning of a model's file: see `readHead`.
 *
 * @throws InputError where there is no model
 */
export function readWatchedModel(readAt: ReadAt): WatchedModel {
  const head = readHead(MODEL_FORMAT, readAt);
  if (!isModelHead(head)) throw damaged();
  const packed = head as PackedFile;
  if (!areSoundCounts(packed, packed.features)) throw damaged();
  return packed;
}

/**
 * Reads how large a model's file is without its arrays. `headBytes`: its beginning, with the names of categories; 0 if
 * it is no model.
 */
export function readModelHead(readAt: ReadAt): { headBytes: number; readsTexts: boolean } {
  const { version, headBytes } = readPrefix(MODEL_FORMAT, readAt);
  const head = version < VERSION_WITH_TEXTS ? null : readHead(MODEL_FORMAT, readAt);
  return { headBytes, readsTexts: (head as Partial<PackedFile> | null)?.texts !== undefined };
}

/** A fitted part without even the shape of its kind throws one of these on the way. */
function orDamaged<T>(unpack: () => T): T {
  try {
    return unpack();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? damaged() : error;
  }
}

function shelfOf(arrays: Map<string, StoredArray>): ArrayShelf {
  return {
    put: (name, array) => {
      arrays.set(name, array);
    },
    take: <A extends StoredArray>(name: string) => {
      const found = arrays.get(name);
      if (found === undefined || !hasArrayType(name, found)) throw damaged();
      return found as A;
    },
  };
}

type Packed<T> = { [K in keyof T]: T[K] extends StoredArray ? null : T[K] };
type PackedFeature =
  | Packed<Extract<ModelFeature, { kind: "score" }>>
  | Packed<Extract<ModelFeature, { kind: "number" }>>
  | Packed<Extract<ModelFeature, { kind: "category" }>>;
type PackedFile = Omit<ModelFile, "features" | "texts" | "model"> & {
  features: readonly PackedFeature[];
  texts?: readonly Packed<ModelText>[];
  model: ModelHead;
};

export function damaged(): InputError {
  return new InputError("FILE_DAMAGED", "This Cupel model is damaged: its parts do not fit together. Copy it again.");
}
