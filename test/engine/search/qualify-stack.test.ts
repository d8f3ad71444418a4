// The stacked attempt: what it is judged by, what it rests on, and that refitted and stored it scores the same.
import { describe, expect, test } from "bun:test";
import { PLAIN_FORM } from "../../../engine/columns/numbers.ts";
import { scoreModel } from "../../../engine/families/algorithms.ts";
import { InputError } from "../../../engine/input-error.ts";
import { judge } from "../../../engine/judging/metrics.ts";
import { modelFeatures } from "../../../engine/model/model-features.ts";
import { packModel, unpackModel } from "../../../engine/model/model-file.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";
import { fitDecider } from "../../../engine/search/decider.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import { qualify } from "../../../engine/search/qualify.ts";
import { fitStack, qualifyStack } from "../../../engine/search/qualify-stack.ts";
import { assemble, basesOf, confirm, type FoundSettings, fitFound } from "../../../engine/search/refit.ts";
import { keepVotes, type StackBase } from "../../../engine/search/stack-votes.ts";
import type { TrainingTask } from "../../../engine/search/training-task.ts";
import { confirmingParts, HOLDOUT_PART, splitByPart } from "../../../engine/splits/holdout.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { codeTable } from "../../../engine/table/buckets.ts";
import { FIRST_LEVEL, labelledRows, type NumberFeature, type Table } from "../../../engine/table/table.ts";
import { forestOf } from "../../support/forests.ts";
import { fitWholeStack } from "../../support/stack-fits.ts";
import { drawTable, everyRow } from "../../support/tables.ts";

const forest = forestOf({ treeCount: 30, featuresPerSplit: 2, minLeafRows: 2 });
const plans: readonly Omit<StackBase, "votes">[] = [
  { attempt: 1, buckets: "fine", settings: forest, seed: 1 },
  { attempt: 2, buckets: 20, settings: { algorithm: "naive Bayes", variant: "plain", smoothing: 1 }, seed: 2 },
  {
    attempt: 3,
    buckets: 8,
    settings: { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 60 },
    seed: 3,
  },
];

function taskOf(table: Table): TrainingTask {
  return openTraining(table, { numberOfBuckets: 20, target: null, seed: 1 });
}

function stackBasesOf(task: TrainingTask, among = plans): StackBase[] {
  return among.map((plan) => {
    const found = qualify(task, { ...plan, rivals: [], isWeak: false }, neverStop);
    return { ...plan, votes: keepVotes(task, found)! };
  });
}

function stackOf(task: TrainingTask, bases: readonly StackBase[], withMains: boolean) {
  const { members, fits } = fitWholeStack(task, bases, withMains);
  return qualifyStack(task, members, withMains, fits, neverStop);
}

for (const classCount of [2, 4]) {
  for (const withMains of [false, true]) {
    describe(`a stack of ${classCount} classes ${withMains ? "with" : "without"} main effects`, () => {
      const table = drawTable(600, classCount, 5);
      const task = taskOf(table);
      const bases = stackBasesOf(task);
      const stack = stackOf(task, bases, withMains);
      if (stack.settings.algorithm !== "stack") throw new Error("no stack");
      const settings = stack.settings;
      const found: FoundSettings = { buckets: "fine", settings, seed: 1, mains: stack.mains?.found ?? null };

      test("is judged as any attempt is, and rests on attempts that weigh something", () => {
        expect(stack.holdout).toEqual(judge(stack.holdoutProbabilities, labelledRows(table, task.split.judging)));
        expect(stack.outOfFold.rowCount).toBe(task.split.learning.length);
        expect(settings.members.length).toBeGreaterThan(0);
        expect(settings.members.every(({ weight }) => weight >= 1e-3)).toBeTrue();
        expect(stack.mains === null).toBe(!withMains);
      });

      test("does not look at the holdout's classes", () => {
        const classes = table.classes.slice();
        for (const row of task.split.judging) classes[row] = (classes[row]! + 1) % classCount;
        const blind = { ...task, table: { ...table, classes } };
        const again = stackOf(blind, bases, withMains);
        // The order of categories turns with the classes, and with it the last digit of a sum over them.
        const furthest = again.holdoutProbabilities.reduce(
          (most, share, cell) => Math.max(most, Math.abs(share - stack.holdoutProbabilities[cell]!)),
          0,
        );
        expect(furthest).toBeLessThan(1e-9);
        expect(again.outOfFold.decisions).toEqual(stack.outOfFold.decisions);
      });

      test("has weights for each part that confirms, which do not look at the classes of its rows", () => {
        const parts = confirmingParts(task.parts);
        const fitted = (own: TrainingTask, without: number) => fitStack(own, bases, withMains, { without }, neverStop);
        expect(fitWholeStack(task, bases, withMains).fits.confirming).toHaveLength(parts.length);
        for (const part of parts) {
          const classes = table.classes.slice();
          for (const row of splitByPart(task.parts, part).judging) classes[row] = (classes[row]! + 1) % classCount;
          const blind = { ...task, table: { ...table, classes } };
          expect(fitted(blind, part).stacking).toEqual(fitted(task, part).stacking);
          for (const other of parts)
            if (other !== part) expect(fitted(blind, other).stacking).not.toEqual(fitted(task, other).stacking);
        }
      });

      test("fitted on the learning rows, its bases give the holdout what the attempt said of it", () => {
        const learning = { ...table, classes: table.classes.slice() };
        const fits = fitAll(learning, task.split.learning, found);
        const decider = fitDecider(task, stack);
        const version = { found, bases: fits, judgingPart: HOLDOUT_PART, decider };
        const own = { ...task, table: learning };
        const { decisions } = confirm(own, { ...version, measuresColumns: false }, neverStop);
        expect(decisions).toEqual(stack.holdout.decisions);
      });

      test("is judged in training by its bases' answers to the rows that they learned from", () => {
        const { learning } = task.split;
        const { model, bucketing } = assemble(task, learning, found, fitAll(table, learning, found));
        const probabilities = scoreModel(model, codeTable(table, bucketing), learning);
        const { falseDecisions, accuracy } = judge(probabilities, labelledRows(table, learning));
        expect(stack.training).toMatchObject({ falseDecisions, accuracy, rowCount: learning.length });
      });

      test("refitted and stored, scores texts as it scores codes", () => {
        const { model, bucketing } = refit(table, found);
        const file = unpackModel(packModel(fileOf(table, bucketing, model, settings)));
        const scorer = new Scorer(
          file,
          table.features.map(({ name }) => name),
        );
        const expected = scoreModel(model, codeTable(table, bucketing), everyRow(table));
        expect(scorer.score(textsOf(table)).probabilities).toEqual(expected);
      });

      test("is refused where a base is not what the head says", () => {
        const { model, bucketing } = refit(table, found);
        if (model.kind !== "stack") throw new Error("no stack");
        const short = { ...model, weights: model.weights.slice(1) };
        expect(() => unpackModel(packModel(fileOf(table, bucketing, short, settings)))).toThrow(InputError);
        const outside = model.merges.map((merges) => merges.map((merge) => ({ ...merge, codeCount: 1 })));
        const spoilt = { ...model, merges: outside };
        expect(() => unpackModel(packModel(fileOf(table, bucketing, spoilt, settings)))).toThrow(InputError);
      });
    });
  }
}

