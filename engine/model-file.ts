// The .cupel file: a fitted model with its cut points, categories, labels, lineage and metrics, to and from bytes.
import { type FileFormat, packArrays, type StoredArray, unpackArrays } from "./array-file.ts";
import type { ColumnReading } from "./columns/reading.ts";
import { checkForest } from "./families/forest-check.ts";
import type { Model, ModelSettings } from "./families/model.ts";
import { InputError } from "./input-error.ts";
import type { ClassMetrics, Estimate } from "./metrics.ts";
import type { DatePart } from "./table.ts";

export const MODEL_FORMAT: FileFormat = { magic: "CUPELMDL", version: 1, noun: "Cupel model" };

/** Where a model comes from and how good it is: nothing here is needed to score. */
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
  buckets: "fine" | number;
  numberOfBuckets: number;
  settings: ModelSettings;
  /** Of the model that saw 80% of the rows; this one was refitted on all of them. */
  performance: {
    trainingPerformance: number;
    testPerformance: number;
    confirmedPerformance: Estimate | null;
    falseDecisions: number;
    holdoutRowCount: number;
    logLoss: number;
  } & ClassMetrics;
}

/** A column that a scoring file must have. */
export interface ModelColumn {
  name: string;
  kind: string;
  reading: ColumnReading;
  /** Cells without a value among the training rows. */
  missingCount: number;
}

/** How a feature's code is made of a cell. */
export type ModelFeature = { column: number; codeCount: number } & (
  | { kind: "number"; part: DatePart | null; cutPoints: Float64Array }
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

export interface ModelFile {
  lineage: ModelLineage;
  label: string;
  /** Label texts as the training file has them, by class code. */
  labels: readonly string[];
  positiveLabel: string | null;
  missingMarkers: readonly string[];
  columns: readonly ModelColumn[];
  features: readonly ModelFeature[];
  model: Model;
}

/** The bytes of a model file; the same content gives the same bytes. */
export function packModel(file: ModelFile): Uint8Array {
  const arrays = new Map<string, StoredArray>();
  const features = file.features.map((feature, index) => {
    if (feature.kind === "number") {
      arrays.set(`cutPoints.${index}`, feature.cutPoints);
      return { ...feature, cutPoints: null };
    }
    arrays.set(`codes.${index}`, feature.codes);
    return { ...feature, codes: null };
  });
  const model = packModelArrays(file.model, arrays);
  return packArrays(MODEL_FORMAT, { ...file, features, model }, arrays);
}

/** @throws InputError where the bytes are no model file, damaged, or of a newer format. */
export function unpackModel(bytes: Uint8Array): ModelFile {
  const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes);
  const packed = head as PackedFile;
  const array = <A extends StoredArray>(name: string): A => {
    const found = arrays.get(name);
    if (found === undefined) throw damaged();
    return found as A;
  };
  const features = packed.features.map(
    (feature, index): ModelFeature =>
      feature.kind === "number"
        ? { ...feature, cutPoints: array<Float64Array>(`cutPoints.${index}`) }
        : { ...feature, codes: array<Uint16Array>(`codes.${index}`) },
  );
  return { ...packed, features, model: unpackModelArrays(packed.model, packed.features.length, array) };
}

type Packed<T> = { [K in keyof T]: T[K] extends StoredArray ? null : T[K] };
type PackedFeature =
  | Packed<Extract<ModelFeature, { kind: "number" }>>
  | Packed<Extract<ModelFeature, { kind: "category" }>>;
type PackedModel =
  | { kind: "forest"; classCount: number; featureCount: number }
  | { kind: "additive"; classCount: number; outputCount: number; hasTable: readonly boolean[] };
type PackedFile = Omit<ModelFile, "features" | "model"> & { features: readonly PackedFeature[]; model: PackedModel };

function packModelArrays(model: Model, arrays: Map<string, StoredArray>): PackedModel {
  const { kind, classCount } = model;
  if (kind === "forest") {
    for (const name of ["roots", "features", "thresholds", "children", "distributions"] as const) {
      arrays.set(name, model[name]);
    }
    return { kind, classCount, featureCount: model.featureCount };
  }
  arrays.set("intercepts", model.intercepts);
  model.tables.forEach((table, index) => {
    if (table !== null) arrays.set(`table.${index}`, table);
  });
  return { kind, classCount, outputCount: model.outputCount, hasTable: model.tables.map((table) => table !== null) };
}

function unpackModelArrays(
  packed: PackedModel,
  featureCount: number,
  array: <A extends StoredArray>(name: string) => A,
): Model {
  if (packed.kind === "additive") {
    const { kind, classCount, outputCount, hasTable } = packed;
    const tables = hasTable.map((has, index) => (has ? array<Float64Array>(`table.${index}`) : null));
    return { kind, classCount, outputCount, intercepts: array<Float64Array>("intercepts"), tables };
  }
  const forest = {
    kind: packed.kind,
    classCount: packed.classCount,
    featureCount: packed.featureCount,
    roots: array<Uint32Array>("roots"),
    features: array<Uint16Array>("features"),
    thresholds: array<Uint16Array>("thresholds"),
    children: array<Int32Array>("children"),
    distributions: array<Float32Array>("distributions"),
  };
  if (forest.featureCount !== featureCount || !checkForest(forest)) throw damaged();
  return forest;
}

function damaged(): InputError {
  return new InputError("FILE_DAMAGED", "This Cupel model is damaged: its parts do not fit together. Copy it again.");
}
