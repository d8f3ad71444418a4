// The dependence check before training on tables with texts: their shape is no time,
// no group and no order, and single words may be leaks.
import { describe, expect, test } from "bun:test";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { findLeaks } from "../../../engine/row-dependence/leaks.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawTexts, tableOfTexts, textTable } from "../../support/text-tables.ts";

const { texts, labels } = drawTexts(600, 3, 1);
/** Rows of one class stand together, and longer texts come later. */
const sorted = texts
  .map((text, row) => ({ text: `${text} ${"on ".repeat(row % 7)}`.trim(), label: labels[row]! }))
  .sort((a, b) => a.label.localeCompare(b.label) || a.text.length - b.text.length);

describe("dependence", () => {
  const looked = (rowTexts: readonly string[], rowLabels: readonly string[]) =>
    findDependence(textTable(rowTexts, rowLabels, [rowLabels.map((_, row) => (row * 37) % 11)]), 1, neverStop);

  test("is not seen in texts that have nothing in common, in any order of the file", () => {
    expect(looked(texts, labels)).toMatchObject({ found: [], sortedBy: [], isWhole: true });
    const inOrder = looked(
      sorted.map(({ text }) => text),
      sorted.map(({ label }) => label),
    );
    expect(inOrder.sortedBy).toEqual([]);
    expect(inOrder.found.map(({ bond }) => bond)).not.toContain("time");
  });

  test("cannot be looked for where there are only terms", () => {
    const alike = texts.map((_, row) => `${"abcd"[row % 4]!.repeat(3)} ${"efgh"[(row >> 2) % 4]!.repeat(3)}`);
    const table = tableOfTexts([alike], labels);
    expect(table.features.every(({ kind }) => kind === "score")).toBeTrue();
    expect(findDependence(table, 1, neverStop)).toMatchObject({ found: [], isWhole: false });
  });
});

describe("leaks", () => {
  const leaksOf = (rowTexts: readonly string[]) => findLeaks(textTable(rowTexts, labels), neverStop);

  test("are seen where each text names its class", () => {
    const named = texts.map((text, row) => `${text} ${labels[row]!.replace(" ", "")} ${text}`);
    expect(leaksOf(named)).toEqual([{ columns: [0], by: "words", strength: 1 }]);
  });

  test("are seen where texts are empty for one class alone", () => {
    const filled = texts.map((text, row) => (labels[row] === "class 01" ? "" : text));
    expect(leaksOf(filled)).toMatchObject([{ columns: [0], by: "presence" }]);
  });

  test("are not seen in texts that say nothing but what texts say", () => {
    expect(leaksOf(texts)).toEqual([]);
  });
});
