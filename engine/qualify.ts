// One attempt from settings to scores: out-of-fold inside the learning rows, where it qualifies, and on the holdout.
import type { AttemptSpec } from "./attempts.ts";
import { type CodedView, codeTable, type FeatureBuckets, FINE_BUCKETS, fitBuckets, mergeBuckets } from "./buckets.ts";
import { ForestGrower } from "./families/forest-growth.ts";
import { fitModel, type Model, type ModelSettings, scoreModel } from "./families/model.ts";
import type { Split } from "./holdout.ts";
import { type Judgement, judge } from "./metrics.ts";
import { OutOfTime, type StopSignal, throwIfCancelled } from "./stop-signal.ts";
import type { Table } from "./table.ts";

/** Trees that a forest below the target adds at a time, and may reach. */
const TREES_PER_STEP = 100;
const MOST_TREES = 1_000;
/** A step must lower the out-of-fold log-loss by this share to count as a gain. */
const LEAST_GAIN = 1e-3;
/** How far one step moves a ridge or a smoothing, and how many steps are tried. */
const SEARCH_FACTOR = Math.sqrt(10);
const MOST_SEARCH_STEPS = 6;

/** The rows and limits that all attempts of a run share. */
export interface Arena {
  table: Table;
  /** The stratified fifth that each row lies in. */
  parts: Uint8Array;
  /** The learning rows (80%) and the holdout. */
  split: Split;
  /** Folds of the learning rows, the same for every attempt. */
  folds: readonly Split[];
  /** The user's number of buckets. */
  numberOfBuckets: number;
  /** The accuracy to reach, or null: then an attempt is done with its first settings. */
  target: number | null;
}

/** What came of an attempt. */
export interface Qualification {
  /** The settings as found: what a refit uses. */
  settings: ModelSettings;
  outOfFold: Judgement;
  training: Judgement;
  holdout: Judgement;
  /** Class probabilities of the holdout rows. */
  holdoutProbabilities: Float64Array;
}

/**
 * Runs an attempt. Below the target it goes on improving (more trees, finer ridge or smoothing) while its out-of-fold
 * log-loss still falls. The holdout takes no part in any choice.
 *
 * @throws Cancelled or OutOfTime; a forest whose time is up is scored with the trees it has.
 */
export function qualify(arena: Arena, spec: AttemptSpec, stop: StopSignal): Qualification {
  return spec.settings.algorithm === "forest"
    ? qualifyForest(arena, spec, spec.settings, stop)
    : qualifyByFolds(arena, spec, stop);
}

/** The bucketing of an attempt, fitted on the given rows alone. */
export function fitBucketing(
  table: Table,
  rows: Uint32Array,
  buckets: "fine" | number,
  numberOfBuckets: number,
): FeatureBuckets[] {
  const fine = fitBuckets(table, rows, Math.max(FINE_BUCKETS, numberOfBuckets));
  return buckets === "fine" ? fine : mergeBuckets(fine, buckets);
}

function qualifyForest(
  arena: Arena,
  spec: AttemptSpec,
  settings: Extract<ModelSettings, { algorithm: "forest" }>,
  stop: StopSignal,
): Qualification {
  const { table, split, target } = arena;
  const view = codeTable(table, fitBucketing(table, split.learning, spec.buckets, arena.numberOfBuckets));
  const grower = new ForestGrower(
    { view, rows: split.learning, classes: table.classes, classCount: table.labels.length, seed: spec.seed, stop },
    settings,
  );
  const judgeVotes = () => judge(grower.outOfBag().probabilities, split.learning, table.classes, table.labels.length);
  grower.growTo(settings.treeCount);
  let outOfFold = judgeVotes();
  while (isBelow(target, outOfFold) && grower.treeCount < MOST_TREES && !stop.timeIsUp()) {
    grower.growTo(Math.min(MOST_TREES, grower.treeCount + TREES_PER_STEP));
    const next = judgeVotes();
    const gained = next.logLoss < outOfFold.logLoss * (1 - LEAST_GAIN);
    outOfFold = next;
    if (!gained) break;
  }
  const found = { ...settings, treeCount: grower.treeCount };
  return { settings: found, outOfFold, ...judgeModel(arena, grower.forest(), view) };
}

