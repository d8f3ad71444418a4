// Values in a drawn order.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random, shuffle, shuffled } from "../../engine/random.ts";

test("shuffled values are those of a shuffled copy: each as often as before, and the given ones stay", () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.nat(), (values, seed) => {
      const given = [...values];
      const copy = Uint32Array.from(values);
      shuffle(copy, new Random(seed));
      expect(shuffled(values, new Random(seed))).toEqual(copy);
      expect(shuffled(values.values(), new Random(seed))).toEqual(copy);
      expect(copy.toSorted()).toEqual(Uint32Array.from(given).sort());
      expect(values).toEqual(given);
    }),
  );
});
