// An attempt and the clock: whenever its time is up, it is what it would have
// been, a forest of fewer trees, or not finished.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { algorithmName } from "../../../engine/families/algorithms.ts";
import { type AttemptSpec, planAttempts } from "../../../engine/search/attempts.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import { qualify } from "../../../engine/search/qualify.ts";
import { isBase, type Qualification } from "../../../engine/search/training-task.ts";
import { neverStop, OutOfTime, type StopSignal } from "../../../engine/stop-signal.ts";
import { drawTable } from "../../support/tables.ts";

const table = drawTable(300, 2, 4);
const task = openTraining(table, { numberOfBuckets: 10, target: null, seed: 1 });
const { split } = task;

/** A clock by which the time is up at the given look at it, counted from 0. */
function upAtLook(look: number): StopSignal & { looks: number } {
  return {
    looks: 0,
    cancelled: () => false,
    timeIsUp() {
      return this.looks++ >= look;
    },
  };
}

const specs: AttemptSpec[] = planAttempts({
  learningRowCount: split.learning.length,
  featureCount: table.features.length,
  classCount: 2,
  numberOfBuckets: 10,
  scalingFactor: 19,
  hasStacks: false,
  tunesWeights: false,
  seed: 1,
});
/** One attempt of each algorithm. */
const plan = specs
  .filter(isBase)
  .filter((spec, at, all) => all.findIndex((other) => nameOf(other) === nameOf(spec)) === at)
  .map((spec) => ({ name: nameOf(spec), spec }));

function nameOf({ settings }: AttemptSpec): string {
  return algorithmName(settings);
}

function qualifyOrNull(spec: AttemptSpec, stop: StopSignal): Qualification | null {
  if (!isBase(spec)) throw new Error("a stack rests on other attempts");
  try {
    return qualify(task, spec, stop);
  } catch (error) {
    if (error instanceof OutOfTime) return null;
    throw error;
  }
}

describe("an attempt whose time is up", () => {
  test.each(plan)("$name", ({ spec }) => {
    const whole = qualifyOrNull(spec, neverStop);
    const counting = upAtLook(Number.POSITIVE_INFINITY);
    expect(qualifyOrNull(spec, counting)).toEqual(whole);
    expect(counting.looks).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: counting.looks - 1 }), (look) => {
        const found = qualifyOrNull(spec, upAtLook(look));
        if (spec.settings.algorithm !== "forest") return found === null;
        const { settings, outOfFoldProbabilities } = found!;
        const { treeCount } = settings as typeof spec.settings;
        return treeCount >= 20 && treeCount <= spec.settings.treeCount && new Set(outOfFoldProbabilities).size > 2;
      }),
      { numRuns: 6, examples: [[0], [counting.looks - 1]] },
    );
  });
});
