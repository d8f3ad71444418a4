// Splits of rows that belong together: groups whole on one side, older rows before newer ones, for any keys.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  assignParts,
  confirmingParts,
  foldSplits,
  HOLDOUT_PART,
  judgedByFolds,
  PART_COUNT,
  type Split,
  splitByPart,
} from "../../../engine/splits/holdout.ts";
import { NO_GROUP, type RowKeys } from "../../../engine/splits/row-keys.ts";

const CONFIRMING_PARTS = confirmingParts({ dealt: null, ages: null });
const PARTS = [HOLDOUT_PART, ...CONFIRMING_PARTS];
const CLASSES = 3;

/** Rows with a class, a group (or none) and a time (or none). */
const someRows = fc.array(
  fc.record({
    code: fc.nat(CLASSES - 1),
    group: fc.option(fc.nat(20), { nil: NO_GROUP, freq: 9 }),
    time: fc.option(fc.integer({ min: 0, max: 60 }), { nil: Number.NaN, freq: 9 }),
  }),
  { minLength: 30, maxLength: 300 },
);

function keysOf(rows: readonly { group: number; time: number }[], kind: "groups" | "time" | "both"): RowKeys {
  return {
    groups: kind === "time" ? null : Uint32Array.from(rows, ({ group }) => group),
    times: kind === "groups" ? null : Float64Array.from(rows, ({ time }) => time),
  };
}

function spanOf(rows: Uint32Array, times: Float64Array): [number, number] {
  const own = Array.from(rows, (row) => times[row]!);
  return [Math.min(...own), Math.max(...own)];
}

function expectApart({ learning, judging }: Split, { groups, times }: RowKeys): void {
  const learned = new Set(Array.from(learning, (row) => groups?.[row]));
  const newest = Math.max(...Array.from(learning, (row) => times?.[row] ?? 0));
  for (const row of judging) {
    if (groups !== null) expect(learned.has(groups[row]!)).toBeFalse();
    if (times !== null && learning.length > 0) expect(times[row]!).toBeGreaterThan(newest);
  }
  for (const row of [...learning, ...judging]) {
    if (groups !== null) expect(groups[row]).not.toBe(NO_GROUP);
    if (times !== null) expect(times[row]).not.toBeNaN();
  }
  expect([...learning]).toEqual([...learning].sort((a, b) => a - b));
  expect([...judging]).toEqual([...judging].sort((a, b) => a - b));
}

describe.each(["groups", "time", "both"] as const)("judged by %s", (kind) => {
  test("no split learns from what it judges, nor from rows newer than these", () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, seed) => {
        const classes = Uint8Array.from(rows, ({ code }) => code);
        const keys = keysOf(rows, kind);
        const parts = assignParts(classes, CLASSES, seed, keys);
        for (const part of PARTS) expectApart(splitByPart(parts, part), keys);
        const judgedBy = (own: readonly number[]) => own.flatMap((part) => [...splitByPart(parts, part).judging]);
        const judged = judgedBy(kind === "time" ? CONFIRMING_PARTS : PARTS);
        expect(new Set(judged).size).toBe(judged.length);
        if (kind === "time") expect(judged.sort((a, b) => a - b)).toEqual(judgedBy([HOLDOUT_PART]));
      }),
    );
  });

  test("nor does a fold", () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, seed) => {
        const classes = Uint8Array.from(rows, ({ code }) => code);
        const keys = keysOf(rows, kind);
        const { learning } = splitByPart(assignParts(classes, CLASSES, seed, keys), HOLDOUT_PART);
        const folds = foldSplits({ rows: learning, classes, classCount: CLASSES }, seed, keys);
        for (const fold of folds) expectApart(fold, keys);
        const judged = folds.flatMap(({ judging }) => [...judging]).sort((a, b) => a - b);
        expect([...judgedByFolds(learning, folds)]).toEqual(judged);
      }),
    );
  });
});

