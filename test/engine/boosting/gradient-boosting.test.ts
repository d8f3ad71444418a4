// The number of rounds by folds: against folds fitted to the cap, patience,
// time, and bucketings of their own.
import { describe, expect, test } from "bun:test";
import { boostFolds, type FoldInput } from "../../../engine/boosting/boosted-fold.ts";
import { scoreBoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import { type BoostingSettings, boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { fitBoosting, fitBoostingBeside } from "../../../engine/boosting/gradient-boosting.ts";
import { judge } from "../../../engine/judging/metrics.ts";
import { deriveSeed, Random } from "../../../engine/random.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { foldSplits, type Split } from "../../../engine/splits/holdout.ts";
import { Cancelled, neverStop, OutOfTime, type StopSignal } from "../../../engine/stop-signal.ts";
import { type CodedView, codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import { labelledRows, type Table } from "../../../engine/table/table.ts";
import { drawTable, makeTable } from "../../support/tables.ts";

const SEED = 77;

/** Every fifth row of the table is held out, so that rows and positions differ. */
function learningRows(table: Table): Uint32Array {
  return Uint32Array.from({ length: table.rowCount }, (_, row) => row).filter((row) => row % 5 !== 2);
}

function viewOf(table: Table, learning: Uint32Array): CodedView {
  return codeTable(table, fitBuckets(table, learning, 50));
}

interface OutOfFold {
  roundCount: number;
  /** Row after row, as `learningRows` lists them. */
  probabilities: Float64Array;
}

function outOfFold(table: Table, settings: BoostingSettings, stop: StopSignal = neverStop): OutOfFold {
  const rows = learningRows(table);
  const classCount = table.labels.length;
  const inputs = foldInputs(table, foldSplits(labelledRows(table, rows), SEED), stop);
  const { roundCount, scores } = boostFolds(inputs, settings, (learning) => viewOf(table, learning));
  const probabilities = new Float64Array(rows.length * classCount);
  for (const [fold, { split }] of inputs.entries()) {
    for (const [at, row] of split.judging.entries()) {
      const own = scores[fold]!.subarray(at * classCount, (at + 1) * classCount);
      probabilities.set(own, rows.indexOf(row) * classCount);
    }
  }
  return { roundCount, probabilities };
}

function foldInputs({ classes, labels }: Table, folds: readonly Split[], stop: StopSignal = neverStop): FoldInput[] {
  return folds.map((split, fold) => {
    return { classes, classCount: labels.length, seed: deriveSeed(SEED, fold), stop, split };
  });
}

/** Probabilities of the learning rows after each number of rounds, each fold fitted and scored by itself. */
function foldByFold(table: Table, settings: BoostingSettings): Float64Array[] {
  const rows = learningRows(table);
  const classCount = table.labels.length;
  const after = Array.from({ length: settings.roundCount + 1 }, () => new Float64Array(rows.length * classCount));
  for (const [fold, { learning, judging }] of foldSplits(labelledRows(table, rows), SEED).entries()) {
    const view = viewOf(table, learning);
    const seed = deriveSeed(SEED, fold);
    const input = { view, rows: learning, classes: table.classes, classCount, seed, stop: neverStop };
    const model = fitBoosting(input, settings);
    for (const [rounds, all] of after.entries()) {
      const own = new Float64Array(judging.length * classCount);
      scoreBoostedTrees({ ...model, roots: model.roots.slice(0, rounds * model.outputCount) }, view, judging, own);
      judging.forEach((row, i) => {
        all.set(own.subarray(i * classCount, (i + 1) * classCount), rows.indexOf(row) * classCount);
      });
    }
  }
  return after;
}

function logLoss(table: Table, probabilities: Float64Array): number {
  const classCount = table.labels.length;
  return learningRows(table).reduce(
    (sum, row, i) => sum - Math.log(probabilities[i * classCount + table.classes[row]!]!),
    0,
  );
}

function bestOf(losses: readonly number[]): number {
  return losses.indexOf(Math.min(...losses));
}

describe("the search by folds", () => {
  test("finds the rounds, and the scores after them, that folds by themselves do", () => {
    for (const classCount of [2, 3]) {
      const table = drawTable(300, classCount, 31);
      const settings = { ...boostingSettings("c3", 240, classCount), learningRate: 0.6, roundCount: 40 };
      const found = outOfFold(table, settings);
      const after = foldByFold(table, settings);
      const best = bestOf(after.map((probabilities) => logLoss(table, probabilities)));
      expect(best).toBeGreaterThan(0);
      expect(best).toBeLessThan(40);
      expect(found.roundCount).toBe(best);
      expect(found.probabilities).toEqual(after[best]!);
    }
  });

  test("the scores beat the class frequencies where there is something to learn", () => {
    const table = drawTable(600, 3, 8);
    const { roundCount, probabilities } = outOfFold(table, boostingSettings("c2", 480, 3));
    expect(roundCount).toBeGreaterThan(20);
    const { accuracy } = judge(probabilities, labelledRows(table, learningRows(table)));
    expect(accuracy).toBeGreaterThan(0.65);
  });

  test("each fold is coded by a bucketing of its learning rows alone", () => {
    const table = drawTable(100, 2, 5);
    const folds = foldSplits(labelledRows(table, learningRows(table)), SEED);
    const asked: Uint32Array[] = [];
    const view = (learning: Uint32Array) => {
      asked.push(learning);
      return viewOf(table, learning);
    };
    const settings = { ...boostingSettings("c2", 80, 2), roundCount: 3 };
    expect(boostFolds(foldInputs(table, folds), settings, view).roundCount).toBe(3);
    expect(asked).toEqual(folds.map(({ learning }) => learning));
  });

  test("thirty rounds without a gain end the search", () => {
    const random = new Random(3);
    const noise = Array.from({ length: 200 }, () => random.nextFloat());
    const labels = Array.from({ length: 200 }, () => (random.nextBelow(2) === 0 ? "no" : "yes"));
    const table = makeTable([noise], labels);
    let looks = 0;
    const counting: StopSignal = {
      cancelled: () => {
        looks++;
        return false;
      },
      timeIsUp: () => false,
    };
    const settings = { ...boostingSettings("c3", 160, 2), learningRate: 0.3 };
    const { roundCount } = outOfFold(table, settings, counting);
    expect(settings.roundCount).toBe(600);
    // Each of four folds looks at least once a round, and at a table this small no oftener.
    expect(looks).toBe(4 * (roundCount + 30));
    expect(roundCount).toBeLessThan(10);
  });

  test("where rounds change nothing, none are made", () => {
    const labels = Array.from({ length: 50 }, (_, row) => (row % 2 === 0 ? "no" : "yes"));
    const table = makeTable([new Array<number>(50).fill(1)], labels);
    const rows = Uint32Array.from({ length: 40 }, (_, row) => row);
    const folds = [0, 1].map((fold) => ({
      learning: rows.filter((row) => row < 20 === (fold === 0)),
      judging: rows.filter((row) => row < 20 === (fold === 1)),
    }));
    const settings = boostingSettings("c31", 40, 2);
    const found = boostFolds(foldInputs(table, folds), settings, (learning) => viewOf(table, learning));
    expect(found).toEqual({ roundCount: 0, scores: folds.map(() => new Float64Array(40).fill(0.5)) });
  });

  test("a class that one fold does not learn from is no hindrance", () => {
    const table = drawTable(120, 3, 2);
    const first = table.classes.indexOf(1);
    const classes = table.classes.map((own, row) => (own === 2 && row !== 5 ? 0 : own));
    classes[first] = 1;
    classes[5] = 2;
    const { probabilities } = outOfFold({ ...table, classes }, { ...boostingSettings("c2", 96, 3), roundCount: 15 });
    expect(probabilities.every((p) => p > 0 && p < 1)).toBe(true);
  });
});

describe("time and cancellation", () => {
  const table = drawTable(200, 3, 12);
  const settings = { ...boostingSettings("c2", 160, 3), roundCount: 20 };

  /** A signal that fires from the given look on. */
  function firesAt(look: number, what: keyof StopSignal): StopSignal {
    let looks = 0;
    return { cancelled: () => false, timeIsUp: () => false, [what]: () => ++looks >= look };
  }

  test("when time is up before the last round, the search has no answer", () => {
    for (const look of [1, 2, 30]) {
      expect(() => outOfFold(table, settings, firesAt(look, "timeIsUp"))).toThrow(OutOfTime);
    }
  });

  test("a cancelled search leaves at once", () => {
    expect(() => outOfFold(table, settings, firesAt(5, "cancelled"))).toThrow(Cancelled);
  });
});

describe("a fit beside other rows", () => {
  const table = drawTable(600, 3, 9);
  const every = rowsUpTo(table.rowCount);
  const [rows, judging] = [every.subarray(0, 400), every.subarray(400)];
  const view = viewOf(table, rows);
  const settings = { ...boostingSettings("c3", 400, 3), roundCount: 60 };
  const stop = neverStop;
  const input = { view, rows, classes: table.classes, classCount: 3, seed: 4, stop };

  test("keeps the rounds with the least loss there, and these are those of a fit of as many rounds", () => {
    const beside = fitBoostingBeside(input, settings, judging);
    const roundCount = beside.roots.length / 3;
    expect(roundCount).toBeGreaterThan(0);
    expect(beside).toEqual(fitBoosting(input, { ...settings, roundCount }));
    const lossAfter = (count: number) => {
      const out = new Float64Array(judging.length * 3);
      scoreBoostedTrees(fitBoosting(input, { ...settings, roundCount: count }), view, judging, out);
      return judge(out, labelledRows(table, judging)).logLoss;
    };
    const best = lossAfter(roundCount);
    for (const count of [1, roundCount - 1]) expect(best).toBeLessThanOrEqual(lossAfter(count) + 1e-9);
  });

  test("keeps the finished rounds when time is up", () => {
    let looks = 0;
    const beside = fitBoostingBeside({ ...input, stop: { ...stop, timeIsUp: () => ++looks > 20 } }, settings, judging);
    const roundCount = beside.roots.length / 3;
    expect(roundCount).toBeLessThanOrEqual(20);
    expect(beside).toEqual(fitBoosting(input, { ...settings, roundCount }));
  });
});
