// Columns whose cells are in quotes that belong to their text.
import { expect, test } from "bun:test";
import { profileOf } from "../../support/record-batches.ts";

const rows = (quote: (text: string) => string): string[][] =>
  Array.from({ length: 60 }, (_, i) => [String(i * 1.5), quote(["red", "green"][i % 2]!), "", quote("ab"[i % 2]!)]);
const warned = (records: string[][]) =>
  profileOf(["x", "colour", "none", "label"], records).warnings.filter(({ code }) => code === "QUOTED_CELLS");

test.each<[string, (text: string) => string, RegExp]>([
  ["a blank before each quote", (text) => `"${text}"`, /right behind the delimiter/],
  ["single quotes", (text) => `'${text}'`, /Remove these quotes/],
  ["quotes of a word processor", (text) => `“${text}”`, /Remove these quotes/],
  ["German ones", (text) => `„${text}“`, /Remove these quotes/],
  ["French ones", (text) => `«${text}»`, /Remove these quotes/],
])("are told: %s", (_, quote, advice) => {
  const [warning, ...others] = warned(rows(quote));
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ column: "colour", count: 2 });
  expect(warning!.message).toMatch(advice);
  expect(warning!.message).toContain(quote("…"));
  // A warning may be logged, so it holds no cell.
  expect(warning!.message).not.toContain("red");
});

test.each<[string, (text: string, index: number) => string]>([
  ["no quotes", (text) => text],
  ["one cell without", (text, index) => (index === 5 ? text : `"${text}"`)],
  ["inches", (text) => `${text}"`],
  ["a closing quote of another kind", (text) => `“${text}"`],
])("are not told: %s", (_, quote) => {
  expect(
    warned(rows((text) => text).map(([x, colour], i) => [x!, quote(`${colour}${i}`, i), "", "ab"[i % 2]!])),
  ).toEqual([]);
});
