// What decisions aim at, through an address and back, and as a request.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { OBJECTIVES } from "../../../../engine/judging/objective.ts";
import { type Aim, aimFields, aimIn, costsOfLabels, readCosts, requestOf } from "../../../../src/browser/forms/aim.ts";

const LABELS = ["bad", "good", "a=b", "x y"];
const cost = fc.record({
  actual: fc.constantFrom(...LABELS),
  predicted: fc.constantFrom(null, ...LABELS),
  cost: fc.constantFrom(0, 0.5, 5, 1e6),
});
const aim: fc.Arbitrary<Aim> = fc.oneof(
  fc
    .constantFrom(...OBJECTIVES.filter((objective) => objective !== "cost"))
    .map((objective) => ({ objective, costs: null })),
  fc.array(cost, { minLength: 1 }).map((costs) => ({ objective: "cost" as const, costs })),
);

test("an address keeps it", () => {
  fc.assert(
    fc.property(aim, (asked) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(aimFields(asked))) {
        for (const each of [value].flat()) query.append(name, String(each));
      }
      expect(aimIn(query, LABELS)).toEqual(asked.objective === "accuracy" ? null : asked);
    }),
  );
});

test("a request names it, and nothing for accuracy", () => {
  expect(requestOf({ objective: "accuracy", costs: null })).toEqual({});
  expect(requestOf({ objective: "f1", costs: null })).toEqual({ objective: "f1" });
  const costs = [
    { actual: "bad", predicted: null, cost: 5 },
    { actual: "good", predicted: "bad", cost: 2 },
  ];
  expect(requestOf({ objective: "cost", costs })).toEqual({
    objective: "cost",
    costs: [
      { actual: "bad", cost: 5 },
      { actual: "good", predicted: "bad", cost: 2 },
    ],
  });
});

test("what cannot be sent is null", () => {
  for (const lines of [[], [""], ["bad"], ["bad=5", "good=x"]]) expect(readCosts(lines, LABELS)).toBeNull();
  expect(readCosts(["bad=5", " ", "bad:good=2"], LABELS)).toHaveLength(2);
  for (const text of ["", "x", "-1", "1e9"]) expect(costsOfLabels(new Map([["bad", text]]))).toBeNull();
  expect(costsOfLabels(new Map([["bad", "5"]]))).toEqual([{ actual: "bad", predicted: null, cost: 5 }]);
});
