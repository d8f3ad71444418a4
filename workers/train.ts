// Training work: an attempt, a library baseline, a confirmation or a refit, on the shared table of an arena.
import type { AttemptSpec } from "../engine/attempts.ts";
import { codeTable, type FeatureBuckets } from "../engine/buckets.ts";
import { fitLibraryBaseline, type LibraryBaseline } from "../engine/families/library-baselines.ts";
import { splitByPart } from "../engine/holdout.ts";
import { calibrationBins, judge } from "../engine/metrics.ts";
import { type ModelFeature, packModel } from "../engine/model-file.ts";
import { type Arena, fitBucketing, qualify } from "../engine/qualify.ts";
import { type Confirmation, confirm, type FoundSettings, refit } from "../engine/refit.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import type { Table } from "../engine/table.ts";
import { FIRST_LEVEL } from "../engine/table.ts";
import type { AttemptAnswer, BaselineAnswer, ModelAbout } from "./messages.ts";

export function runAttempt(arena: Arena, spec: AttemptSpec, stop: StopSignal): AttemptAnswer {
  const start = performance.now();
  const { settings, outOfFold, training, holdout, holdoutProbabilities } = qualify(arena, spec, stop);
  const { table, split } = arena;
  return {
    settings,
    outOfFoldAccuracy: outOfFold.accuracy,
    outOfFoldLogLoss: outOfFold.logLoss,
    trainingAccuracy: training.accuracy,
    holdout: {
      falseDecisions: holdout.falseDecisions,
      accuracy: holdout.accuracy,
      logLoss: holdout.logLoss,
      decisions: holdout.decisions,
      calibration: calibrationBins(holdoutProbabilities, split.judging, table.classes, table.labels.length),
    },
    seconds: secondsSince(start),
  };
}

/** A baseline learns from a bounded sample of the learning rows and is judged on a bounded part of the holdout. */
export function runBaseline(arena: Arena, which: LibraryBaseline, seed: number, stop: StopSignal): BaselineAnswer {
  const start = performance.now();
  const { table, split, numberOfBuckets } = arena;
  const classCount = table.labels.length;
  const view = codeTable(table, fitBucketing(table, split.learning, "fine", numberOfBuckets));
  const baseline = fitLibraryBaseline(which, {
    view,
    rows: split.learning,
    classes: table.classes,
    classCount,
    seed,
    stop,
  });
  const judging = split.judging.subarray(0, MOST_BASELINE_JUDGING_ROWS);
  const probabilities = new Float64Array(judging.length * classCount);
  baseline.score(view, judging, probabilities);
  const { falseDecisions, accuracy, logLoss } = judge(probabilities, judging, table.classes, classCount);
  const { sampleRowCount } = baseline;
  return {
    sampleRowCount,
    judgedRowCount: judging.length,
    falseDecisions,
    accuracy,
    logLoss,
    seconds: secondsSince(start),
  };
}

export function runConfirm(arena: Arena, found: FoundSettings, judgingPart: number, stop: StopSignal): Confirmation {
  return confirm(arena.table, splitByPart(arena.parts, judgingPart), found, arena.numberOfBuckets, stop);
}

export function runRefit(arena: Arena, found: FoundSettings, about: ModelAbout, stop: StopSignal) {
  const { model, bucketing } = refit(arena.table, found, arena.numberOfBuckets, stop);
  const bytes = packModel({ ...about, features: modelFeatures(arena.table, bucketing, about), model });
  return { bytes: bytes as Uint8Array<ArrayBuffer> };
}

/** What scoring needs of a bucketing: columns are counted as in `about.columns`. */
function modelFeatures(table: Table, bucketing: readonly FeatureBuckets[], about: ModelAbout): ModelFeature[] {
  const sourceColumns = [...new Set(table.features.map((feature) => feature.column))];
  if (sourceColumns.length !== about.columns.length) throw new Error("the model's columns are not the table's");
  return table.features.map((feature, index): ModelFeature => {
    const buckets = bucketing[index]!;
    const column = sourceColumns.indexOf(feature.column);
    const { codeCount } = buckets;
    if (feature.kind === "number" && buckets.kind === "number") {
      return { column, codeCount, kind: "number", part: feature.part, cutPoints: buckets.cutPoints };
    }
    if (feature.kind === "category" && buckets.kind === "category") {
      const codes = buckets.codeOfLevel.slice(FIRST_LEVEL);
      return {
        column,
        codeCount,
        kind: "category",
        part: null,
        names: feature.names,
        codes,
        codeOfOthers: buckets.codeOfOthers,
      };
    }
    throw new Error("a feature and its buckets differ in kind");
  });
}

const MOST_BASELINE_JUDGING_ROWS = 2_000;

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
