// The sequential test: its e-value by numeric integration, its false calls
// over drawn streams, and what it needs to call.
import { expect, test } from "bun:test";
import { array, assert, double, nat, property, record } from "fast-check";
import { judgePromise, type LaterLabels, promisedShare } from "../../../engine/watch/worse-than-promised.ts";

const PRIOR_ROWS = 50;

/** One bet by Simpson's rule over 40,000 pieces. */
function naiveBet(promised: number, { right, wrong }: LaterLabels): number {
  const a = PRIOR_ROWS * promised - 1;
  const b = PRIOR_ROWS * (1 - promised) - 1;
  const pieces = 40_000;
  let ratio = 0;
  let whole = 0;
  for (let i = 0; i <= pieces; i++) {
    const p = promised + ((1 - promised) * i) / pieces;
    if (p >= 1) continue;
    const weight = i === 0 ? 1 : i % 2 === 1 ? 4 : 2;
    const density = weight * p ** a * (1 - p) ** b;
    whole += density;
    ratio += density * Math.exp(wrong * Math.log(p / promised) + right * Math.log((1 - p) / (1 - promised)));
  }
  return ratio / whole;
}

/** All bets: batch k begins one with 1/(k(k + 1)), and what has not begun is worth 1. */
function naiveEvidence(promised: number, batches: readonly LaterLabels[]): number {
  let sum = 1 / (batches.length + 1);
  for (let first = 0; first < batches.length; first++) {
    const total = { right: 0, wrong: 0 };
    for (const { right, wrong } of batches.slice(first)) {
      total.right += right;
      total.wrong += wrong;
    }
    sum += naiveBet(promised, total) / ((first + 1) * (first + 2));
  }
  return sum;
}

test.each([
  [0.15, [{ right: 80, wrong: 20 }]],
  [0.15, [{ right: 850, wrong: 150 }]],
  [0.03, [{ right: 40, wrong: 0 }]],
  [0.5, [{ right: 3, wrong: 9 }]],
  [
    0.2,
    [
      { right: 90, wrong: 10 },
      { right: 60, wrong: 40 },
      { right: 7, wrong: 0 },
    ],
  ],
])("the evidence against %p is that of the integral", (promised, batches) => {
  const { evidence } = judgePromise(promised, batches);
  expect(evidence! / naiveEvidence(promised, batches)).toBeCloseTo(1, 6);
});

test("is worse for good once it was: later labels that are right change nothing", () => {
  const bad = { right: 60, wrong: 40 };
  const good = { right: 990, wrong: 10 };
  expect(judgePromise(0.1, [bad])).toMatchObject({ state: "WORSE_THAN_PROMISED", since: 0 });
  const verdict = judgePromise(0.1, [good, good, bad, good, good, good, good]);
  expect(verdict).toMatchObject({ state: "WORSE_THAN_PROMISED", since: 2 });
  expect(verdict.evidence!).toBeLessThan(100);
});

test("calls a version at the first batch whose evidence is enough, whatever was ruled out at a glance", () => {
  const batch = record({ right: nat(200), wrong: nat(60) });
  const calls = { made: 0 };
  assert(
    property(double({ min: 0.05, max: 0.5, noNaN: true }), array(batch, { maxLength: 25 }), (promised, batches) => {
      const evidence = batches.map((_, last) => judgePromise(promised, batches.slice(0, last + 1)).evidence!);
      const first = evidence.findIndex((value) => value >= 100);
      if (first >= 0) calls.made++;
      expect(judgePromise(promised, batches).since).toBe(first < 0 ? null : first);
    }),
  );
  expect(calls.made).toBeGreaterThan(5);
});

test("tells too few labels from labels as promised", () => {
  expect(judgePromise(0.1, [])).toEqual({ state: "TOO_FEW", promised: 0.1, evidence: 1, since: null });
  expect(judgePromise(0.1, [{ right: 95, wrong: 10 }]).state).toBe("TOO_FEW");
  expect(judgePromise(0.1, [{ right: 450, wrong: 50 }]).state).toBe("AS_PROMISED");
});

test("counts beyond what doubles can hold stay finite", () => {
  const { evidence } = judgePromise(0.01, [{ right: 1_000_000, wrong: 9_000_000 }]);
  expect(evidence).toBeGreaterThan(1e300);
  expect(Number.isFinite(evidence!)).toBeTrue();
  expect(judgePromise(0.5, [{ right: 1_000_000_000, wrong: 1_000 }])).toMatchObject({ state: "AS_PROMISED" });
});

test("promises the upper end of the confirmed interval of wrong decisions, where there is one", () => {
  expect(promisedShare({ mean: 0.9, low: 0.87, high: 0.92 })).toBeCloseTo(0.13, 12);
  expect(promisedShare({ mean: 1, low: 1, high: 1 })).toBe(1e-4);
  expect(promisedShare(null)).toBeNull();
  expect(promisedShare({ mean: 0, low: 0, high: 0.1 })).toBeNull();
  expect(judgePromise(null, [{ right: 1, wrong: 9 }])).toEqual({
    state: "NO_PROMISE",
    promised: null,
    evidence: null,
    since: null,
  });
});

test("of 400 versions as good as promised, looked at after every 25 of 1,000 rows, at most 1 in 100 is called worse", () => {
  let state = 1;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let called = 0;
  for (let stream = 0; stream < 400; stream++) {
    const batches = Array.from({ length: 40 }, () => {
      let wrong = 0;
      for (let row = 0; row < 25; row++) if (draw() < 0.15) wrong++;
      return { right: 25 - wrong, wrong };
    });
    if (judgePromise(0.15, batches).state === "WORSE_THAN_PROMISED") called++;
  }
  expect(called).toBeLessThanOrEqual(4);
});
