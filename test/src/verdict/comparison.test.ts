// What is said of two models side by side: paired, by intervals, or nothing.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { type Compared, compare } from "../../../src/verdict/comparison.ts";
import { binarySummary } from "../../support/summaries.ts";

const ROWS = 1_000;

function bitmap(wrong: readonly number[]): string {
  const bits = new Uint8Array(ROWS / 8);
  for (const row of wrong) bits[row >> 3]! |= 1 << (row & 7);
  return Buffer.from(bits).toString("base64");
}

/** The champion of a run, with the rows that it decided wrong. */
function judged(
  wrong: readonly number[] | null,
  change: (run: RunSummary) => Partial<RunSummary> = () => ({}),
): Compared {
  const run = binarySummary();
  const changed = { ...run, holdout: { ...run.holdout, digest: "d" }, ...change(run) };
  const { wrongRows: _, ...version } = run.versions[0]!;
  return { run: changed, version: wrong === null ? version : { ...version, wrongRows: bitmap(wrong) } };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe("on the same rows", () => {
  test("counts what each alone decides right", () => {
    const { judgedOn, difference, statements } = compare(judged(range(0, 58)), judged(range(50, 80)));
    expect(judgedOn).toBe("SAME_ROWS");
    expect(difference).toMatchObject({ isPaired: true, firstAlone: 22, secondAlone: 50, isWithinChance: false });
    expect(difference!.mean).toBeCloseTo(0.028, 12);
    expect(statements).toEqual([
      "Both were judged on the same 1,000 held-out rows: A alone decides 22 of them right, B alone 50.",
      "B is more accurate by 2.8 points; B less A is +2.8 [+1.1, +4.5]: that is more than chance.",
    ]);
  });

  test("counts as a set of rows does", () => {
    const rows = fc.uniqueArray(fc.nat(ROWS - 1), { maxLength: 60 });
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const { difference } = compare(judged(first), judged(second));
        expect(difference).toMatchObject({
          firstAlone: second.filter((row) => !first.includes(row)).length,
          secondAlone: first.filter((row) => !second.includes(row)).length,
        });
      }),
    );
  });

  test("says so where the difference lies within chance, and where there is none", () => {
    const near = compare(judged(range(0, 58)), judged(range(0, 55)));
    expect(near.statements[1]).toBe(
      "B is more accurate by 0.3 points; B less A is +0.3 [−0.1, +0.7]: that lies within chance.",
    );
    const same = compare(judged(range(0, 58)), judged(range(0, 58)));
    expect(same.statements[0]).toBe(
      "Both were judged on the same 1,000 held-out rows, and decide the same ones right.",
    );
    expect(same.statements[1]).toBe(
      "They are equally accurate; the interval of the difference is [−0.3, +0.3] points.",
    );
  });

  test("does not pair rows of groups, which are wrong together", () => {
    const byGroups = (run: RunSummary) => ({
      verdict: {
        ...run.verdict,
        judgedBy: { kind: "groups" as const, groupColumn: "g", timeColumn: null, groupCount: 9 },
      },
    });
    const { difference, statements } = compare(judged([1], byGroups), judged([2], byGroups));
    expect(difference).toMatchObject({ isPaired: false, firstAlone: null, secondAlone: null });
    expect(statements[0]).toContain("are not independent");
    const mixed = compare(judged([1], byGroups), judged([2]));
    expect(mixed.statements.at(-1)).toBe(
      "A was judged on groups that it had not seen, B on rows drawn at random: the two figures answer different questions.",
    );
  });
});

describe("otherwise", () => {
  test("rows are others: the difference is not a paired one", () => {
    const other = judged([1], (run) => ({ holdout: { ...run.holdout, rows: 400, digest: "e" } }));
    const { judgedOn, difference, statements } = compare(judged([2]), other);
    expect(judgedOn).toBe("OTHER_ROWS");
    expect(difference).toMatchObject({ isPaired: false, isWithinChance: true });
    expect(statements[0]).toStartWith(
      "They were judged on other rows, 1,000 held-out rows and 400 rows: the difference is not a paired one",
    );
  });

  test("a model of an earlier version does not tell its rows", () => {
    const { judgedOn, difference, statements } = compare(
      judged(null, ({ holdout }) => ({ holdout })),
      judged([1]),
    );
    expect(judgedOn).toBe("NOT_KNOWN");
    expect(difference).toMatchObject({ isPaired: false });
    expect(statements[0]).toContain("earlier versions");
  });

  test.each([
    ["another column", () => ({ label: "left" })],
    [
      "other labels",
      () => ({
        classes: [
          { label: "no", count: 1 },
          { label: "maybe", count: 1 },
        ],
      }),
    ],
  ])("%s is predicted: accuracies cannot be compared", (_, change) => {
    const { judgedOn, difference, statements } = compare(judged([1]), judged([1], change));
    expect({ judgedOn, difference }).toEqual({ judgedOn: "OTHER_LABELS", difference: null });
    expect(statements).toHaveLength(1);
    expect(statements[0]).toStartWith("They predict other labels: “churn” (“no”, “yes”), and “");
  });

  test("labels in another order are the same", () => {
    const turned = judged([1], ({ classes }) => ({ classes: classes.toReversed() }));
    expect(compare(judged([1]), turned).judgedOn).toBe("SAME_ROWS");
  });

  test("objectives differ", () => {
    const { statements } = compare(
      judged([1]),
      judged([2], () => ({ objective: "f1" })),
    );
    expect(statements.at(-1)).toStartWith("They aim at different objectives");
  });
});
