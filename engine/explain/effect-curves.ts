// Draws what a model learned from each column: its answer along the column's
// values while all other cells stay as they are.

import { isDatePart } from "../columns/dates.ts";
import { formOf, type Model, scoreModel } from "../families/algorithms.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { applyTemperature } from "../judging/temperature.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { type CodedView, codeRows, type FeatureBuckets } from "../table/buckets.ts";
import { type DatePart, everyRowOf, type Feature, sourcesOf, type Table, type TextPart } from "../table/table.ts";
import { isCharacterPart, isTextPart } from "../table/text-shape.ts";
import { accumulatedEffects } from "./accumulated-effects.ts";
import { goodmanKruskalTau, groupRows, type RowGroups, STRONG_ASSOCIATION } from "./association.ts";
import { scoreChanged } from "./changed-cells.ts";
import { type GridPoint, gridOf } from "./effect-grid.ts";
import { featureUseOf } from "./explanations.ts";

/** Curves at most, and the columns that they are compared with. */
export const MOST_CURVES = 20;
const MOST_OTHERS = 200;
/** Rows that are scored at each point: their mean is off by at most some 1.6 points of probability. */
const MOST_ROWS = 1_000;
const LEAST_ROWS = 100;
/** Trees of each forest that are asked: enough for a mean over rows. */
const MOST_TREES = 40;
/** Rows × points × trees × classes at most: about a fifth of a second. */
const MOST_CELLS = 10_000_000;
/** Parts of a text that have curves at most, those that the model uses most. */
const MOST_TEXT_PARTS = 3;
/** The least change of a probability along the curve of such a part: a text's words mostly tell more. */
const LEAST_CHANGE = 0.05;
/** With more classes only those whose probability changes most are drawn. */
const MOST_CLASSES = 5;
/** Second part of the seed of the sample. */
const SAMPLE_DRAW = 23;

export type EffectMethod = "partial dependence" | "accumulated local effects";

/** The part of a date or a text, or what another column is taken off: a number, or a date in seconds. */
export type EffectPart = DatePart | TextPart | "difference" | "duration";

/** One column, one part of a date or a text, or a column less another. */
export interface EffectCurves {
  /** Index of the source column. */
  column: number;
  part: EffectPart | null;
  /** The source column that is taken off; only of a difference or a duration. */
  minus?: number;
  kind: "number" | "category";
  method: EffectMethod;
  /**
   * The other column of the model that this one is most associated with, by `goodmanKruskalTau`; null if there is none.
   */
  closest: { column: number; association: number } | null;
  /** In the order of the column's codes; missing cells last, which only a partial dependence has. */
  points: readonly Omit<GridPoint, "code">[];
  curves: readonly { classCode: number; probabilities: readonly number[] }[];
}

/** Some of the curves, by their place. */
export interface CurveRange {
  from: number;
  to: number;
}

/** A model that was fitted on all rows of a table. */
export interface LearnedModel {
  table: Table;
  model: Model;
  bucketing: readonly FeatureBuckets[];
  temperature: number;
  /** Source columns, the most important first; those that are not named follow by how much the model uses them. */
  byImportance: readonly number[];
  /** With two classes, the one whose probability is drawn. */
  positiveClass: number;
  seed: number;
}

/**
 * Partial dependence (Friedman 2001): the mean probability of sampled rows with the column's cell set to each value in
 * turn. If another column is strongly associated with this one, such rows would be unlike real ones, so the curves are
 * accumulated local effects instead (accumulated-effects.ts). A text has curves of its parts, none of its words.
 */
