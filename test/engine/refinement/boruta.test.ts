// The bookkeeping of shadow-feature selection: when signal is confirmed and noise rejected, by naive binomial sums.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import {
  activeCandidates,
  type BorutaState,
  cardinalityClass,
  leastRounds,
  recordRound,
  relevant,
  startBoruta,
  sureRounds,
} from "../../../engine/refinement/boruta.ts";

/** P(X >= hits) of fair coins by counting the ways. */
function naiveUpper(hits: number, rounds: number): number {
  let sum = 0;
  let ways = 1;
  for (let k = 0; k <= rounds; k++) {
    if (k >= hits) sum += ways / 2 ** rounds;
    ways = (ways * (rounds - k)) / (k + 1);
  }
  return sum;
}

function naiveDecision(hits: number, rounds: number, candidateCount: number): string {
  if (2 * naiveUpper(hits, rounds) * candidateCount <= 0.05) return "confirmed";
  return 2 * naiveUpper(rounds - hits, rounds) * candidateCount <= 0.05 ? "rejected" : "tentative";
}

/** Plays rounds in which candidate `i` hits with probability `chances[i]`, and returns the state after each. */
function play(chances: readonly number[], roundCount: number, seed: number): BorutaState[] {
  const random = new Random(seed);
  const states = [startBoruta(chances.length)];
  for (let round = 0; round < roundCount; round++) {
    const state = states.at(-1)!;
    states.push(
      recordRound(
        state,
        activeCandidates(state).map((index) => (random.nextFloat() < chances[index]! ? 1 : 0)),
      ),
    );
  }
  return states;
}

test("the classes of cardinality", () => {
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 20, 250];
  expect(counts.map((count) => cardinalityClass(count, "number"))).toEqual([0, 0, 1, 1, 2, 2, 2, 3, 4, 7]);
  expect(counts.map((count) => cardinalityClass(count, "category"))).toEqual([0, 0, 8, 8, 9, 9, 9, 10, 11, 14]);
});

test("decisions are those of the naive binomial sums at the first round that reaches the level, and stand", () => {
  const chance = fc.constantFrom(0, 0.05, 0.3, 0.5, 0.8, 1);
  fc.assert(
    fc.property(fc.array(chance, { minLength: 1, maxLength: 30 }), fc.integer(), (chances, seed) => {
      const states = play(chances, 20, seed);
      chances.forEach((_, index) => {
        let expected = "tentative";
        for (const state of states.slice(1)) {
          const { hits, rounds, decision } = state.candidates[index]!;
          if (expected === "tentative") expected = naiveDecision(hits, rounds, chances.length);
          expect(decision as string).toBe(expected);
        }
      });
    }),
    { numRuns: 50 },
  );
});

test.each([
  [1, 6],
  [10, 9],
  [100, 12],
  [500, 15],
])("of %d candidates, all hits confirm and no hits reject after %d rounds", (candidateCount, roundCount) => {
  const chances = Array.from({ length: candidateCount }, (_, index) => (index % 2 === 0 ? 1 : 0));
  const states = play(chances, roundCount, 1);
  expect(states[roundCount - 1]!.candidates.every(({ decision }) => decision === "tentative")).toBe(true);
  expect(states[roundCount]!.candidates.map(({ decision }) => decision as string)).toEqual(
    chances.map((chance) => (chance === 1 ? "confirmed" : "rejected")),
  );
  expect(sureRounds(states[roundCount]!)).toBe(0);
});

test("twenty rounds confirm strong signals and reject noise as it is against the best of many shadows", () => {
  const chances = Array.from({ length: 60 }, (_, index) => (index < 20 ? 0.98 : 0.03));
  const end = play(chances, 20, 7).at(-1)!;
  expect(relevant(end)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(sureRounds(end)).toBe(0);
});

test("the rejected take no further part, the confirmed are counted on", () => {
  let state = startBoruta(3);
  for (let round = 0; round < 7; round++) state = recordRound(state, [1, 0, round % 2]);
  expect(activeCandidates(state)).toEqual([0, 2]);
  state = recordRound(recordRound(state, [1, 1]), [0, 1]);
  expect(state.candidates).toEqual([
    { hits: 8, rounds: 9, decision: "confirmed" },
    { hits: 0, rounds: 7, decision: "rejected" },
    { hits: 5, rounds: 9, decision: "tentative" },
  ]);
});

test("of the tentative only those with hits in over half of their rounds are relevant", () => {
  let state = startBoruta(3);
  expect(relevant(state)).toEqual([]);
  expect(sureRounds(state)).toBeGreaterThan(0);
  state = recordRound(state, [1, 1, 0]);
  state = recordRound(state, [1, 0, 0]);
  expect(relevant(state)).toEqual([0]);
});

test("a round leaves the state before it alone, and a state survives JSON", () => {
  const before = recordRound(startBoruta(2), [1, 0]);
  const text = JSON.stringify(before);
  const after = recordRound(before, [1, 1]);
  expect(JSON.stringify(before)).toBe(text);
  expect(recordRound(JSON.parse(text), [1, 1])).toEqual(after);
});

test("nothing is decided before the least number of rounds, and what always hits is then", () => {
  for (const candidateCount of [1, 2, 10, 150, 600]) {
    let state = startBoruta(candidateCount);
    const least = leastRounds(candidateCount);
    for (let round = 1; round <= least; round++) {
      expect(state.candidates.every(({ decision }) => decision === "tentative")).toBe(true);
      state = recordRound(
        state,
        Array.from({ length: candidateCount }, (_, index) => index % 2),
      );
    }
    expect(sureRounds(state)).toBe(0);
  }
});

test("sure rounds come on the same candidates whatever their hits, and no more are sure", () => {
  const chance = fc.constantFrom(0, 0.05, 0.3, 0.5, 0.8, 1);
  fc.assert(
    fc.property(
      fc.array(chance, { minLength: 1, maxLength: 12 }),
      fc.nat(19),
      fc.infiniteStream(fc.boolean()),
      (chances, roundCount, hits) => {
        const state = play(chances, roundCount, 1).at(-1)!;
        const active = activeCandidates(state);
        const sure = sureRounds(state);
        const after = (rounds: number, isHit: (index: number) => boolean) =>
          Array.from({ length: rounds }).reduce<BorutaState>(
            (last) =>
              recordRound(
                last,
                activeCandidates(last).map((index) => Number(isHit(index))),
              ),
            state,
          );
        const others = after(Math.max(0, sure - 1), () => hits.next().value as boolean);
        expect(activeCandidates(others)).toEqual(active);
        expect(sureRounds(others) === 0).toBe(sure === 0);
        if (sure === 0) return;
        const isAhead = (index: number) => 2 * state.candidates[index]!.hits > state.candidates[index]!.rounds;
        const ends = [after(sure, () => false), after(sure, isAhead)];
        expect(ends.some((end) => sureRounds(end) === 0 || activeCandidates(end).length < active.length)).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

test("no candidates are decided", () => {
  expect(sureRounds(startBoruta(0))).toBe(0);
  expect(recordRound(startBoruta(0), []).candidates).toEqual([]);
});
