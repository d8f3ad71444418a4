// Categories are listed by the numbers in them, then by their letters.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { sortedNames } from "../../../engine/columns/category-names.ts";

test.each([
  { scale: ["never", "0-4", "5-9", "10-14", "65+"] },
  { scale: ["< 1 year", "1 year", "2 years", "10+ years"] },
  { scale: ["$0 - $24,999", "$25,000 - $49,999", "$100,000+"] },
  { scale: ["5'9\"", "5'10\"", "6'0\""] },
  { scale: ["ann", "bob", "cy"] },
] as { scale: string[] }[])("$scale", ({ scale }) => {
  expect(sortedNames(scale.toReversed())).toEqual(scale);
});

test("the order does not depend on the one that names come in", () => {
  const name = fc.string({ unit: fc.constantFrom(..."019 .,-<≤kab"), maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.func(fc.integer()), (names, keyOf) => {
      const shuffled = names.toSorted((a, b) => keyOf(a) - keyOf(b));
      expect(sortedNames(shuffled)).toEqual(sortedNames(names));
    }),
  );
});
