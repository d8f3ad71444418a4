// Shadows: what they keep of the features they copy, which features are copied, and that each draw is its own.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chooseShadows, withShadows } from "../../../engine/refinement/shadows.ts";
import { drawInput } from "../families/coded-input.ts";

const { view } = drawInput({ seed: 1, rowCount: 400, classCount: 2, bucketCounts: [8, 300, 3] });

function sorted(codes: Uint8Array | Uint16Array): number[] {
  return [...codes].sort((a, b) => a - b);
}

describe("a view with shadows", () => {
  test("holds the chosen features as they are, then shuffled copies", () => {
    const wider = withShadows(view, [2, 0], [1, 1, 0], 7);
    expect(wider.rowCount).toBe(400);
    expect(wider.features.length).toBe(5);
    expect(wider.features[0]).toBe(view.features[2]!);
    expect(wider.features[1]).toBe(view.features[0]!);
    for (const [position, original] of [1, 1, 0].entries()) {
      const shadow = wider.features[2 + position]!;
      const copied = view.features[original]!;
      expect({ ...shadow, codes: null }).toEqual({ ...copied, codes: null });
      expect(shadow.codes.constructor).toBe(copied.codes.constructor);
      expect(sorted(shadow.codes)).toEqual(sorted(copied.codes));
      expect(shadow.codes).not.toEqual(copied.codes);
    }
    expect(wider.features[2]!.codes).not.toEqual(wider.features[3]!.codes);
  });

  test("leaves the given view alone, and depends on the seed and the position alone", () => {
    const before = structuredClone(view);
    const shadow = withShadows(view, [], [0, 0], 7).features[1]!;
    expect(view).toEqual(before);
    expect(withShadows(view, [2], [1, 0, 2], 7).features[2]!).toEqual(shadow);
    expect(withShadows(view, [], [0, 0], 8).features[1]!).not.toEqual(shadow);
  });
});

describe("the choice of shadows", () => {
  test("copies all of a class within the limits, repeats a small one in turn and samples a large one", () => {
    const cardinalities = [0, 2, 2, 0, 3, 3, 3, 3, 3, 3, 0];
    const chosen = chooseShadows(cardinalities, 5, 3, 5);
    expect(chosen.slice(0, 3)).toEqual([0, 3, 10]);
    expect(chosen.slice(3, 6)).toEqual([1, 2, 1]);
    expect(chosen.length).toBe(11);
    expect(new Set(chosen.slice(6)).size).toBe(5);
    expect(chosen.slice(6).every((position) => cardinalities[position] === 3)).toBe(true);
  });

  test("samples by the seed", () => {
    const many = new Array<number>(900).fill(1);
    expect(chooseShadows(many, 5)).toEqual(chooseShadows(many, 5));
    expect(chooseShadows(many, 5)).not.toEqual(chooseShadows(many, 6));
    expect(chooseShadows(many, 5).length).toBe(500);
    expect(chooseShadows([1, 1], 5).length).toBe(30);
    expect(chooseShadows([], 5)).toEqual([]);
  });

  test("gives every class that occurs a number within the limits, each member about as often", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer(),
        (cardinalities, least, wider, seed) => {
          const chosen = chooseShadows(cardinalities, seed, least, least + wider);
          for (const cardinality of [0, 1, 2, 3]) {
            const members = [...cardinalities.keys()].filter((position) => cardinalities[position] === cardinality);
            const own = chosen.filter((position) => cardinalities[position] === cardinality);
            if (members.length === 0) {
              expect(own).toEqual([]);
              continue;
            }
            expect(own.length).toBe(Math.min(least + wider, Math.max(least, members.length)));
            const uses = members.map((member) => own.filter((position) => position === member).length);
            expect(Math.max(...uses) - Math.min(...uses)).toBeLessThanOrEqual(1);
          }
          expect(chosen.every((position) => position in cardinalities)).toBe(true);
        },
      ),
    );
  });
});
