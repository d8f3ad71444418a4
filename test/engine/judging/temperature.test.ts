// Temperature scaling: found where a grid finds it, not found in noise, and no decision changes.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import { decide, judge } from "../../../engine/judging/metrics.ts";
import { applyTemperature, fitTemperature } from "../../../engine/judging/temperature.ts";
import { Random } from "../../../engine/random.ts";

/** Rows whose classes are drawn from honest probabilities, and what a model says that is `boldness` times as sure. */
function draw(seed: number, rowCount: number, classCount: number, boldness: number) {
  const random = new Random(seed);
  const rows = Uint32Array.from({ length: rowCount }, (_, row) => row);
  const said = new Float64Array(rowCount * classCount);
  const classes = Uint8Array.from(rows, (row) => {
    const base = row * classCount;
    for (let k = 0; k < classCount; k++) said[base + k] = 4 * random.nextFloat() - 2;
    const honest = said.slice(base, base + classCount);
    softmaxInPlace(honest, 0, classCount);
    for (let k = 0; k < classCount; k++) said[base + k] = boldness * said[base + k]!;
    softmaxInPlace(said, base, classCount);
    let left = random.nextFloat();
    const own = honest.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    return own < 0 ? classCount - 1 : own;
  });
  return { rows, said, classes };
}

describe("fitTemperature", () => {
  test("finds by how much a model is too sure or too cautious", () => {
    for (const [seed, classCount, boldness] of [
      [1, 2, 2],
      [2, 3, 0.5],
      [3, 5, 3],
    ] as const) {
      const { rows, said, classes } = draw(seed, 6000, classCount, boldness);
      const found = fitTemperature(said, { rows, classes, classCount });
      expect(Math.abs(Math.log(found / boldness))).toBeLessThan(0.1);
    }
  });

  test("is where a grid has the lowest log-loss", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, classCount) => {
        const { rows, said, classes } = draw(seed, 400, classCount, 2.5);
        const lossAt = (temperature: number) => {
          const tempered = said.slice();
          applyTemperature(tempered, classCount, temperature);
          return judge(tempered, { rows, classes, classCount }).logLoss;
        };
        const found = fitTemperature(said, { rows, classes, classCount });
        for (let x = 0.2; x < 10; x *= 1.1) expect(lossAt(found)).toBeLessThan(lossAt(x) + 1e-5);
      }),
      { numRuns: 20 },
    );
  });

  test("leaves honest probabilities alone, whatever chance makes of few rows", () => {
    const found = Array.from({ length: 40 }, (_, seed) => {
      const { rows, said, classes } = draw(seed, 80, 2, 1);
      return fitTemperature(said, { rows, classes, classCount: 2 });
    });
    expect(found.filter((temperature) => temperature === 1).length).toBeGreaterThan(32);
  });

  test("looks at a part of very many rows, and at one row", () => {
    const { rows, said, classes } = draw(4, 300_000, 2, 2);
    expect(Math.abs(fitTemperature(said, { rows, classes, classCount: 2 }) - 2)).toBeLessThan(0.1);
    expect(
      fitTemperature(Float64Array.of(0, 1), { rows: Uint32Array.of(0), classes: Uint8Array.of(0), classCount: 2 }),
    ).toBe(1);
  });
});

test("tempered probabilities sum to 1 and keep the order of the classes", () => {
  const share = fc.oneof(fc.constantFrom(0, 1e-300, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(share, { minLength: 2, maxLength: 6 }).filter((shares) => shares.some((own) => own > 1e-3)),
      fc.double({ min: 0.2, max: 10, noNaN: true }),
      (shares, temperature) => {
        const total = shares.reduce((sum, own) => sum + own, 0);
        const before = Float64Array.from(shares, (own) => own / total);
        const after = before.slice();
        applyTemperature(after, after.length, temperature);
        expect(after.reduce((sum, own) => sum + own, 0)).toBeCloseTo(1, 12);
        for (let k = 0; k < after.length; k++) {
          for (let other = 0; other < after.length; other++) {
            if (before[k]! <= before[other]!) expect(after[k]!).toBeLessThanOrEqual(after[other]!);
          }
        }
        expect(after[decide(before, before.length)[0]!]).toBe(Math.max(...after));
        const untouched = before.slice();
        applyTemperature(untouched, untouched.length, 1);
        expect(untouched).toEqual(before);
      },
    ),
  );
});