function qualifyByFolds(arena: Arena, spec: AttemptSpec, stop: StopSignal): Qualification {
  const { table, split } = arena;
  const outOfFoldOf = (settings: ModelSettings) => judgeFolds(arena, spec, settings, stop);
  const { settings, outOfFold } = improve(spec.settings, arena.target, outOfFoldOf, stop);
  const view = codeTable(table, fitBucketing(table, split.learning, spec.buckets, arena.numberOfBuckets));
  const model = fitOn(table, view, split.learning, settings, spec.seed, stop);
  return { settings, outOfFold, ...judgeModel(arena, model, view) };
}

/** Walks the ridge or smoothing up and down from where it stands, while the score is below the target and gains. */
function improve(
  first: ModelSettings,
  target: number | null,
  outOfFoldOf: (settings: ModelSettings) => Judgement,
  stop: StopSignal,
): { settings: ModelSettings; outOfFold: Judgement } {
  let best = { settings: first, outOfFold: outOfFoldOf(first) };
  let steps = 0;
  for (const factor of [1 / SEARCH_FACTOR, SEARCH_FACTOR]) {
    let gained = true;
    while (gained && isBelow(target, best.outOfFold) && steps < MOST_SEARCH_STEPS && !stop.timeIsUp()) {
      const settings = scaleRegularisation(best.settings, factor);
      const outOfFold = outOfFoldOf(settings);
      gained = outOfFold.logLoss < best.outOfFold.logLoss * (1 - LEAST_GAIN);
      if (gained) best = { settings, outOfFold };
      steps++;
    }
  }
  return best;
}

function scaleRegularisation(settings: ModelSettings, factor: number): ModelSettings {
  if (settings.algorithm === "logistic regression") return { ...settings, l2: settings.l2 * factor };
  if (settings.algorithm === "naive Bayes") return { ...settings, smoothing: settings.smoothing * factor };
  return settings;
}

function judgeFolds(arena: Arena, spec: AttemptSpec, settings: ModelSettings, stop: StopSignal): Judgement {
  const { table, split } = arena;
  const classCount = table.labels.length;
  const probabilities = new Float64Array(split.learning.length * classCount);
  const position = new Uint32Array(table.rowCount);
  split.learning.forEach((row, index) => {
    position[row] = index;
  });
  for (const fold of arena.folds) {
    throwIfCancelled(stop);
    if (stop.timeIsUp()) throw new OutOfTime();
    const view = codeTable(table, fitBucketing(table, fold.learning, spec.buckets, arena.numberOfBuckets));
    const scores = scoreModel(fitOn(table, view, fold.learning, settings, spec.seed, stop), view, fold.judging);
    fold.judging.forEach((row, i) => {
      probabilities.set(scores.subarray(i * classCount, (i + 1) * classCount), position[row]! * classCount);
    });
  }
  return judge(probabilities, split.learning, table.classes, classCount);
}

function fitOn(
  table: Table,
  view: CodedView,
  rows: Uint32Array,
  settings: ModelSettings,
  seed: number,
  stop: StopSignal,
): Model {
  return fitModel(settings, { view, rows, classes: table.classes, classCount: table.labels.length, seed, stop });
}

function judgeModel(arena: Arena, model: Model, view: CodedView) {
  const { table, split } = arena;
  const classCount = table.labels.length;
  const holdoutProbabilities = scoreModel(model, view, split.judging);
  return {
    holdoutProbabilities,
    holdout: judge(holdoutProbabilities, split.judging, table.classes, classCount),
    training: judge(scoreModel(model, view, split.learning), split.learning, table.classes, classCount),
  };
}

function isBelow(target: number | null, judgement: Judgement): boolean {
  return target !== null && judgement.accuracy < target;
}
