// Table bases: how the parameters of a feature make its table of contributions, and how a gradient by the table becomes
// one by the parameters. The ridge shrinks the parameters, so the basis says which tables come cheap.
import { type CodedFeature, FIRST_CODE, MISSING_CODE } from "../table/buckets.ts";

/**
 * The table of a number. smooth: the sum of steps from bucket to bucket (so that neighbours stay alike), a small free
 * part per bucket, and a line through the bucket means. one-hot: a free contribution per bucket. linear: the line
 * alone. A category is always one-hot, and missing cells always have a contribution of their own.
 */
export type LogisticBasis = "smooth" | "one-hot" | "linear";

/** joint: a free contribution per combination of two features' codes, shrunk more: both have tables of their own. */
export type TableForm = LogisticBasis | "joint";

/** The form of every feature's table: one for all, or one for each. */
export type TableForms = TableForm | readonly TableForm[];

/** A contribution is its scale times a parameter: the ridge on it weighs 1 / scale² as much. */
const SMOOTH_LEVEL_SCALE = 0.15;
const JOINT_LEVEL_SCALE = 0.5;

/** One feature's place in the parameters and tables of one output. A scale of 0 leaves the part out. */
export interface TableBasis {
  /** Index of the feature in the view. */
  featureIndex: number;
  codeCount: number;
  centres: Float64Array;
  tableOffset: number;
  /** Its first parameter: that of missing, then a step per bucket, a level per bucket and a slope, by their scales. */
  thetaOffset: number;
  stepScale: number;
  levelScale: number;
  slopeScale: number;
}

/** Whether a table has no parameters but the missing cells' and a slope. */
export function isLine({ stepScale, levelScale }: TableBasis): boolean {
  return stepScale === 0 && levelScale === 0;
}

export function formOf(forms: TableForms, featureIndex: number): TableForm {
  return typeof forms === "string" ? forms : forms[featureIndex]!;
}

/** The parameters that a feature takes per output. */
export function parameterCount(feature: CodedFeature, form: TableForm): number {
  const { stepScale, levelScale, slopeScale } = scales(feature, form);
  const buckets = feature.codeCount - FIRST_CODE;
  return 1 + (stepScale > 0 ? buckets : 0) + (levelScale > 0 ? buckets : 0) + (slopeScale > 0 ? 1 : 0);
}

/** Lays out the chosen features one after another; parameter 0 of each output is its intercept. */
export function layOutTables(
  features: readonly CodedFeature[],
  chosen: readonly number[],
  forms: TableForms,
): TableBasis[] {
  let tableOffset = 0;
  let thetaOffset = 1;
  return chosen.map((featureIndex) => {
    const feature = features[featureIndex]!;
    const { codeCount, centres } = feature;
    const form = formOf(forms, featureIndex);
    const part = { featureIndex, codeCount, centres, tableOffset, thetaOffset, ...scales(feature, form) };
    tableOffset += codeCount;
    thetaOffset += parameterCount(feature, form);
    return part;
  });
}

/**
 * Writes one feature's table; the unseen code contributes 0. Offsets count from
 * the start of the output's parameters and tables.
 */
export function buildTable(part: TableBasis, theta: Float64Array, thetaBase: number, tables: Float64Array): void {
  const { codeCount, centres, stepScale, levelScale, slopeScale, tableOffset } = part;
  const buckets = codeCount - FIRST_CODE;
  let from = thetaBase + part.thetaOffset;
  const first = tableOffset + FIRST_CODE;
  // Not `fill`, which takes longer than these few cells.
  for (let cell = tableOffset; cell < tableOffset + codeCount; cell++) tables[cell] = 0;
  tables[tableOffset + MISSING_CODE] = theta[from++]!;
  if (stepScale > 0) {
    let height = 0;
    for (let b = 0; b < buckets; b++) {
      height += theta[from++]!;
      tables[first + b] = stepScale * height;
    }
  }
  if (levelScale > 0) {
    for (let b = 0; b < buckets; b++) tables[first + b] = tables[first + b]! + levelScale * theta[from++]!;
  }
  if (slopeScale > 0) {
    const slope = slopeScale * theta[from]!;
    for (let b = 0; b < buckets; b++) tables[first + b] = tables[first + b]! + slope * centres[FIRST_CODE + b]!;
  }
}

/** Adds the gradient by one feature's parameters, by the chain rule from the gradient by its table. */
export function pullGradient(
  part: TableBasis,
  tableGradient: Float64Array,
  gradient: Float64Array,
  thetaBase: number,
): void {
  const { codeCount, centres, stepScale, levelScale, slopeScale, tableOffset } = part;
  const buckets = codeCount - FIRST_CODE;
  const first = tableOffset + FIRST_CODE;
  let to = thetaBase + part.thetaOffset;
  gradient[to] = gradient[to]! + tableGradient[tableOffset + MISSING_CODE]!;
  to++;
  if (stepScale > 0) {
    let sum = 0;
    for (let b = buckets - 1; b >= 0; b--) {
      sum += tableGradient[first + b]!;
      gradient[to + b] = gradient[to + b]! + stepScale * sum;
    }
    to += buckets;
  }
  if (levelScale > 0) {
    for (let b = 0; b < buckets; b++) gradient[to + b] = gradient[to + b]! + levelScale * tableGradient[first + b]!;
    to += buckets;
  }
  if (slopeScale > 0) {
    let sum = 0;
    for (let b = 0; b < buckets; b++) sum += centres[FIRST_CODE + b]! * tableGradient[first + b]!;
    gradient[to] = gradient[to]! + slopeScale * sum;
  }
}

function scales(feature: CodedFeature, form: TableForm): { stepScale: number; levelScale: number; slopeScale: number } {
  if (form === "joint") return { stepScale: 0, levelScale: JOINT_LEVEL_SCALE, slopeScale: 0 };
  if (feature.kind === "category" || form === "one-hot") return { stepScale: 0, levelScale: 1, slopeScale: 0 };
  if (form === "linear") return { stepScale: 0, levelScale: 0, slopeScale: 1 };
  const buckets = Math.max(1, feature.codeCount - FIRST_CODE);
  return { stepScale: 2 / Math.sqrt(buckets), levelScale: SMOOTH_LEVEL_SCALE, slopeScale: 1 };
}
