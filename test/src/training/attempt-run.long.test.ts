// An attempt in units on threads comes to what it does in one piece, on any number of threads.
import { afterAll, describe, expect, test } from "bun:test";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import type { BaseSettings } from "../../../engine/families/base-algorithms.ts";
import { cutOf } from "../../../engine/search/attempt-units.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import type { StackBase } from "../../../engine/search/stack-votes.ts";
import type { BaseSpec } from "../../../engine/search/training-task.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { AttemptRun } from "../../../src/training/attempt-run.ts";
import { newJobControl } from "../../../src/work/job-control.ts";
import type { AttemptAnswer } from "../../../workers/messages.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { readTable } from "../../../workers/reading/read-table.ts";
import { runAttempt } from "../../../workers/train.ts";
import { forestOf } from "../../support/forests.ts";
import { fixtureTable, spawnWorker } from "../../support/in-process.ts";

const { table } = readTable({ path: fixtureTable("churn"), label: null, missingMarkers: null }, neverStop);
const task = openTraining(table, { numberOfBuckets: 20, target: null, seed: 5 });
const pools = [1, 3].map((size) => new WorkerPool(spawnWorker, size));

afterAll(() => {
  for (const pool of pools) pool.close();
});

const FOREST = forestOf({ treeCount: 130, featuresPerSplit: 4, minLeafRows: 3 });

function specOf(settings: BaseSettings, rivals: readonly BaseSettings[] = []): BaseSpec {
  return { attempt: 3, buckets: "fine", settings, rivals, isWeak: false, seed: 77 };
}

/** On each number of threads. */
async function inUnits(spec: BaseSpec, others: readonly StackBase[] = [], begins = false): Promise<AttemptAnswer[]> {
  const control = newJobControl();
  const options = { numberOfBuckets: 20, scalingFactor: 19, target: null, timeLimitSeconds: 600, seed: 5 };
  const answers: AttemptAnswer[] = [];
  for (const pool of pools) {
    const taskId = pool.openTask(task);
    const context = { taskId, task, options, pool, control, deadlineMs: Number.POSITIVE_INFINITY };
    const run = new AttemptRun(context, spec);
    if (begins) await run.begin();
    answers.push(await run.complete(others));
    pool.closeTask(taskId);
  }
  return answers;
}

const inOnePiece = (spec: BaseSpec, others: readonly StackBase[] = []) => runAttempt(task, { spec, others }, neverStop);

/** All but how long it took. */
const essence = ({ seconds: _, ...answer }: AttemptAnswer) => answer;

describe("an attempt in units", () => {
  test.each([
    [
      "rounds",
      specOf({ algorithm: "additive logistic regression", ...boostingSettings("c3", 4_000, 2), roundCount: 150 }),
    ],
    [
      "rounds",
      specOf({ algorithm: "additive logistic regression", ...boostingSettings("c6", 4_000, 2), roundCount: 40 }),
    ],
    ["folds", specOf({ algorithm: "naive Bayes", variant: "weighted", smoothing: 1 })],
  ] as const)("cut by %s is the same to the last bit", async (cut, spec) => {
    expect(cutOf(task, spec)).toBe(cut);
    const expected = essence(inOnePiece(spec));
    for (const answer of await inUnits(spec)) expect(essence(answer)).toEqual(expected);
  });

  test.each([
    ["alone", specOf(FOREST)],
    [
      "among rivals",
      specOf(FOREST, [
        { ...FOREST, featuresPerSplit: 9 },
        { ...FOREST, minLeafRows: 20 },
      ]),
    ],
    ["of extra-trees", specOf({ ...FOREST, variant: "extra-trees" })],
  ] as const)("a forest %s differs by rounding only", async (_, spec) => {
    expect(cutOf(task, spec)).toBe("trees");
    const expected = inOnePiece(spec);
    const [first, second] = await inUnits(spec);
    expect(essence(second!)).toEqual(essence(first!));
    expect(first!.settings).toEqual(expected.settings);
    expect(first!.holdout).toEqual(expected.holdout);
    expect(first!.outOfFoldLogLoss).toBeCloseTo(expected.outOfFoldLogLoss, 12);
  });

  test("that is weak ends after its first fold as in one piece, begun before or not", async () => {
    const strong = specOf({ algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 50 });
    const { attempt, buckets, seed, settings } = strong;
    const others = [{ attempt, buckets, seed, settings, votes: inOnePiece(strong).votes! }];
    const weak = {
      ...specOf({ algorithm: "logistic regression", basis: "linear", l2: 1e4, maxIterations: 3 }),
      attempt: 9,
    };
    const expected = inOnePiece(weak, others);
    expect(expected.earlyEnd).toBeDefined();
    for (const begins of [false, true]) {
      for (const answer of await inUnits(weak, others, begins)) expect(essence(answer)).toEqual(essence(expected));
    }
    const strange = { ...specOf({ algorithm: "naive Bayes", variant: "weighted", smoothing: 1 }), attempt: 9 };
    const whole = inOnePiece(strange, others);
    expect(whole.earlyEnd).toBeUndefined();
    for (const answer of await inUnits(strange, others, true)) expect(essence(answer)).toEqual(essence(whole));
  });
});
