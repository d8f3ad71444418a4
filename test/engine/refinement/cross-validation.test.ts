// Cross-validation of sets of columns: noise does not help, comparisons are
// paired, the best family is the one of least Brier score.
import { describe, expect, test } from "bun:test";
import { blindParts, growBlindPart, scoreBlind } from "../../../engine/refinement/blind-score.ts";
import { estimateBudget } from "../../../engine/refinement/budget.ts";
import {
  accuracyOf,
  bestOf,
  compareRight,
  compareScores,
  crossValidate,
  validatePart,
  validationParts,
} from "../../../engine/refinement/cross-validation.ts";
import { entrantsOf } from "../../../engine/refinement/entrants.ts";
import { openRefinement } from "../../../engine/refinement/open-task.ts";
import { planRefinement } from "../../../engine/refinement/plan.ts";
import { neverStop, OutOfTime } from "../../../engine/stop-signal.ts";
import { drawTable } from "../../support/tables.ts";

const table = drawTable(2_600, 4, 3);
const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
const task = openRefinement({ table, train: rows.subarray(0, 2_200), test: rows.subarray(2_200) }, 10, 5);

describe("the task", () => {
  test("deals TRAIN to learning and reserve, and folds the selection", () => {
    expect([...task.learning, ...task.reserve].sort((a, b) => a - b)).toEqual([...rows.subarray(0, 2_200)]);
    expect(task.reserve.length).toBeWithin(218, 223);
    expect(task.selection).toEqual(task.learning);
    const judged = task.folds.flatMap(({ judging }) => [...judging]).sort((a, b) => a - b);
    expect(judged).toEqual(Array.from(task.selection, (_, position) => position));
  });

  test("has no reserve below 2,000 rows of TRAIN, and depends on the seed alone", () => {
    const small = { table, train: rows.subarray(0, 1_999), test: rows.subarray(2_200) };
    expect(openRefinement(small, 10, 5).reserve.length).toBe(0);
    expect(openRefinement(small, 10, 5)).toEqual(openRefinement(small, 10, 5));
    expect(openRefinement({ ...small, train: rows.subarray(0, 2_200) }, 10, 6).reserve).not.toEqual(task.reserve);
  });

  test.each([
    ["one group", { groups: new Uint32Array(2_600), times: null }],
    ["one group in time", { groups: new Uint32Array(2_600), times: Float64Array.from(rows) }],
    ["one time", { groups: null, times: new Float64Array(2_600) }],
  ])("of %s has no folds, and is refused", (_, keys) => {
    const train = rows.subarray(0, 2_200);
    const open = () => openRefinement({ table, train, test: rows.subarray(2_200), keys }, 10, 5);
    expect(open).toThrow("No rows of TRAIN can be judged by models of its other groups");
  });

  test("plans the same units whatever the machine, and announces less time on more threads", () => {
    expect(planRefinement(task)).toEqual(planRefinement(task));
    expect(estimateBudget(task, 1)).toBeGreaterThan(estimateBudget(task, 2));
  });
});

describe("cross-validation", () => {
  const features = [...table.features.keys()];
  const entrants = entrantsOf({ learningRowCount: 1_980, featureCount: features.length, numberOfBuckets: 10 });
  const fitOf = (which: number) => ({ features, entrant: entrants[which]!, seed: 1 });

  test.each([0, 1, 2])("of each family scores every selection row by a model that did not see it (%i)", (which) => {
    const scores = crossValidate(task, fitOf(which), neverStop);
    expect([scores.brier.length, scores.right.length]).toEqual([task.selection.length, task.selection.length]);
    expect(Math.max(...scores.brier)).toBeLessThanOrEqual(2);
    const blind = scoreBlind(task, fitOf(which), neverStop);
    expect(blind.right.reduce((sum, value) => sum + value, 0)).toBe(blind.rowCount - blind.falseDecisions);
    // The same distribution: cross-validation and the blind test agree within four standard errors.
    expect(Math.abs(accuracyOf(scores) - (1 - blind.falseDecisions / blind.rowCount))).toBeLessThan(0.1);
  });

  test.each([0, 1, 2])("in parts is the same to the last bit (%i)", (which) => {
    const fit = fitOf(which);
    const parts = validationParts(task, fit.entrant).map((part) => validatePart(task, fit, part, neverStop));
    expect(parts.length).toBeGreaterThan(1);
    expect(crossValidate(task, fit, neverStop, parts)).toEqual(crossValidate(task, fit, neverStop));
  });

  test("a blind test of a forest in parts is the same to the last bit", () => {
    const fit = fitOf(0);
    const parts = blindParts(task, fit.entrant).map((part) => growBlindPart(task, fit, part, neverStop));
    expect(parts.length).toBeGreaterThan(1);
    expect(scoreBlind(task, fit, neverStop, parts)).toEqual(scoreBlind(task, fit, neverStop));
    expect(entrants.slice(1).flatMap((other) => blindParts(task, other))).toEqual([]);
  });

  test("compares in pairs", () => {
    const right = (text: string) => Uint8Array.from(text, Number);
    expect(compareRight(right("1111"), right("1111"))).toBe(0);
    expect(compareRight(right("1100"), right("0011"))).toBe(0);
    expect(compareRight(right("1111"), right("1101"))).toBeCloseTo(1, 10);
    const scores = (brier: number[]) => ({ brier: Float32Array.from(brier), right: right("1010") });
    const worse = compareScores(scores([0, 0, 0, 0]), scores([1, 0, 1, 0]));
    expect([worse.accuracyZ, worse.brierZ > 1]).toEqual([0, true]);
    expect(bestOf([scores([1, 1, 1, 1]), scores([0, 1, 1, 1]), scores([1, 0, 1, 1])]).brier[0]).toBe(0);
  });

  test("ends without an answer when time is up", () => {
    const stop = { ...neverStop, timeIsUp: () => true };
    expect(() => crossValidate(task, fitOf(1), stop)).toThrow(OutOfTime);
  });
});
