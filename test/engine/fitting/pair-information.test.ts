// Information of columns and pairs against sums over maps of counts, and what is left of it where only chance speaks.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CoarseColumns, fitCoarseColumns, gatherGroups } from "../../../engine/fitting/coarse-columns.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { informativeColumns, pairInformation } from "../../../engine/fitting/pair-information.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { categoryFeature, drawInput, inputOf } from "../families/coded-input.ts";

/** The entropy of some parallel lists taken together, and the combinations that occur. */
function naiveEntropy(lists: readonly ArrayLike<number>[], rowCount: number): { entropy: number; cells: number } {
  const counts = new Map<string, number>();
  for (let i = 0; i < rowCount; i++) {
    const key = lists.map((list) => list[i]).join(" ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let entropy = (counts.size - 1) / (2 * rowCount);
  for (const count of counts.values()) entropy -= (count / rowCount) * Math.log(count / rowCount);
  return { entropy, cells: counts.size };
}

function kept(value: number, freedom: number, rowCount: number): number {
  return value > (4 * Math.sqrt(Math.max(1, freedom) / 2)) / rowCount ? value : 0;
}

function naivePair(input: FitInput, columns: CoarseColumns, i: number, j: number) {
  const groups = gatherGroups(columns, input.view, input.rows);
  const classes = [...input.rows].map((row) => input.classes[row]!);
  const n = input.rows.length;
  const [x, z] = [groups[i]!, groups[j]!];
  const of = (...lists: ArrayLike<number>[]) => naiveEntropy(lists, n);
  const [xz, xzy, xy, zy, y] = [of(x, z), of(x, z, classes), of(x, classes), of(z, classes), of(classes)];
  const conditional = xy.entropy + zy.entropy - xzy.entropy - y.entropy;
  const shared = of(x).entropy + of(z).entropy - xz.entropy;
  const freedom = xzy.cells - xy.cells - zy.cells + y.cells;
  const sharedFreedom = xz.cells - of(x).cells - of(z).cells + 1;
  return {
    conditional: kept(conditional, freedom, n),
    synergy: kept(conditional - shared, Math.max(0, freedom) + Math.max(0, sharedFreedom), n),
  };
}

/** Rows whose class is the exclusive or of two features; a third copies the first, a fourth is noise. */
function exclusiveOr(rowCount: number): FitInput {
  const random = new Random(9);
  const bits = () => Array.from({ length: rowCount }, () => random.nextBelow(2));
  const [first, second, noise] = [bits(), bits(), bits()];
  const features = [first, second, first, noise].map((list) =>
    categoryFeature(
      list.map((bit) => bit + 2),
      2,
    ),
  );
  return inputOf(
    features,
    first.map((bit, row) => bit ^ second[row]!),
    2,
  );
}

describe("pairInformation", () => {
  test("equals naive counting, pair by pair", () => {
    let told = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 5 }), (seed, classCount) => {
        const input = drawInput({ seed, rowCount: 160, classCount, bucketCounts: [3, 4, 3, 20] });
        const columns = fitCoarseColumns(input, 100);
        const { single, conditional, synergy, columnCount } = pairInformation(input, columns);
        const classes = [...input.rows].map((row) => input.classes[row]!);
        const n = input.rows.length;
        for (const [i, groups] of gatherGroups(columns, input.view, input.rows).entries()) {
          const [x, y, xy] = [[groups], [classes], [groups, classes]].map((lists) => naiveEntropy(lists, n));
          const expected = kept(x!.entropy + y!.entropy - xy!.entropy, (x!.cells - 1) * (y!.cells - 1), n);
          expect(single[i]).toBeCloseTo(expected, 10);
          for (let j = 0; j < columnCount; j++) {
            if (j === i) continue;
            const pair = naivePair(input, columns, i, j);
            expect(conditional[i * columnCount + j]).toBeCloseTo(pair.conditional, 10);
            expect(synergy[i * columnCount + j]).toBeCloseTo(pair.synergy, 10);
            if (expected > 0) told++;
          }
        }
      }),
      { numRuns: 20 },
    );
    expect(told).toBeGreaterThan(0);
  });

  test("two features that tell the class only together tell all of it together, and noise tells nothing", () => {
    const input = exclusiveOr(2000);
    const columns = fitCoarseColumns(input, 100);
    const information = pairInformation(input, columns);
    const { single, conditional, synergy } = information;
    expect([...single]).toEqual([0, 0, 0, 0]);
    expect(synergy[1]).toBeCloseTo(Math.LN2, 2);
    expect(conditional[1]).toBeCloseTo(Math.LN2, 2);
    expect(synergy[2]).toBe(0);
    expect([...conditional.subarray(12)]).toEqual([0, 0, 0, 0]);
    expect(informativeColumns(information)).toEqual([0, 1, 2]);
  });

  test("without time pairs tell nothing, cancelled it throws", () => {
    const input = exclusiveOr(200);
    const columns = fitCoarseColumns(input, 100);
    const late = { ...input, stop: { cancelled: () => false, timeIsUp: () => true } };
    expect(informativeColumns(pairInformation(late, columns))).toEqual([]);
    const gone = { ...input, stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => pairInformation(gone, columns)).toThrow(Cancelled);
  });
});
