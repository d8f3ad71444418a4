// Stacking: the weights minimise what they say they minimise, are never
// negative, and beat the bases where bases differ.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { removalCosts, type StackInput, selectStackRows, solveStack } from "../../../engine/families/stack-solver.ts";
import {
  applyStacking,
  centredLogOdds,
  chooseBases,
  fitStacking,
  type Stacking,
  writeLogOdds,
} from "../../../engine/families/stacking.ts";
import { Random } from "../../../engine/random.ts";
import type { Split } from "../../../engine/splits/holdout.ts";
import { neverStop, type StopSignal } from "../../../engine/stop-signal.ts";

/** Bases that see the class through noise of their own: the first least, the last a mirror image of the truth. */
function drawStack(seed: number, rowCount: number, classCount: number, noises: readonly number[]): StackInput {
  const random = new Random(seed);
  const classes = Uint8Array.from({ length: rowCount }, () => random.nextBelow(classCount));
  const logOdds = noises.map((noise) => {
    const probabilities = new Float64Array(rowCount * classCount);
    classes.forEach((own, row) => {
      const isSeen = random.nextFloat() > noise;
      const guess = isSeen ? own : random.nextBelow(classCount);
      for (let k = 0; k < classCount; k++) {
        probabilities[row * classCount + k] = k === guess ? 0.7 : 0.3 / (classCount - 1);
      }
    });
    return centredLogOdds(probabilities, classCount);
  });
  return { logOdds, classes, classCount };
}

/** The penalised loss by its definition. */
function lossOf({ logOdds, classes, classCount }: StackInput, { weights, intercepts }: Stacking): number {
  let loss = 0;
  for (let row = 0; row < classes.length; row++) {
    const scores = Array.from({ length: classCount }, (_, k) =>
      logOdds.reduce((sum, own, base) => sum + weights[base]! * own[row * classCount + k]!, intercepts[k]!),
    );
    loss += Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0)) - scores[classes[row]!]!;
  }
  for (const weight of weights) loss += 5 * (weight - 1 / weights.length) ** 2;
  for (const intercept of intercepts) loss += 2.5 * intercept ** 2;
  return loss;
}

const crossEntropy = (probabilities: Float64Array, { classes, classCount }: StackInput) =>
  classes.reduce((sum, own, row) => sum - Math.log(probabilities[row * classCount + own]!), 0);

/** Probabilities of every row by weights that the row's own fold had no part in. */
function stackOutOfFold(input: StackInput, folds: readonly Split[], stop: StopSignal): Float64Array {
  const { classCount } = input;
  const probabilities = new Float64Array(input.classes.length * classCount);
  for (const { learning, judging } of folds) {
    const stacking = fitStacking(selectStackRows(input, learning), stop);
    const scores = applyStacking(stacking, selectStackRows(input, judging).logOdds, judging.length);
    judging.forEach((position, i) => {
      probabilities.set(scores.subarray(i * classCount, (i + 1) * classCount), position * classCount);
    });
  }
  return probabilities;
}

