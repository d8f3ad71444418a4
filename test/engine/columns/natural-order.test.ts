// Orders of values as a reader would put them: by their numbers, by their words, by the calendar.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inNaturalOrder, naturalOrders } from "../../../engine/columns/natural-order.ts";

/** The orders of the names, which stand in one of them. */
function ordersOf(inOrder: readonly string[]): string[][] {
  const names = inOrder.toSorted();
  return naturalOrders(names).map((order) => order.map((at) => names[at]!));
}

describe("natural orders", () => {
  test.each([
    ["bounds", ["<30k", "30-35k", "35-40k", "95-100k", "100k+"]],
    ["levels", ["Level 1", "Level 2", "Level 10"]],
    ["ranks", ["1st", "2nd", "3rd", "4th", "21st"]],
    ["results", ["1/10", "2/10", "10/10"]],
    ["decimals", ["9,5 %", "10,1 %", "10,6 %"]],
    ["grades", ["A+", "A", "A-", "B+", "B", "B-"]],
    ["grades with a real minus", ["B+", "B", "B−"]],
    ["units", ["2 days ago", "10 days ago", "2 hours ago", "3 hours ago"]],
    ["months", ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "Sept.", "Okt.", "Dezember"]],
    ["months of another language", ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août"]],
  ])("have that of %s", (_, names) => {
    expect(ordersOf(names)).toContainEqual(names);
  });

  test.each([
    { scale: ["never", "0-4", "5-9", "10-14", "65+"] },
    { scale: ["< 1 year", "1 year", "2 years", "10+ years"] },
    { scale: ["$0 - $24,999", "$25,000 - $49,999", "$100,000+"] },
    { scale: ["€565K", "€1.2M"] },
    { scale: ["5'9\"", "5'10\"", "6'0\""] },
    { scale: ["Jan", "Feb", "Mar", "Dec"] },
    { scale: ["ann", "bob", "cy"] },
  ] as { scale: string[] }[])("categories are listed so: $scale", ({ scale }) => {
    expect(inNaturalOrder(scale.toReversed())).toEqual(scale);
  });

  test("do not depend on the order that names come in", () => {
    const name = fc.string({ unit: fc.constantFrom(..."019 .,-<≤kabA"), maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.func(fc.integer()), (names, keyOf) => {
        const shuffled = names.toSorted((a, b) => keyOf(a) - keyOf(b));
        expect(inNaturalOrder(shuffled)).toEqual(inNaturalOrder(names));
      }),
    );
  });

  test("come once where they are the same, and no calendar where one value is no month", () => {
    expect(ordersOf(["apple", "pear"])).toEqual([["apple", "pear"]]);
    expect(ordersOf(["Feb", "Jan", "other"])).toEqual([["Feb", "Jan", "other"]]);
  });
});
