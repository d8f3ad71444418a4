// The comparison of champion and challenger in sentences: what they say of rows that the champion's dataset has too.
import { expect, test } from "bun:test";
import type { Cost } from "../../../engine/judging/costs.ts";
import type { Objective } from "../../../engine/judging/objective.ts";
import { judgePaired } from "../../../engine/successor/paired-decisions.ts";
import { judgeSuccession, successionStatements } from "../../../src/verdict/succession.ts";

/** A confusion of 50 rows of each label; `no` and `yes` count the right decisions. */
const confusion = (no: number, yes: number) => [
  [no, 50 - no],
  [50 - yes, yes],
];

const DECISIONS = {
  labels: ["no", "yes"],
  ...{ champion: confusion(40, 40), challenger: confusion(42, 42), championAlone: 3, challengerAlone: 7 },
};

const ACCURACY = { objective: "accuracy", costs: null, isDependent: false } as const;

const statementsOf = (seenRows?: number | null) => {
  const decisions = { ...DECISIONS, ...(seenRows !== undefined && { seenRows }) };
  return successionStatements(decisions, judgePaired(decisions), ACCURACY);
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
])("what an earlier version compared has figures of another objective too: %s", (objective, costs, figures) => {
  const statements = successionStatements(DECISIONS, judgePaired(DECISIONS), { objective, costs, isDependent: false });
  expect(statements.at(-1)).toBe(`Both aim at ${figures}. The test is about right decisions alone.`);
});

/** The challenger spares two false alarms more than it raises, and finds two rows more. */
const DIFFERING = {
  ...DECISIONS,
  differing: [
    [0, 1, 0, 5],
    [0, 0, 1, 3],
    [1, 0, 1, 2],
  ] as const,
};

test.each<[Objective, readonly Cost[] | null, string, RegExp]>([
  [
    "balanced-accuracy",
    null,
    "Both aim at balanced accuracy: the champion reaches 80.0% on these rows, the challenger 84.0%. The test goes by that.",
    /^Challenger less champion is \+4\.0 points \[−\d+\.\d, \+\d+\.\d\]; that lies within chance \(p 1\.000\)\.$/,
  ],
  [
    "cost",
    [{ actual: " yes", predicted: "no", cost: 5 }],
    "Both aim at mean cost: the champion reaches 0.600 on these rows, the challenger 0.480. The test goes by that.",
    /^Challenger less champion is −0\.120 \[−\d\.\d{3}, \+\d\.\d{3}\]; that lies within chance \(p 0\.\d{3}\)\.$/,
  ],
])("the comparison goes by the objective and says so: %s", (objective, costs, aim, difference) => {
  const verdict = judgeSuccession(DIFFERING, { objective, costs });
  const statements = successionStatements(DIFFERING, verdict, { objective, costs, isDependent: false });
  expect(statements.slice(2)).toEqual([aim, expect.stringMatching(difference)]);
});

test.each<[Objective, readonly Cost[] | null, string]>([
  ["f1", null, "the challenger has the better mean F1, beyond chance"],
  ["cost", [{ actual: "yes", predicted: null, cost: 2 }], "the challenger costs less, beyond chance"],
])("a challenger that is better is told by its objective: %s", (objective, costs, told) => {
  const decisions = {
    ...{ labels: ["no", "yes"], champion: confusion(40, 20), challenger: confusion(50, 50) },
    ...{ championAlone: 0, challengerAlone: 40, differing: [[0, 1, 0, 10] as const, [1, 0, 1, 30] as const] },
  };
  const verdict = judgeSuccession(decisions, { objective, costs });
  expect(verdict.outcome).toBe("CHALLENGER_BETTER");
  const statements = successionStatements(decisions, verdict, { objective, costs, isDependent: false });
  expect(statements.at(-1)).toContain(`; ${told} (p `);
});

test("where a label has no row, neither can be told better by an objective in which it counts as much", () => {
  const decisions = {
    labels: ["no", "perhaps", "yes"],
    champion: [
      [0, 0, 50],
      [0, 0, 0],
      [0, 0, 50],
    ],
    challenger: [
      [50, 0, 0],
      [0, 0, 0],
      [0, 0, 50],
    ],
    ...{ championAlone: 0, challengerAlone: 50, differing: [[0, 2, 0, 50] as const] },
  };
  const aim = { objective: "balanced-accuracy", costs: null, isDependent: false } as const;
  const verdict = judgeSuccession(decisions, aim);
  expect(verdict).toMatchObject({ outcome: "WITHIN_CHANCE", difference: { mean: 0.5, low: -1, high: 1 }, pValue: 1 });
  expect(successionStatements(decisions, verdict, aim).at(-1)).toBe(
    "No kept row is “perhaps”, which counts as much as the others, so neither can be told better.",
  );
});

test.each<[number, [missed: number, wrong: number], string]>([
  [0.1, [9, 1], "above 10.0%, as was chosen for the champion: a missed “yes” counts 9 times as much as a false one."],
  [0.75, [1, 3], "above 75.0%, as was chosen for the champion: a false “yes” counts 3 times as much as a missed one."],
  [0.5, [1, 1], "above 50.0%, as was chosen for the champion: both mistakes count alike."],
  [0, [1, 0], "above 0.0%, as was chosen for the champion: a missed “yes” counts alone."],
])(
  "a chosen threshold of %p says how much a mistake counts, and the test goes by that",
  (threshold, [missed, wrong], words) => {
    const decisions = { ...DIFFERING, chosenThreshold: { positiveLabel: "yes", threshold } };
    const verdict = judgeSuccession(decisions, ACCURACY);
    const costs = [
      { actual: "yes", predicted: "no", cost: missed },
      { actual: "no", predicted: "yes", cost: wrong },
    ];
    const { difference, ...others } = verdict;
    const expected = judgeSuccession(DIFFERING, { objective: "cost", costs });
    expect(others).toMatchObject({ pValue: expect.closeTo(expected.pValue, 9), outcome: expected.outcome });
    expect(difference.mean).toBeCloseTo(expected.difference.mean, 9);
    const statements = successionStatements(decisions, verdict, ACCURACY);
    expect(statements[1]).toBe(`Both decide for “yes” ${words}`);
    expect(statements[3]).toStartWith("Both aim at mean cost: the champion reaches ");
  },
);