describe("stacking", () => {
  test("no small change of a weight or intercept lowers the loss, but below zero", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (seed, classCount, bases) => {
          const noises = Array.from({ length: bases }, (_, base) => 0.3 + 0.15 * base);
          const input = drawStack(seed, 200, classCount, noises);
          const found = fitStacking(input, neverStop);
          expect(found.weights.every((weight) => weight >= 0)).toBeTrue();
          const least = lossOf(input, found);
          for (const name of ["weights", "intercepts"] as const) {
            for (let index = 0; index < found[name].length; index++) {
              for (const change of [-0.02, 0.02]) {
                const moved = { weights: found.weights.slice(), intercepts: found.intercepts.slice() };
                moved[name][index] = moved[name][index]! + change;
                if (moved.weights.every((weight) => weight >= 0))
                  expect(lossOf(input, moved)).toBeGreaterThan(least - 1e-3);
              }
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("nor on so many rows that a part of them shows where to begin, and another where to go", () => {
    const input = drawStack(17, 60_000, 4, [0.5, 0.7, 0.9, 1, 1, 1]);
    const found = fitStacking(input, neverStop);
    const least = lossOf(input, found);
    for (let base = 0; base < found.weights.length; base++) {
      for (const change of [-0.01, 0.01]) {
        const weights = found.weights.map((weight, index) => (index === base ? weight + change : weight));
        if (weights[base]! >= 0) expect(lossOf(input, { ...found, weights })).toBeGreaterThan(least - 1e-3);
      }
    }
  });

  test("what a weight is worth is about what the loss rises by without it", () => {
    const input = drawStack(19, 1_000, 3, [0.6, 0.65, 0.7]);
    const whole = solveStack(input, neverStop);
    removalCosts(input, whole).forEach((cost, base) => {
      // The ridge of a weight that is put to 0 stays, so the base stays as one that says nothing.
      const logOdds = input.logOdds.map((own, index) => (index === base ? own.map(() => 0) : own));
      const silent = solveStack({ ...input, logOdds }, neverStop);
      const equal = 5 * (silent.theta[base]! - 1 / 3) ** 2;
      const rise = silent.loss - equal + 5 / 9 - whole.loss;
      expect(cost / rise).toBeGreaterThan(0.6);
      expect(cost / rise).toBeLessThan(1.5);
    });
  });

  test("bases that add next to nothing are left out, those that carry the stack stay", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 4 }), (seed, classCount) => {
        const input = drawStack(seed, 8_000, classCount, [0.5, 0.5, 1, 1]);
        const echo = input.logOdds[0]!.map((value, cell) => value + (cell % 7 === 0 ? 1e-3 : 0));
        const chosen = chooseBases({ ...input, logOdds: [...input.logOdds, echo] }, neverStop, false);
        expect(chosen).toContain(1);
        expect(chosen.filter((base) => base === 0 || base === 4)).toHaveLength(1);
        expect(chosen.filter((base) => base === 2 || base === 3)).toHaveLength(0);
      }),
      { numRuns: 10 },
    );
  });

  test("on few rows all stay that have a seventh of the largest weight", () => {
    const input = drawStack(23, 300, 3, [0.5, 0.6, 1]);
    const mirrored = { ...input, logOdds: [...input.logOdds, input.logOdds[0]!.map((value) => -value)] };
    const { theta } = solveStack(mirrored, neverStop);
    const least = 0.15 * Math.max(...theta.slice(0, mirrored.logOdds.length));
    const weighing = mirrored.logOdds.flatMap((_, base) => (theta[base]! >= least ? [base] : []));
    expect(chooseBases(mirrored, neverStop, true)).toEqual(weighing);
    expect(weighing).not.toContain(3);
  });

  test("a base that is worse than chance weighs nothing", () => {
    const input = drawStack(7, 400, 2, [0.4, 0.5]);
    const mirrored = { ...input, logOdds: [...input.logOdds, input.logOdds[0]!.map((value) => -value)] };
    expect(fitStacking(mirrored, neverStop).weights[2]).toBe(0);
  });

  test("together the bases say more than the best of them", () => {
    const input = drawStack(3, 2_000, 3, [0.5, 0.5, 0.5]);
    const together = crossEntropy(stackOutOfFold(input, halves(2_000), neverStop), input);
    for (const own of input.logOdds) {
      const alone = stackOutOfFold({ ...input, logOdds: [own] }, halves(2_000), neverStop);
      expect(together).toBeLessThan(crossEntropy(alone, input));
    }
  });

  test("probabilities sum to 1, and the same input gives the same weights", () => {
    const input = drawStack(5, 300, 4, [0.4, 0.6]);
    const found = fitStacking(input, neverStop);
    expect(fitStacking(input, neverStop)).toEqual(found);
    const probabilities = applyStacking(found, input.logOdds, 300);
    for (let base = 0; base < probabilities.length; base += 4) {
      expect(probabilities.slice(base, base + 4).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });

  test("scoring rounds nothing: the same as the definition, in double precision", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { minLength: 1, maxLength: 4 }), ([...bases]) => {
        const weights = Float64Array.from(bases, (_, base) => 0.7 / (1 + base));
        const intercepts = Float64Array.of(0.3, -0.2);
        const logOdds = bases.map((shares) => {
          const own = Float64Array.from(shares);
          writeLogOdds(own, 2, own);
          return own;
        });
        const scoreOf = (k: 0 | 1) =>
          bases.reduce((sum, shares, base) => {
            const logs = shares.map((own) => Math.log(own + 0.002));
            return sum + weights[base]! * (logs[k]! - (logs[0]! + logs[1]!) / 2);
          }, intercepts[k]!);
        const expected = 1 / (1 + Math.exp(scoreOf(0) - scoreOf(1)));
        expect(Math.abs(applyStacking({ weights, intercepts }, logOdds, 1)[1]! - expected)).toBeLessThan(1e-14);
      }),
    );
  });

  test("out-of-fold answers do not depend on the rows' own classes", () => {
    const input = drawStack(11, 100, 2, [0.4, 0.5]);
    const [first] = halves(100);
    const changed = { ...input, classes: input.classes.slice() };
    for (const position of first!.judging) changed.classes[position] = 1 - changed.classes[position]!;
    const scores = stackOutOfFold(input, [first!], neverStop);
    expect(stackOutOfFold(changed, [first!], neverStop)).toEqual(scores);
  });

  test("chosen rows keep their log-odds and classes", () => {
    const input = drawStack(2, 50, 3, [0.5]);
    const chosen = selectStackRows(input, Uint32Array.of(4, 17));
    expect([...chosen.classes]).toEqual([input.classes[4]!, input.classes[17]!]);
    expect([...chosen.logOdds[0]!]).toEqual([
      ...input.logOdds[0]!.subarray(12, 15),
      ...input.logOdds[0]!.subarray(51, 54),
    ]);
  });
});

function halves(count: number) {
  const positions = Uint32Array.from({ length: count }, (_, position) => position);
  const [even, odd] = [0, 1].map((rest) => positions.filter((position) => position % 2 === rest));
  return [
    { learning: odd!, judging: even! },
    { learning: even!, judging: odd! },
  ];
}
