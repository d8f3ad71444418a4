// Cramér's V less chance, against its definition from expected counts and against what normal numbers must have.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_CODE } from "../../../engine/buckets.ts";
import { association, groupRows, type RowGroups, STRONG_ASSOCIATION } from "../../../engine/explain/association.ts";
import { Random } from "../../../engine/random.ts";

const CODES = 2 + 200;

function numbers(values: readonly number[]): RowGroups {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const codes = new Uint16Array(values.length);
  for (const [rank, row] of order.entries()) codes[row] = FIRST_CODE + Math.floor((rank * 200) / values.length);
  return groupRows({ kind: "number", codes, codeCount: CODES, centres: new Float64Array(0) });
}

function categories(codes: readonly number[]): RowGroups {
  return groupRows({ kind: "category", codes: Uint8Array.from(codes), codeCount: 30, centres: new Float64Array(0) });
}

/** From expected counts, group by group: Bergsma 2013, equations 2 and 3. */
function naive(first: RowGroups, second: RowGroups): number {
  const n = first.groups.length;
  const as = [...new Set(first.groups)];
  const bs = [...new Set(second.groups)];
  if (as.length < 2 || bs.length < 2) return 0;
  let chiSquare = 0;
  for (const a of as) {
    for (const b of bs) {
      const found = [...first.groups].filter((own, row) => own === a && second.groups[row] === b).length;
      const ofA = first.groups.filter((own) => own === a).length;
      const ofB = second.groups.filter((own) => own === b).length;
      chiSquare += (found - (ofA * ofB) / n) ** 2 / ((ofA * ofB) / n);
    }
  }
  const phi = Math.max(0, chiSquare / n - ((as.length - 1) * (bs.length - 1)) / (n - 1));
  const less = (count: number) => count - (count - 1) ** 2 / (n - 1);
  const most = Math.min(less(as.length) - 1, less(bs.length) - 1);
  return most <= 0 ? 0 : Math.min(1, Math.sqrt(phi / most));
}

const codesOf = (length: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

test("is what expected counts say, the same both ways round, and from 0 to 1", () => {
  const pairs = fc.integer({ min: 2, max: 60 }).chain((length) => fc.tuple(codesOf(length), codesOf(length)));
  fc.assert(
    fc.property(pairs, ([first, second]) => {
      const [a, b] = [categories(first), categories(second)];
      expect(association(a, b)).toBeCloseTo(naive(a, b), 6);
      expect(association(b, a)).toBeCloseTo(association(a, b), 12);
      expect(association(a, b)).toBeWithin(0, 1 + 1e-9);
    }),
  );
});

describe("of 5,000 rows", () => {
  const random = new Random(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.nextFloat())) * Math.cos(2 * Math.PI * random.nextFloat());
  const first = Array.from({ length: 5_000 }, normal);
  const withCorrelation = (r: number) => first.map((own) => r * own + Math.sqrt(1 - r * r) * normal());

  test("independent numbers have hardly any", () => {
    expect(association(numbers(first), numbers(withCorrelation(0)))).toBeLessThan(0.05);
  });

  test("a correlation of 0.7 is where it begins to be strong", () => {
    expect(association(numbers(first), numbers(withCorrelation(0.7)))).toBeCloseTo(STRONG_ASSOCIATION, 1);
    expect(association(numbers(first), numbers(withCorrelation(0.6)))).toBeLessThan(STRONG_ASSOCIATION);
    expect(association(numbers(first), numbers(withCorrelation(0.8)))).toBeGreaterThan(STRONG_ASSOCIATION);
  });

  test("a number and its own square, which no correlation shows, have much", () => {
    const square = first.map((own) => own * own);
    expect(association(numbers(first), numbers(square))).toBeGreaterThan(STRONG_ASSOCIATION);
  });

  test("copies have 1, whatever the categories are called", () => {
    const codes = first.map((own) => 2 + (Math.floor(Math.abs(own) * 3) % 4));
    const renamed = codes.map((code) => 20 - code);
    expect(association(categories(codes), categories(renamed))).toBeCloseTo(1, 9);
  });
});