describe("groups and times", () => {
  test("folds have rows where every group runs through the whole time, at least half of the older ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 400 }), fc.integer({ min: 5, max: 20 }), (count, groupCount) => {
        const rows = Array.from({ length: count }, (_, row) => ({ group: row % groupCount, time: row }));
        const keys = keysOf(rows, "both");
        const everyRow = Uint32Array.from(rows.keys());
        const folds = foldSplits({ rows: everyRow, classes: new Uint8Array(count), classCount: 1 }, 1, keys);
        expect(folds).toHaveLength(4);
        for (const { learning, judging } of folds) {
          expectApart({ learning, judging }, keys);
          const [oldest] = judging;
          expect(learning.length).toBeGreaterThanOrEqual((oldest! - groupCount) / 2);
        }
      }),
    );
  });

  test("a fold judges all rows of its time where their groups are new", () => {
    const rows = Array.from({ length: 500 }, (_, row) => ({ group: Math.floor(row / 10), time: row }));
    const folds = foldSplits(
      { rows: Uint32Array.from(rows.keys()), classes: new Uint8Array(500), classCount: 1 },
      1,
      keysOf(rows, "both"),
    );
    expect(folds.map(({ learning, judging }) => [learning.length, judging.length])).toEqual([
      [400, 100],
      [300, 100],
      [200, 100],
      [100, 100],
    ]);
  });
});

describe("groups", () => {
  test("of about one size fill parts of about one size, each with about the same classes", () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => ({ group: Math.floor(row / 20), time: 0 }));
    const classes = Uint8Array.from(rows, ({ group }) => (group % 4 === 0 ? 1 : 0));
    const { dealt } = assignParts(classes, 2, 1, keysOf(rows, "groups"));
    for (let part = 0; part < PART_COUNT; part++) {
      const own = classes.filter((_, row) => dealt![row] === part);
      expect(own).toHaveLength(400);
      expect(own.filter((code) => code === 1)).toHaveLength(100);
    }
  });

  test("a group that alone has a class never judges", () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, seed) => {
        const groups = Uint32Array.from(rows, ({ group }) => (group === NO_GROUP ? 0 : group));
        const lonely = groups[0]!;
        const classes = Uint8Array.from(groups, (group, row) => (group === lonely ? 2 : rows[row]!.code % 2));
        const { dealt } = assignParts(classes, CLASSES, seed, { groups, times: null });
        expect(dealt![0]).toBe(PART_COUNT - 1);
      }),
    );
  });
});

describe("times", () => {
  test("hold out the newest fifth, and confirm on its tenths by models as old as one is on the next fifth", () => {
    const times = Float64Array.from({ length: 1_000 }, (_, row) => (row * 7_919) % 1_000);
    const parts = assignParts(new Uint8Array(1_000), 1, 1, { groups: null, times });
    const spans = PARTS.map((part) => splitByPart(parts, part)).map(({ learning, judging }) =>
      [learning, judging].map((rows) => [rows.length, ...spanOf(rows, times)]),
    );
    expect(spans).toEqual([
      [
        [800, 0, 799],
        [200, 800, 999],
      ],
      [
        [700, 0, 699],
        [100, 900, 999],
      ],
      [
        [500, 0, 499],
        [100, 800, 899],
      ],
    ]);
  });

  test("the first forward fold is the newest, and the oldest rows only teach", () => {
    const times = Float64Array.from({ length: 1_000 }, (_, row) => row);
    const rows = Uint32Array.from({ length: 1_000 }, (_, row) => row);
    const folds = foldSplits({ rows, classes: new Uint8Array(1_000), classCount: 1 }, 1, { groups: null, times });
    expect(folds.map(({ learning, judging }) => [learning.length, judging[0]])).toEqual([
      [800, 800],
      [600, 600],
      [400, 400],
      [200, 200],
    ]);
  });
});
