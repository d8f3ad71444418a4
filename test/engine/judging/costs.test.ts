// Decisions by costs: the lowest expected cost by brute force, and what labels and costs may be given.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { InputError } from "../../../engine/input-error.ts";
import {
  type Cost,
  type CostMatrix,
  costMatrix,
  listCosts,
  meanCost,
  weightsOfCosts,
} from "../../../engine/judging/costs.ts";
import { confusionMatrix, decide } from "../../../engine/judging/metrics.ts";
import { achieved } from "../../../engine/judging/objective.ts";

const labelsOf = (classCount: number) => Array.from({ length: classCount }, (_, code) => `c${code}`);

const cost = fc.constantFrom(0, 0.25, 1, 2, 5, 40);
/** Costs of two to five classes, and probabilities of some rows. */
const drawn = fc.integer({ min: 2, max: 5 }).chain((classCount) =>
  fc.record({
    costs: fc
      .array(fc.array(cost, { minLength: classCount, maxLength: classCount }), {
        minLength: classCount,
        maxLength: classCount,
      })
      .map((rows): CostMatrix => rows.map((row, code) => row.map((own, at) => (at === code ? 0 : own)))),
    shares: fc.array(
      fc
        .array(fc.integer({ min: 0, max: 64 }), { minLength: classCount, maxLength: classCount })
        .map((parts) => parts.map((part, code) => (part + (code === 0 ? 1 : 0)) / 512)),
      { minLength: 1, maxLength: 20 },
    ),
  }),
);

/** What answering `decided` costs on average. All figures here are exact in binary, so that equals are equal. */
function expectedCost(shares: readonly number[], costs: CostMatrix, decided: number): number {
  return shares.reduce((sum, share, actual) => sum + share * costs[actual]![decided]!, 0);
}

describe("decisions by costs", () => {
  test("have the lowest expected cost, the first of equals", () => {
    fc.assert(
      fc.property(drawn, ({ costs, shares }) => {
        const decisions = decide(Float64Array.from(shares.flat()), costs.length, { costs });
        shares.forEach((own, row) => {
          const each = costs.map((_, decided) => expectedCost(own, costs, decided));
          expect(decisions[row]).toBe(each.indexOf(Math.min(...each)));
        });
      }),
      { numRuns: 500 },
    );
  });

  test("are those of class weights wherever there are such", () => {
    fc.assert(
      fc.property(drawn, fc.array(cost, { minLength: 5, maxLength: 5 }), ({ costs, shares }, ofClass) => {
        const alike = costs.map((row, actual) => row.map((_, decided) => (decided === actual ? 0 : ofClass[actual]!)));
        for (const matrix of [alike, costs]) {
          const classWeights = weightsOfCosts(matrix);
          if (matrix === alike || costs.length === 2) expect(classWeights).not.toBeNull();
          if (classWeights === null) continue;
          const all = Float64Array.from(shares.flat());
          expect(decide(all, costs.length, { classWeights })).toEqual(decide(all, costs.length, { costs: matrix }));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("weights that are there go before costs", () => {
    const costs = costMatrix(["a", "b"], [{ actual: "b", predicted: null, cost: 9 }]);
    expect([...decide(Float64Array.of(0.6, 0.4), 2, { classWeights: [1, 1], costs })]).toEqual([0]);
    expect([...decide(Float64Array.of(0.6, 0.4), 2, { classWeights: null, costs })]).toEqual([1]);
  });

  test("the mean cost is that of the rows one by one, and the objective is it negated", () => {
    fc.assert(
      fc.property(drawn, fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1 }), ({ costs }, pairs) => {
        const classCount = costs.length;
        const classes = Uint8Array.from(pairs, ([actual]) => actual % classCount);
        const decisions = Uint8Array.from(pairs, ([, decided]) => decided % classCount);
        const rows = Uint32Array.from(pairs, (_, row) => row);
        const confusion = confusionMatrix(decisions, { rows, classes, classCount });
        const total = pairs.reduce((sum, _, row) => sum + costs[classes[row]!]![decisions[row]!]!, 0);
        expect(meanCost(confusion, costs)).toBeCloseTo(total / pairs.length, 12);
        expect(achieved("cost", confusion, costs)).toBe(-meanCost(confusion, costs));
      }),
    );
  });
});

describe("costs by labels", () => {
  test("default to 1; a pair goes before a label, and a later entry before an earlier one", () => {
    const asked: Cost[] = [
      { actual: "bad", predicted: "odd", cost: 7 },
      { actual: "bad", predicted: null, cost: 3 },
      { actual: "bad", predicted: null, cost: 5 },
    ];
    const costs = costMatrix(["bad", "good", "odd"], asked);
    expect(costs).toEqual([
      [0, 5, 7],
      [1, 0, 1],
      [1, 1, 0],
    ]);
    expect(weightsOfCosts(costs)).toBeNull();
  });

  test("listed again, they are the same costs", () => {
    fc.assert(
      fc.property(drawn, ({ costs }) => {
        fc.pre(costs.flat().some((own) => own > 0));
        const labels = labelsOf(costs.length);
        expect(costMatrix(labels, listCosts(labels, costs))).toEqual(costs);
      }),
    );
  });

  test("are refused with what to do", () => {
    const refused = (costs: Cost[]) => {
      try {
        costMatrix(["bad", "good"], costs);
        return null;
      } catch (error) {
        return error instanceof InputError ? [error.code, error.message] : error;
      }
    };
    expect(refused([{ actual: "bat", predicted: null, cost: 5 }])).toEqual([
      "COST_LABEL_NOT_FOUND",
      'No row has the label "bat", which a cost was given for. Did you mean "bad"?',
    ]);
    expect(refused([{ actual: "bad", predicted: "bad", cost: 5 }])).toContain("COST_OF_RIGHT_DECISION");
    const nothing = ["bad", "good"].map((actual) => ({ actual, predicted: null, cost: 0 }));
    expect(refused(nothing)).toContain("COSTS_ALL_ZERO");
  });
});
