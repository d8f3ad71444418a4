// Intervals of objectives: Wilson's for accuracy, wider where rows belong together, and as often right as they say.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ACCURACY, type Aim, estimateAchieved } from "../../../engine/judging/estimate.ts";
import { confusionMatrix, wilsonInterval } from "../../../engine/judging/metrics.ts";
import { achieved } from "../../../engine/judging/objective.ts";
import { Random } from "../../../engine/random.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";

const CLASS_COUNT = 3;
const COSTS = [
  [0, 1, 1],
  [2, 0, 1],
  [20, 5, 0],
];
const AIMS: readonly Aim[] = [
  ACCURACY,
  { objective: "balanced-accuracy", costs: null },
  { objective: "f1", costs: null },
  { objective: "cost", costs: COSTS },
];

const decidedRows = fc
  .array(fc.record({ actual: fc.nat(CLASS_COUNT - 1), decided: fc.nat(CLASS_COUNT - 1), cluster: fc.nat(9) }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((drawn) => ({
    judged: {
      rows: rowsUpTo(drawn.length),
      classes: Uint8Array.from(drawn, ({ actual }) => actual),
      classCount: CLASS_COUNT,
    },
    decisions: Uint8Array.from(drawn, ({ decided }) => decided),
    clusters: Uint32Array.from(drawn, ({ cluster }) => cluster),
  }));

describe.each(AIMS)("the estimate of $objective", (aim) => {
  test("is what is achieved, inside its interval, which clusters make no narrower", () => {
    fc.assert(
      fc.property(decidedRows, ({ judged, decisions, clusters }) => {
        const value = achieved(aim.objective, confusionMatrix(decisions, judged), aim.costs);
        const alone = estimateAchieved(aim, decisions, judged, null);
        const together = estimateAchieved(aim, decisions, judged, clusters);
        const [least, most] = aim.costs === null ? [0, 1] : [-20, 0];
        for (const { mean, low, high } of [alone, together]) {
          expect(mean).toBe(value);
          expect(low).toBeWithin(least, mean + 1e-12);
          expect(high).toBeWithin(mean, most + 1e-12);
        }
        expect(together.high - together.low).toBeGreaterThanOrEqual(alone.high - alone.low - 1e-9);
      }),
    );
  });

  test("says nothing where all rows are of one cluster", () => {
    const judged = { rows: rowsUpTo(4), classes: Uint8Array.of(0, 1, 2, 2), classCount: CLASS_COUNT };
    const { low, high } = estimateAchieved(aim, Uint8Array.of(0, 1, 2, 0), judged, new Uint32Array(4));
    expect([low, high]).toEqual(aim.costs === null ? [0, 1] : [-20, 0]);
  });

  test.each([
    ["a rare class that is mostly missed", [0.95, 0.05], [0.97, 0.4], 400],
    ["a rare class that is mostly found", [0.96, 0.04], [0.95, 0.9], 400],
    ["three classes", [0.6, 0.25, 0.15], [0.85, 0.6, 0.7], 200],
    ["few mistakes", [0.5, 0.3, 0.2], [0.99, 0.97, 0.98], 300],
  ])("holds the truth in about 95 of 100 draws of %s", (_, shares, recalls, rowCount) => {
    const classCount = shares.length;
    const costs = aim.costs === null ? null : COSTS.slice(0, classCount).map((row) => row.slice(0, classCount));
    // Mistakes go to the other classes alike.
    const truth = shares.map((share, actual) =>
      shares.map((_, decided) =>
        actual === decided ? share * recalls[actual]! : (share * (1 - recalls[actual]!)) / (classCount - 1),
      ),
    );
    const value = achieved(aim.objective, truth, costs);
    const cells = truth.flatMap((row, actual) => row.map((share, decided) => ({ actual, decided, share })));
    const random = new Random(1);
    const rows = rowsUpTo(rowCount);
    let held = 0;
    const draws = 1_000;
    for (let draw = 0; draw < draws; draw++) {
      const drawn = Array.from(rows, () => drawCell(cells, random));
      const classes = Uint8Array.from(drawn, ({ actual }) => actual);
      const decisions = Uint8Array.from(drawn, ({ decided }) => decided);
      const { low, high } = estimateAchieved({ ...aim, costs }, decisions, { rows, classes, classCount }, null);
      if (low <= value && value <= high) held++;
    }
    expect(held / draws).toBeWithin(0.92, 0.985);
  });
});

function drawCell<T extends { share: number }>(cells: readonly T[], random: Random): T {
  let left = random.nextFloat();
  for (const cell of cells) {
    left -= cell.share;
    if (left < 0) return cell;
  }
  return cells.at(-1)!;
}

test("costs of few groups are no higher than the dearest decisions about their rows would be", () => {
  const costs = [
    [0, 1],
    [15, 0],
  ];
  const rows = rowsUpTo(1_200);
  // A twentieth of each group has the dear label: in one group of three it is missed, in the others nothing is.
  const classes = Uint8Array.from(rows, (row) => (row % 20 === 0 ? 1 : 0));
  const clusters = Uint32Array.from(rows, (row) => Math.floor(row / 400));
  const decisions = classes.map((code, row) => (row < 400 ? 0 : code));
  const aim = { objective: "cost", costs } as const;
  const { low } = estimateAchieved(aim, decisions, { rows, classes, classCount: 2 }, clusters);
  expect(-low).toBeCloseTo((19 * 1 + 1 * 15) / 20, 9);
});

test("accuracy has Wilson's interval where rows are independent", () => {
  const classes = Uint8Array.from({ length: 50 }, (_, row) => row % 2);
  const decisions = classes.map((code, row) => (row < 7 ? 1 - code : code));
  const judged = { rows: rowsUpTo(50), classes, classCount: 2 };
  expect(estimateAchieved(ACCURACY, decisions, judged, null)).toEqual(wilsonInterval(43, 50));
});

test("where every decision is right, each cluster counts as one row", () => {
  const judged = { rows: rowsUpTo(40), classes: new Uint8Array(40), classCount: 2 };
  const clusters = Uint32Array.from({ length: 40 }, (_, row) => row % 8);
  const { mean, low, high } = estimateAchieved(ACCURACY, new Uint8Array(40), judged, clusters);
  expect([mean, high]).toEqual([1, 1]);
  expect(low).toBeCloseTo(1 / (1 + 2.365 ** 2 / 8), 3);
});

test.each([
  ["accuracy", 0.7],
  ["balanced-accuracy", 0.7],
] as const)(
  "%s of groups: the interval holds what they have in the long run in about 95 of 100 draws",
  (objective, value) => {
    const random = new Random(1);
    const rows = rowsUpTo(800);
    const clusters = Uint32Array.from(rows, (row) => Math.floor(row / 25));
    let held = 0;
    const draws = 1_000;
    for (let draw = 0; draw < draws; draw++) {
      // Each group's own accuracy is uniform between .4 and 1, and so is its share of the second class between 0 and .4.
      const accuracies = Array.from({ length: 32 }, () => 0.4 + 0.6 * random.nextFloat());
      const shares = Array.from({ length: 32 }, () => 0.4 * random.nextFloat());
      const classes = Uint8Array.from(rows, (row) => (random.nextFloat() < shares[clusters[row]!]! ? 1 : 0));
      const decisions = classes.map((code, row) =>
        random.nextFloat() < accuracies[clusters[row]!]! ? code : 1 - code,
      );
      const aim = { objective, costs: null };
      const { low, high } = estimateAchieved(aim, decisions, { rows, classes, classCount: 2 }, clusters);
      if (low <= value && value <= high) held++;
    }
    expect(held / draws).toBeWithin(0.93, 0.97);
  },
);
