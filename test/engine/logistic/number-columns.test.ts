// Lines of few rows as columns of a matrix, against sums row by row.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { linesOfFewRows, NumberColumns } from "../../../engine/logistic/number-columns.ts";
import type { TableBasis } from "../../../engine/logistic/table-basis.ts";
import { FIRST_CODE, MISSING_CODE } from "../../../engine/table/buckets.ts";

const CODES = 6;
const centre = fc.double({ min: -3, max: 3, noNaN: true });

const PROBLEM = fc.record({
  rowCount: fc.integer({ min: 1, max: 13 }),
  centres: fc.array(fc.array(centre, { minLength: CODES, maxLength: CODES }), { maxLength: 6 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
});
const OUTPUTS = 2;
/** Rows of a block; the last may have an odd number. */
const BLOCK = 4;

test("adds the scores of any block of rows, and pulls their gradient", () => {
  fc.assert(
    fc.property(PROBLEM, ({ rowCount, centres, seed }) => {
      const parts = centres.map((own, featureIndex) => line(featureIndex, own));
      const codes = parts.map((_, at) =>
        Uint16Array.from({ length: rowCount }, (_, row) => (seed * (row + 3) * (at + 7)) % CODES),
      );
      const thetaSize = 1 + 2 * parts.length;
      const theta = Float64Array.from({ length: OUTPUTS * thetaSize }, (_, at) => Math.sin(seed + at));
      const codesOf = ({ featureIndex }: TableBasis) => codes[featureIndex]!;
      const columns = new NumberColumns(parts, rowCount, codesOf, OUTPUTS * BLOCK);
      const gradient = new Float64Array(theta.length);
      const scores: number[] = [];
      const residuals: number[] = [];
      for (let k = 0; k < OUTPUTS; k++) {
        for (let start = 0; start < rowCount; start += BLOCK) {
          const count = Math.min(BLOCK, rowCount - start);
          const block = columns.scores.subarray(k * BLOCK, k * BLOCK + count);
          block.fill(0.5);
          columns.addScores(theta, k * thetaSize, start, count, k * BLOCK);
          scores.push(...block);
          for (let i = 0; i < count; i++) block[i] = Math.cos(start + i + k);
          residuals.push(...block);
          columns.pullGradient(gradient, k * thetaSize, start, count, k * BLOCK);
        }
      }
      const factors = (at: number) => factorsOf(parts, codes, at % rowCount, Math.floor(at / rowCount) * thetaSize);
      const expected = scores.map((_, at) => factors(at).reduce((sum, [to, x]) => sum + theta[to]! * x, 0.5));
      const pulled = new Float64Array(theta.length);
      for (const [at, own] of residuals.entries()) for (const [to, x] of factors(at)) pulled[to]! += own * x;
      expect(farthest(scores, expected)).toBeLessThan(1e-9);
      expect(farthest(gradient, pulled)).toBeLessThan(1e-9);
    }),
    { numRuns: 50 },
  );
});

test("takes lines of few rows alone", () => {
  const parts = [line(0, []), { ...line(1, []), stepScale: 1 }, { ...line(2, []), levelScale: 1 }, line(3, [])];
  expect(linesOfFewRows(parts, 1000).map(({ featureIndex }) => featureIndex)).toEqual([0, 3]);
  expect(linesOfFewRows(parts, 1e6)).toEqual([]);
});

function line(featureIndex: number, centres: readonly number[]): TableBasis {
  const thetaOffset = 1 + 2 * featureIndex;
  const tableOffset = CODES * featureIndex;
  const own = { featureIndex, codeCount: CODES, centres: Float64Array.from(centres), tableOffset, thetaOffset };
  return { ...own, stepScale: 0, levelScale: 0, slopeScale: 1 };
}

/** Each parameter that a row's score rests on, and what it is multiplied by. */
function factorsOf(parts: readonly TableBasis[], codes: readonly Uint16Array[], row: number, base: number) {
  return parts.map(({ thetaOffset, centres }, at): [parameter: number, factor: number] => {
    const code = codes[at]![row]!;
    if (code === MISSING_CODE) return [base + thetaOffset, 1];
    return [base + thetaOffset + 1, code < FIRST_CODE ? 0 : centres[code]!];
  });
}

function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a, (value, at) => Math.abs(value - b[at]!)).reduce((most, own) => Math.max(most, own), 0);
}