test("of very many rows, a stack is judged in training by evenly spaced ones", () => {
  const table = drawTable(28_000, 10, 6);
  const task = taskOf(table);
  const bayes = plans[1]!;
  const bases = stackBasesOf(task, [bayes, { ...bayes, attempt: 4, buckets: 8 }]);
  const { settings, training } = stackOf(task, bases, false);
  const { learning } = task.split;
  const rows = Uint32Array.from({ length: 20_000 }, (_, at) => learning[Math.floor((at * learning.length) / 20_000)]!);
  const found: FoundSettings = { buckets: "fine", settings, seed: 1, mains: null };
  const { model, bucketing } = assemble(task, learning, found, fitAll(table, learning, found));
  const judged = judge(scoreModel(model, codeTable(table, bucketing), rows), labelledRows(table, rows));
  expect(training).toMatchObject({ falseDecisions: judged.falseDecisions, rowCount: 20_000 });
});

function fitAll(table: Table, rows: Uint32Array, found: FoundSettings) {
  return basesOf(found).map((base) => fitFound({ table, numberOfBuckets: 20 }, rows, base, neverStop));
}

function refit(table: Table, found: FoundSettings) {
  const rows = everyRow(table);
  return assemble({ table, numberOfBuckets: 20 }, rows, found, fitAll(table, rows, found));
}

function fileOf(
  table: Table,
  bucketing: Parameters<typeof modelFeatures>[1],
  model: Parameters<typeof scoreModel>[0],
  settings: FoundSettings["settings"],
): Parameters<typeof packModel>[0] {
  return {
    lineage: { settings } as never,
    label: "y",
    labels: table.labels,
    positiveLabel: null,
    missingMarkers: ["", "NA"],
    columns: table.features.map(({ name, kind }) => ({
      name,
      kind,
      missingCount: 0,
      reading: kind === "number" ? ({ kind, form: PLAIN_FORM } as const) : ({ kind: "category" } as const),
    })),
    features: modelFeatures(table, bucketing),
    model,
  };
}

function textsOf(table: Table): string[][] {
  return Array.from({ length: table.rowCount }, (_, row) =>
    table.features.map((feature, column) => {
      const level = table.levels[column]![row]!;
      if (level < FIRST_LEVEL) return "NA";
      return feature.kind === "category"
        ? feature.names[level - FIRST_LEVEL]!
        : String((feature as NumberFeature).values[level - FIRST_LEVEL]);
    }),
  );
}

test("a stack of few rows names the member that does clearly better out of fold, and else none", () => {
  let worseCount = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const drawn = drawTable(seed % 2 === 0 ? 60 : 300, 2, seed);
    // Where the columns tell nothing of the label, weights are only chance.
    const table = seed % 2 === 0 ? { ...drawn, classes: drawn.classes.toReversed() } : drawn;
    const task = taskOf(table);
    const bases = stackBasesOf(task);
    const stack = stackOf(task, bases, false);
    if (stack.settings.algorithm !== "stack") throw new Error("no stack");
    const members = stack.settings.members.map(({ attempt }) => {
      const { outOfFold } = bases.find((base) => base.attempt === attempt)!.votes;
      const { learning } = task.split;
      const { logLoss } = judge(Float64Array.from(outOfFold), labelledRows(table, learning));
      const losses = (own: ArrayLike<number>) =>
        Array.from(learning, (row, at) => -Math.log(Math.max(1e-4, own[2 * at + table.classes[row]!]!)));
      const others = losses(outOfFold);
      return { attempt, logLoss, gains: losses(stack.outOfFoldProbabilities).map((loss, at) => loss - others[at]!) };
    });
    const [best] = members.sort((a, b) => a.logLoss - b.logLoss);
    const { gains, ...member } = best!;
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    const deviation = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0)) / gains.length;
    expect(stack.betterMember).toEqual(mean > 2 * deviation ? member : undefined);
    worseCount += Number(mean > 0);
  }
  expect(worseCount).toBeWithin(1, 12);
});
