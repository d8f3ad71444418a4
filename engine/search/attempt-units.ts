// The units of an attempt: fits that threads make side by side, and how an attempt is put together of them (D133).
import { type BoostedFold, growFold, scoreFold } from "../boosting/boosted-fold.ts";
import type { BoostingSettings } from "../boosting/boosting-settings.ts";
import type { BaseModel, BaseSettings } from "../families/base-algorithms.ts";
import { outputCountOf } from "../families/score-tables.ts";
import { type StopSignal, throwIfOutOfTime } from "../stop-signal.ts";
import { type BaseSpec, fitFold, fitOn, type TrainingTask, viewOf } from "./qualify.ts";

/** A piece of an attempt. */
export type AttemptUnit =
  /** Learns from the fold's learning rows and scores the others. */
  | { kind: "fold"; fold: number; keepsModel: boolean }
  /** Learns from all learning rows. */
  | { kind: "learning"; settings: BaseSettings }
  /** Takes a fold of gradient boosting on to so many rounds. */
  | { kind: "rounds"; fold: number; before: BoostedFold | null; roundCount: number }
  /** Scores a fold of gradient boosting after so many rounds. */
  | { kind: "score"; fold: number; grown: BoostedFold; roundCount: number };

/** Cells (learning rows × features × classes above two) from which on the threads' errands cost less than they save. */
const LEAST_CELLS = 20_000;

/** What a unit made; each kind has its own fields. */
export interface UnitMade {
  scores?: Float64Array;
  model?: BaseModel;
  grown?: BoostedFold;
}

/**
 * How an attempt is cut, or null where it runs in one piece: below a target it goes on by what it has found, among rivals it
 * chooses first, a forest that is judged out of bag has no folds, and on a small table most fits take a few milliseconds.
 */
export function cutOf(task: TrainingTask, { settings, rivals }: BaseSpec): "folds" | "rounds" | null {
  const { target, clusters, split, table } = task;
  if (target !== null || rivals.length > 0) return null;
  if (settings.algorithm === "forest" && clusters === null) return null;
  const cells = split.learning.length * table.features.length * outputCountOf(table.labels.length);
  if (cells < LEAST_CELLS && settings.algorithm !== "refined forest") return null;
  return settings.algorithm === "additive logistic regression" ? "rounds" : "folds";
}

/** @throws Cancelled, or OutOfTime rather than give less than was asked for */
export function makeUnit(task: TrainingTask, spec: BaseSpec, unit: AttemptUnit, stop: StopSignal): UnitMade {
  throwIfOutOfTime(stop);
  switch (unit.kind) {
    case "fold": {
      const { scores, model } = fitFold(task, spec, spec.settings, task.folds[unit.fold]!, stop);
      return unit.keepsModel ? { scores, model } : { scores };
    }
    case "learning": {
      const { learning } = task.split;
      const model = fitOn(task.table, viewOf(task, spec, learning), learning, unit.settings, spec.seed, stop);
      throwIfOutOfTime(stop);
      return { model };
    }
    case "rounds": {
      const { classes, labels } = task.table;
      const { fold, before, roundCount } = unit;
      const input = { classes, classCount: labels.length, seed: spec.seed, stop, fold, split: task.folds[fold]! };
      const own = (learning: Uint32Array) => viewOf(task, spec, learning);
      return { grown: growFold(input, spec.settings as BoostingSettings, before, roundCount, own) };
    }
    case "score":
      return { scores: scoreFold(unit.grown, task.folds[unit.fold]!, unit.roundCount) };
  }
}