export function effectCurves(
  learned: LearnedModel,
  stop: StopSignal,
  { from, to }: CurveRange = { from: 0, to: MOST_CURVES },
): EffectCurves[] {
  const { table, model, bucketing, seed } = learned;
  const { labels } = table;
  const used = usedFeatures(learned);
  const shown = used.slice(0, MOST_CURVES);
  const grids = new Map(shown.map((index) => [index, gridOf(table, index, bucketing[index]!)]));
  const pointCount = [...grids.values()].reduce((sum, { points }) => sum + points.length + 1, 0);
  const treeCount = Math.max(MOST_TREES, formOf(model).treesAsked?.(model, MOST_TREES) ?? 1);
  const affordable = Math.floor(MOST_CELLS / (treeCount * Math.max(1, pointCount) * labels.length));
  const most = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, affordable));
  const all = everyRowOf(table);
  const view = codeRows(table, bucketing, sampleRows(all, most, deriveSeed(seed, SAMPLE_DRAW)));
  const groups = new Map(used.slice(0, MOST_OTHERS).map((index) => [index, groupRows(view.features[index]!)]));
  const score = scorerOf(learned, view, stop);
  return shown.slice(from, to).flatMap((index) => {
    throwIfCancelled(stop);
    const { points, missing } = grids.get(index)!;
    if (points.length < 2) return [];
    const feature = table.features[index]!;
    const { kind, codes } = view.features[index]!;
    const closest = closestTo(table, index, groups);
    const isLocal = closest !== null && closest.association >= STRONG_ASSOCIATION;
    const shownPoints = isLocal || missing === null ? points : [...points, missing];
    const codesOfPoints = shownPoints.map(({ code }) => code);
    const scoreWith = (changes: readonly ArrayLike<number>[]) => score(index, changes);
    const means = isLocal
      ? accumulatedEffects({ kind, codes, points: codesOfPoints, classCount: labels.length }, scoreWith)
      : scoreWith(codesOfPoints.map((code) => new Uint16Array(codes.length).fill(code))).map((probabilities) =>
          meansOf(probabilities, labels.length),
        );
    const shownClasses = classesOf(means, learned);
    if (isTextPart(feature.part) && !shownClasses.some((code) => changeOf(means, code) >= LEAST_CHANGE)) return [];
    return {
      column: feature.column,
      ...partOf(feature, table),
      kind: isCharacterPart(feature.part) ? "category" : kind,
      method: isLocal ? "accumulated local effects" : "partial dependence",
      closest,
      points: shownPoints.map(({ value, rows }) => ({ value, rows })),
      curves: shownClasses.map((classCode) => ({
        classCode,
        probabilities: means.map((ofClasses) => ofClasses[classCode]!),
      })),
    } satisfies EffectCurves;
  });
}

/** Features that the model uses, those of important columns first. */
function usedFeatures({ table: { features }, model, byImportance }: LearnedModel): number[] {
  const use = featureUseOf(model, features.length);
  const rankOf = new Map(byImportance.map((column, rank) => [column, rank]));
  const rank = (index: number) => rankOf.get(features[index]!.column) ?? byImportance.length;
  const used = [...features.keys()]
    .filter((index) => use[index]! > 0 && features[index]!.kind !== "score")
    .sort((a, b) => rank(a) - rank(b) || use[b]! - use[a]! || a - b);
  const ofTexts = Map.groupBy(
    used.filter((index) => isTextPart(features[index]!.part)),
    (index) => features[index]!.column,
  );
  const hidden = new Set([...ofTexts.values()].flatMap((parts) => parts.slice(MOST_TEXT_PARTS)));
  return used.filter((index) => !hidden.has(index));
}

/** Scores the sampled rows with other codes of one feature, once for each entry of `changes`. */
function scorerOf({ model, temperature }: LearnedModel, view: CodedView, stop: StopSignal) {
  const score = (changed: CodedView) => {
    const probabilities = scoreModel(model, changed, rowsUpTo(changed.rowCount), MOST_TREES);
    applyTemperature(probabilities, model.classCount, temperature);
    return probabilities;
  };
  return (index: number, changes: readonly ArrayLike<number>[]): Float64Array[] =>
    scoreChanged(
      view,
      changes.map((codes) => ({ codes: new Map([[index, codes]]) })),
      score,
      stop,
    );
}

function closestTo(table: Table, index: number, groups: ReadonlyMap<number, RowGroups>): EffectCurves["closest"] {
  const own = sourcesOf(table.features[index]!);
  let closest: EffectCurves["closest"] = null;
  for (const [other, rows] of groups) {
    const { column } = table.features[other]!;
    if (sourcesOf(table.features[other]!).some((source) => own.includes(source))) continue;
    const association = goodmanKruskalTau(groups.get(index)!, rows);
    if (closest === null || association > closest.association) closest = { column, association };
  }
  return closest;
}

function partOf(feature: Feature, { features }: Table): Pick<EffectCurves, "part" | "minus"> {
  if (feature.kind !== "number" || feature.minus === undefined) return { part: feature.part as EffectPart | null };
  const isOfDates = features.some(({ column, part }) => column === feature.column && isDatePart(part));
  return { part: isOfDates ? "duration" : "difference", minus: feature.minus };
}

function meansOf(probabilities: Float64Array, classCount: number): Float64Array {
  const means = new Float64Array(classCount);
  const share = classCount / probabilities.length;
  for (let at = 0; at < probabilities.length; at++) means[at % classCount]! += share * probabilities[at]!;
  return means;
}

/** The classes that are shown, by code. */
function classesOf(means: readonly Float64Array[], { table: { labels }, positiveClass }: LearnedModel): number[] {
  if (labels.length === 2) return [positiveClass];
  return [...labels.keys()]
    .sort((a, b) => changeOf(means, b) - changeOf(means, a) || a - b)
    .slice(0, MOST_CLASSES)
    .sort((a, b) => a - b);
}

/** By how much the mean probability of a class changes along the points. */
function changeOf(means: readonly Float64Array[], classCode: number): number {
  const ofClass = means.map((mean) => mean[classCode]!);
  return Math.max(...ofClass) - Math.min(...ofClass);
}
