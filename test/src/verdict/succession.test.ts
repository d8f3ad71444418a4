// The comparison of champion and challenger in sentences: what they say of rows that the champion's dataset has too.
import { expect, test } from "bun:test";
import type { Cost } from "../../../engine/judging/costs.ts";
import type { Objective } from "../../../engine/judging/objective.ts";
import { judgePaired } from "../../../engine/successor/paired-decisions.ts";
import { successionStatements } from "../../../src/verdict/succession.ts";

const DECISIONS = {
  labels: ["no", "yes"],
  champion: [
    [40, 10],
    [10, 40],
  ],
  challenger: [
    [42, 8],
    [8, 42],
  ],
  ...{ championAlone: 3, challengerAlone: 7 },
};

const statementsOf = (seenRows?: number | null) => {
  const decisions = { ...DECISIONS, ...(seenRows !== undefined && { seenRows }) };
  return successionStatements(decisions, judgePaired(decisions), {
    objective: "accuracy",
    costs: null,
    isDependent: false,
  });
};

test("neither learned from the rows where the champion's dataset has none of them", () => {
  const [first, ...others] = statementsOf(0);
  expect(first).toStartWith(
    "Both decided the same 100 newest labelled rows, which neither learned from: the champion ",
  );
  expect(others).toHaveLength(2);
});

test("rows that stand there are told", () => {
  const [first, , , last] = statementsOf(90);
  expect(first).toStartWith("Both decided the same 100 newest labelled rows, which were kept aside: the champion ");
  expect(last).toBe(
    "90 of them stand in the champion's dataset too, with the same label: they flatter a model that learned from them.",
  );
});

test.each([null, undefined])("nothing is claimed where they were not counted (%p)", (seenRows) => {
  const [first, ...others] = statementsOf(seenRows);
  expect(first).toContain("which were kept aside");
  expect(others).toHaveLength(2);
});

test.each<[Objective, readonly Cost[] | null, string]>([
  ["balanced-accuracy", null, "balanced accuracy: the champion reaches 80.0% on these rows, the challenger 84.0%"],
  [
    "cost",
    [{ actual: "yes", predicted: "no", cost: 5 }],
    "mean cost: the champion reaches 0.600 on these rows, the challenger 0.480",
  ],
])("another objective than accuracy has figures of its own: %s", (objective, costs, figures) => {
  const statements = successionStatements(DECISIONS, judgePaired(DECISIONS), { objective, costs, isDependent: false });
  expect(statements.at(-1)).toBe(`Both aim at ${figures}. The test is about right decisions alone.`);
});
