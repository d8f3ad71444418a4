// Weak attempts end after the first fold: those that others of their family outdo and no stack gains by, and no others.
import { describe, expect, test } from "bun:test";
import type { BaseSettings } from "../../../engine/families/base-algorithms.ts";
import { Random } from "../../../engine/random.ts";
import { findEarlyEnd } from "../../../engine/search/early-end.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import { qualify } from "../../../engine/search/qualify.ts";
import { keepVotes, type StackBase } from "../../../engine/search/stack-votes.ts";
import type { BaseSpec } from "../../../engine/search/training-task.ts";
import { SMALL_ROWS } from "../../../engine/splits/holdout.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { FIRST_LEVEL, type Table } from "../../../engine/table/table.ts";
import { forestOf } from "../../support/forests.ts";

const ROW_COUNT = 4000;
const LEVELS = 50;
const LOGISTIC: BaseSettings = { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 60 };
const FOREST = forestOf({ treeCount: 10, featuresPerSplit: 1, minLeafRows: 1 });
const BAYES: BaseSettings = { algorithm: "naive Bayes", variant: "plain", smoothing: 1 };

/** Two classes, and two numbers that tell of them, the first one better. */
function drawTable(): Table {
  const random = new Random(1);
  const classes = Uint8Array.from({ length: ROW_COUNT }, () => random.nextBelow(2));
  const columns = [3, 1].map((signal) =>
    Uint8Array.from(classes, (own) => {
      const value = signal * (own - 0.5) + 4 * (random.nextFloat() - 0.5);
      return FIRST_LEVEL + Math.max(0, Math.min(LEVELS - 1, Math.floor(LEVELS * (value / 8 + 0.5))));
    }),
  );
  const values = Float64Array.from({ length: LEVELS }, (_, level) => level);
  return {
    rowCount: ROW_COUNT,
    features: columns.map((_, column) => ({ kind: "number", name: `n${column}`, column, part: null, values })),
    levels: columns,
    labels: ["no", "yes"],
    classes,
  };
}

const table = drawTable();
const task = openTraining(table, { numberOfBuckets: 20, target: null, seed: 1 });
const { split, folds } = task;

/** What says so much of each row's class, and is off by noise, for some of the rows. */
function saying(rows: Uint32Array, strength: number, noise: number, seed: number): Float64Array {
  const random = new Random(seed);
  return new Float64Array(
    [...rows].flatMap((row) => {
      const logOdds = strength * (table.classes[row]! - 0.5) + noise * (random.nextFloat() + random.nextFloat() - 1);
      const yes = 1 / (1 + Math.exp(-logOdds));
      return [1 - yes, yes];
    }),
  );
}

function attemptSaying(attempt: number, settings: BaseSettings, outOfFold: Float64Array): StackBase {
  const holdoutProbabilities = saying(split.judging, 2, 3, 9);
  const found = { outOfFoldProbabilities: outOfFold, trainingProbabilities: outOfFold, holdoutProbabilities };
  const votes = keepVotes(task, found)!;
  return { attempt, buckets: "fine", settings, seed: 1, votes };
}

const { judging } = folds[0]!;
const strong = saying(split.learning, 2, 2, 2);
const others = [attemptSaying(4, LOGISTIC, strong), attemptSaying(5, BAYES, saying(split.learning, 1, 2, 3))];

/** What the strong attempt says of the first fold's rows, off by further noise. */
function echo(noise: number): Float64Array {
  const random = new Random(7);
  const place = new Map(Array.from(split.learning, (row, at) => [row, at]));
  return new Float64Array(
    [...judging].flatMap((row) => {
      const yes = strong[2 * place.get(row)! + 1]!;
      const logOdds = Math.log(yes / (1 - yes)) / 2 + noise * (random.nextFloat() - 0.5);
      const own = 1 / (1 + Math.exp(-logOdds));
      return [1 - own, own];
    }),
  );
}

describe("an attempt ends early", () => {
  test("where another of its family did better and it says nothing new", () => {
    const end = findEarlyEnd(task, LOGISTIC, echo(2), others, neverStop);
    expect(end).toMatchObject({ foldCount: folds.length, better: { attempt: 4 } });
    expect(end!.logLoss).toBeGreaterThan(end!.better.logLoss);
  });

  test("not where it is weak and says something new", () => {
    expect(findEarlyEnd(task, LOGISTIC, saying(judging, 1, 2, 11), others, neverStop)).toBeNull();
  });

  test("not where it is the best of its family, though it says nothing new", () => {
    expect(findEarlyEnd(task, BAYES, echo(0.1), others, neverStop)).toBeNull();
    expect(findEarlyEnd(task, FOREST, echo(2), others, neverStop)).toBeNull();
  });

  test("of a small table wherever any other did better", () => {
    const small = { ...task, split: { ...split, learning: split.learning.slice(0, SMALL_ROWS) } };
    for (const own of [echo(2), saying(judging, 1, 2, 11)]) {
      expect(findEarlyEnd(small, FOREST, own, others, neverStop)).toMatchObject({ better: { attempt: 4 } });
    }
    expect(findEarlyEnd(small, FOREST, saying(judging, 8, 1, 11), others, neverStop)).toBeNull();
  });

  test("not beside no others", () => {
    expect(findEarlyEnd(task, LOGISTIC, echo(2), [], neverStop)).toBeNull();
  });
});

describe("an attempt of a plan", () => {
  const spec: BaseSpec = { attempt: 6, buckets: 10, settings: LOGISTIC, rivals: [], isWeak: true, seed: 3 };
  const found = qualify(task, { ...spec, buckets: 20 }, neverStop);
  const better = attemptSaying(1, LOGISTIC, found.outOfFoldProbabilities);

  test("that ends has the scores of the first fold's model", () => {
    const weak = qualify(task, { ...spec, buckets: 2 }, neverStop, [better]);
    expect(weak.earlyEnd).toMatchObject({ better: { attempt: 1 } });
    expect(weak.outOfFoldProbabilities).toHaveLength(2 * judging.length);
    expect(weak.trainingProbabilities).toHaveLength(2 * folds[0]!.learning.length);
    expect(weak.holdoutProbabilities).toHaveLength(2 * split.judging.length);
    expect(weak.outOfFold.logLoss).toBeCloseTo(weak.earlyEnd!.logLoss, 6);
  });

  test("that does not end has the same scores as beside no others", () => {
    const alone = qualify(task, spec, neverStop);
    expect(alone.earlyEnd).toBeUndefined();
    expect(alone.outOfFoldProbabilities).toHaveLength(2 * split.learning.length);
    const otherwise = attemptSaying(2, BAYES, found.outOfFoldProbabilities);
    expect(qualify(task, spec, neverStop, [otherwise])).toEqual(alone);
  });
});
