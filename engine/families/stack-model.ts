// A fitted stack: base models of any family, each on its own merge of the fine view, weighed together.

import { type ScoreTables, softmaxInPlace } from "../fitting/score-tables.ts";
import { rowsUpTo } from "../row-lists.ts";
import {
  type BucketChoice,
  type CodedFeature,
  type CodedView,
  type FeatureBuckets,
  newCodes,
  selectRows,
  UNSEEN_CODE,
} from "../table/buckets.ts";
import { type BaseModel, type BaseSettings, scoreBase } from "./base-algorithms.ts";
import { applyStacking, type Stacking, writeLogOdds } from "./stacking.ts";

/** How one feature's fine codes become the codes of a coarser view. */
export interface FeatureMerge {
  /** Entry `code`: the code in the coarser view. */
  codeOf: Uint16Array;
  codeCount: number;
}

/** A base of a stack: its settings and its weight. */
export interface StackedBase {
  /** Its number in the plan. */
  attempt: number;
  buckets: BucketChoice;
  settings: BaseSettings;
  seed: number;
  weight: number;
  /** The weight that the refit uses, fitted on the holdout's rows too. */
  finalWeight: number;
}

export interface StackSettings {
  /** True if tables of the features are added on top of the bases. */
  withMains: boolean;
  /** Empty in a plan, which leaves the choice to the fit. */
  members: readonly StackedBase[];
  intercepts: readonly number[];
  finalIntercepts: readonly number[];
}

export interface StackMember {
  /** Index of the member's merges among the stack's; null if it uses the fine view itself. */
  merge: number | null;
  model: BaseModel;
}

export interface StackModel extends Stacking {
  kind: "stack";
  classCount: number;
  members: readonly StackMember[];
  /** Per coarser view: the merge of every feature. */
  merges: readonly (readonly FeatureMerge[])[];
  /** Tables of the features themselves on top of the weighed bases; null for none. */
  mains: { merge: number | null; tables: ScoreTables } | null;
}

/** Rows whose codes and scores are held together. */
const BLOCK_ROWS = 16_384;

/**
 * Writes the class probabilities of rows of the fine view, `rows.length ×
 * classCount`. `treeLimit`: trees of each forest at most.
 */
export function scoreStack(
  model: StackModel,
  view: CodedView,
  rows: Uint32Array,
  out: Float64Array,
  treeLimit?: number,
): void {
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    const block = selectRows(view, rows.subarray(start, start + BLOCK_ROWS));
    out.set(scoreBlock(model, block, treeLimit), start * model.classCount);
  }
}

/** The merges that lead from one bucketing to another of the same rows whose buckets are unions of the first's. */
export function mergesBetween(fine: readonly FeatureBuckets[], coarse: readonly FeatureBuckets[]): FeatureMerge[] {
  return fine.map((from, index) => {
    const to = coarse[index]!;
    const codeOf = new Uint16Array(from.codeCount);
    codeOf[UNSEEN_CODE] = UNSEEN_CODE;
    from.codeOfLevel.forEach((code, level) => {
      codeOf[code] = to.codeOfLevel[level]!;
    });
    return { codeOf, codeCount: to.codeCount };
  });
}

/** Adds the contributions of tables to the log of probabilities and makes probabilities of them again. */
export function addMains(probabilities: Float64Array, tables: ScoreTables, view: CodedView): void {
  const { classCount, outputCount } = tables;
  const scores = new Float64Array(classCount);
  for (let row = 0, base = 0; row < view.rowCount; row++, base += classCount) {
    for (let k = 0; k < classCount; k++) scores[k] = Math.log(Math.max(Number.MIN_VALUE, probabilities[base + k]!));
    for (let output = 0; output < outputCount; output++) {
      const k = outputCount === 1 ? 1 : output;
      scores[k] = scores[k]! + contribution(tables, view, row, output);
    }
    softmaxInPlace(scores, 0, classCount);
    probabilities.set(scores, base);
  }
}

function contribution({ tables, intercepts, outputCount }: ScoreTables, view: CodedView, row: number, output: number) {
  let sum = intercepts[output]!;
  for (const [index, table] of tables.entries()) {
    if (table !== null) sum += table[view.features[index]!.codes[row]! * outputCount + output]!;
  }
  return sum;
}

function scoreBlock(model: StackModel, block: CodedView, treeLimit: number | undefined): Float64Array {
  const everyRow = rowsUpTo(block.rowCount);
  const views = model.merges.map((merges) => mergeView(block, merges));
  const viewOf = (merge: number | null) => (merge === null ? block : views[merge]!);
  const logOdds = function* () {
    for (const member of model.members) {
      const votes = scoreBase(member.model, viewOf(member.merge), everyRow, treeLimit);
      writeLogOdds(votes, model.classCount, votes);
      yield votes;
    }
  };
  const probabilities = applyStacking(model, logOdds(), block.rowCount);
  if (model.mains !== null) addMains(probabilities, model.mains.tables, viewOf(model.mains.merge));
  return probabilities;
}

function mergeView(view: CodedView, merges: readonly FeatureMerge[]): CodedView {
  const features = view.features.map((feature, index): CodedFeature => {
    const { codeOf, codeCount } = merges[index]!;
    const codes = newCodes(codeCount, view.rowCount);
    for (let row = 0; row < codes.length; row++) codes[row] = codeOf[feature.codes[row]!]!;
    // Centres serve fitting alone.
    return { kind: feature.kind, codes, codeCount, centres: feature.centres };
  });
  return { ...view, features };
}
