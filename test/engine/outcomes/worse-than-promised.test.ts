// The sequential test: what its e-value is expected to be, by all that can come; its false calls over drawn streams,
// and what it needs to call.
import { expect, test } from "bun:test";
import { array, assert, double, integer, nat, property, tuple } from "fast-check";
import { judgePromise, type KindCounts, type Losses } from "../../../engine/outcomes/worse-than-promised.ts";
import { sumOf } from "../../../engine/sums.ts";

/** Decisions that are right or wrong, in this order; at most the promised share is wrong. */
const wrongBeyond = (promised: number): Losses => ({
  excess: [-promised, 1 - promised],
  shares: [1 - promised, promised],
  noticeable: 0.1,
});
const sumOfCounts = (batches: readonly KindCounts[]) =>
  batches[0]!.map((_, kind) => sumOf(batches.map((batch) => batch[kind]!)));
const evidenceOf = (losses: Losses, batches: readonly KindCounts[]) => judgePromise(losses, batches).evidence!;

/** Right decisions, and two kinds of wrong ones. */
const anyLosses = tuple(
  double({ min: 0.01, max: 0.6 }),
  double({ min: 0.05, max: 20 }),
  double({ min: 0.01, max: 0.99 }),
)
  .filter((values) => values.every((value) => !Number.isNaN(value)))
  .map(([promised, first, share]): Losses => {
    const [less, more] = [Math.max(first, 2 * promised), Math.max(first, 2 * promised) + 1];
    return {
      excess: [-promised, less - promised, more - promised],
      shares: [0.9, 0.1 * share, 0.1 * (1 - share)],
      noticeable: promised / 2,
    };
  });

test("the evidence is expected to be 1 while the mean loss is the promised one, whatever the losses are", () => {
  assert(
    property(anyLosses, double({ min: 0, max: 1, noNaN: true }), integer({ min: 1, max: 3 }), (losses, split, cut) => {
      // Chances of the kinds that make the mean excess 0.
      const [right, less, more] = losses.excess as [number, number, number];
      const wrong = -right / (split * less + (1 - split) * more - right);
      const chances = [1 - wrong, wrong * split, wrong * (1 - split)];
      let expected = 0;
      for (let code = 0; code < 3 ** 4; code++) {
        const kinds = [0, 1, 2, 3].map((place) => Math.floor(code / 3 ** place) % 3);
        const count = (part: number[]) => [0, 1, 2].map((kind) => part.filter((one) => one === kind).length);
        const chance = kinds.reduce((product, kind) => product * chances[kind]!, 1);
        expected += chance * evidenceOf(losses, [count(kinds.slice(0, cut)), count(kinds.slice(cut))]);
      }
      expect(expected).toBeCloseTo(1, 9);
    }),
    { numRuns: 50 },
  );
});

test("batch k begins a part of the bet, 1/(k(k + 1)), and what has not begun is worth 1", () => {
  const batch = tuple(nat(200), nat(20), nat(20));
  assert(
    property(anyLosses, array(batch, { minLength: 1, maxLength: 12 }), (losses, batches) => {
      // One batch is worth a half, and a half of what the bet made of it.
      const bet = (first: number) => 2 * evidenceOf(losses, [sumOfCounts(batches.slice(first))]) - 1;
      const parts = batches.map((_, first) => bet(first) / ((first + 1) * (first + 2)));
      const naive = sumOf(parts) + 1 / (batches.length + 1);
      expect(evidenceOf(losses, batches) / naive).toBeCloseTo(1, 6);
    }),
  );
});

test("is worse for good once it was: later labels that are right change nothing", () => {
  const losses = wrongBeyond(0.1);
  const [bad, good] = [
    [60, 40],
    [990, 10],
  ];
  expect(judgePromise(losses, [bad])).toMatchObject({ state: "WORSE_THAN_PROMISED", since: 0 });
  const verdict = judgePromise(losses, [good, good, bad, good, good, good, good]);
  expect(verdict).toMatchObject({ state: "WORSE_THAN_PROMISED", since: 2 });
  expect(verdict.evidence!).toBeLessThan(100);
});

test("tells too few labels from labels as promised", () => {
  const losses = wrongBeyond(0.1);
  expect(judgePromise(losses, [])).toEqual({ state: "TOO_FEW", evidence: 1, since: null });
  expect(judgePromise(losses, [[95, 10]]).state).toBe("TOO_FEW");
  expect(judgePromise(losses, [[450, 50]]).state).toBe("AS_PROMISED");
  expect(judgePromise(null, [[1, 9]])).toEqual({ state: "NO_PROMISE", evidence: null, since: null });
});

test("counts beyond what doubles can hold stay finite, and losses that are hardly ever large end", () => {
  const evidence = evidenceOf(wrongBeyond(0.01), [[1_000_000, 9_000_000]]);
  expect(evidence).toBeGreaterThan(1e300);
  expect(Number.isFinite(evidence)).toBeTrue();
  expect(judgePromise(wrongBeyond(0.5), [[1_000_000_000, 1_000]])).toMatchObject({ state: "AS_PROMISED" });
  const rare: Losses = { excess: [-0.1, 1e6], shares: [1, 0], noticeable: 0.05 };
  expect(judgePromise(rare, [[100, 0]]).state).toBe("TOO_FEW");
});

test.each<[string, Losses, number[]]>([
  ["share of wrong decisions", wrongBeyond(0.15), [0.85, 0.15]],
  ["mean cost", { excess: [-0.2, 0.8, 9.8], shares: [0.89, 0.1, 0.01], noticeable: 0.1 }, [0.89, 0.1, 0.01]],
])(
  "of 400 versions with the promised %s, looked at after every 25 of 1,000 rows, at most 1 in 100 is called worse",
  (...given) => {
    const [, losses, chances] = given;
    let state = 1;
    const draw = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const drawKind = () => {
      let at = draw();
      const kind = chances.findIndex((chance) => {
        at -= chance;
        return at < 0;
      });
      return Math.max(0, kind);
    };
    let called = 0;
    for (let stream = 0; stream < 400; stream++) {
      const batches = Array.from({ length: 40 }, () => {
        const counts = losses.excess.map(() => 0);
        for (let row = 0; row < 25; row++) counts[drawKind()]!++;
        return counts;
      });
      if (judgePromise(losses, batches).state === "WORSE_THAN_PROMISED") called++;
    }
    expect(called).toBeLessThanOrEqual(4);
  },
);
