// What one column tells of another, against its definition by guesses and against what normal numbers must tell.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  goodmanKruskalTau,
  groupRows,
  type RowGroups,
  STRONG_ASSOCIATION,
} from "../../../engine/explain/association.ts";
import { Random } from "../../../engine/random.ts";
import { FIRST_CODE } from "../../../engine/table/buckets.ts";

const CODES = 2 + 200;

function numbers(values: readonly number[]): RowGroups {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const codes = new Uint16Array(values.length);
  for (const [rank, row] of order.entries()) codes[row] = FIRST_CODE + Math.floor((rank * 200) / values.length);
  return groupRows({ kind: "number", codes, codeCount: CODES });
}

function categories(codes: readonly number[]): RowGroups {
  return groupRows({ kind: "category", codes: Uint8Array.from(codes), codeCount: 30 });
}

/**
 * From the chances to guess each row's own group right: Goodman & Kruskal
 * 1954, less that of a table without association.
 */
function naive(own: RowGroups, other: RowGroups): number {
  const rows = [...own.groups.keys()];
  const chanceAmong = (row: number, among: readonly number[]) =>
    among.filter((each) => own.groups[each] === own.groups[row]).length / among.length;
  const alike = (row: number) => rows.filter((each) => other.groups[each] === other.groups[row]);
  const errors = rows.reduce((sum, row) => sum + 1 - chanceAmong(row, rows), 0);
  const errorsKnowing = rows.reduce((sum, row) => sum + 1 - chanceAmong(row, alike(row)), 0);
  if (errors < 1e-9) return 0;
  const byChance = (new Set(other.groups).size - 1) / (rows.length - 1);
  return byChance >= 1 ? 0 : Math.max(0, (1 - errorsKnowing / errors - byChance) / (1 - byChance));
}

const codesOf = (length: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

test("is what guessing says, from 0 to 1", () => {
  const pairs = fc.integer({ min: 2, max: 60 }).chain((length) => fc.tuple(codesOf(length), codesOf(length)));
  fc.assert(
    fc.property(pairs, ([first, second]) => {
      const [a, b] = [categories(first), categories(second)];
      expect(goodmanKruskalTau(a, b)).toBeCloseTo(naive(a, b), 6);
      expect(goodmanKruskalTau(a, b)).toBeWithin(0, 1 + 1e-9);
    }),
  );
});

describe("of 5,000 rows", () => {
  const random = new Random(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.nextFloat())) * Math.cos(2 * Math.PI * random.nextFloat());
  const first = Array.from({ length: 5_000 }, normal);
  const withCorrelation = (r: number) => first.map((own) => r * own + Math.sqrt(1 - r * r) * normal());

  test("independent numbers have hardly any", () => {
    expect(goodmanKruskalTau(numbers(first), numbers(withCorrelation(0)))).toBeLessThan(0.05);
  });

  test("a correlation of 0.7 is where it begins to be strong", () => {
    expect(goodmanKruskalTau(numbers(first), numbers(withCorrelation(0.7)))).toBeWithin(
      STRONG_ASSOCIATION - 0.01,
      STRONG_ASSOCIATION + 0.02,
    );
    expect(goodmanKruskalTau(numbers(first), numbers(withCorrelation(0.6)))).toBeLessThan(STRONG_ASSOCIATION);
    expect(goodmanKruskalTau(numbers(first), numbers(withCorrelation(0.8)))).toBeGreaterThan(STRONG_ASSOCIATION);
  });

  test("a number and its own square, which no correlation shows, have much", () => {
    const square = first.map((own) => own * own);
    expect(goodmanKruskalTau(numbers(first), numbers(square))).toBeGreaterThan(STRONG_ASSOCIATION);
  });

  test("a fine column tells all of a coarse one, which tells a part of it", () => {
    const fine = first.map((own) => 2 + Math.floor(Math.abs(own) * 10));
    const coarse = fine.map((code) => (code === 2 ? 3 : 2));
    expect(goodmanKruskalTau(categories(coarse), categories(fine))).toBeCloseTo(1, 9);
    expect(goodmanKruskalTau(categories(fine), categories(coarse))).toBeWithin(0.1, 0.5);
  });

  test("copies have 1, whatever the categories are called", () => {
    const codes = first.map((own) => 2 + (Math.floor(Math.abs(own) * 3) % 4));
    const renamed = codes.map((code) => 20 - code);
    expect(goodmanKruskalTau(categories(codes), categories(renamed))).toBeCloseTo(1, 9);
  });
});
