// Columns of texts among the checks of a refinement: copies, leaks, empty
// cells, rows in both files, and the test of one alone.
import { describe, expect, test } from "bun:test";
import { countCodes, gatherClasses } from "../../../engine/fitting/class-counts.ts";
import { Random } from "../../../engine/random.ts";
import { checkColumns } from "../../../engine/refinement/column-checks.ts";
import { rowOverlap } from "../../../engine/refinement/row-overlap.ts";
import { testTexts } from "../../../engine/refinement/text-test.ts";
import { testIndependence } from "../../../engine/statistics/independence.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import type { Table } from "../../../engine/table/table.ts";
import { randomTexts } from "../../support/noise-text.ts";
import { everyRow } from "../../support/tables.ts";
import { drawTexts, tableOfTexts, textTable } from "../../support/text-tables.ts";
import { factsOf, taskOf } from "./checked-task.ts";

const ROWS = 1_000;
const { texts: TEXTS, labels: LABELS } = drawTexts(ROWS, 2, 1);

function checksOf(table: Table, testCount = 0) {
  const task = taskOf(table, testCount);
  const columns = [...new Set(table.features.map(({ column }) => column))].map((index) => ({
    ...{ index, kind: "text" as const, role: "feature" as const, distinct: ROWS, isInteger: false },
  }));
  return checkColumns(columns, task, factsOf(task), false);
}

describe("copies", () => {
  test("a column of the same texts is a copy", () => {
    const [first, second] = checksOf(tableOfTexts([TEXTS, TEXTS], LABELS));
    expect(first!.removal).toBeNull();
    expect(second!.removal).toEqual({ reason: "DUPLICATE_OF", with: 0 });
  });

  test("texts of one shape and other words are none, with a signal or without", () => {
    const word = (row: number, seed: number) => "abcdefghij"[(row * seed + (row >> 4)) % 10]!.repeat(4);
    // The characters that are read by place are the same ones.
    const opening = "x".repeat(64);
    const columns = [3, 7].map((seed) => TEXTS.map((_, row) => `${opening} ${word(row, seed)} ${word(row + 1, seed)}`));
    const table = tableOfTexts(columns, LABELS);
    expect(table.features.every(({ kind }) => kind === "score")).toBeTrue();
    expect(checksOf(table).map(({ removal }) => removal?.reason)).not.toContain("DUPLICATE_OF");
  });
});

describe("leaks", () => {
  const flagsOf = (texts: readonly string[]) => checksOf(textTable(texts, LABELS))[0]!;

  test("a text that names its class is kept as a suspect", () => {
    const named = TEXTS.map((text, row) => `${text}; answer: ${LABELS[row]!.replace(" ", "")}`);
    expect(flagsOf(named)).toMatchObject({ keep: "KEPT_SUSPECT", flags: ["TARGET_LEAK_SUSPECT"] });
  });

  test("texts whose words honestly tell nearly all are none", () => {
    const good = "fine great lovely superb splendid".split(" ");
    const bad = "poor awful dreadful horrid wretched".split(" ");
    const honest = TEXTS.map((text, row) => {
      const words = LABELS[row] === "class 00" ? good : bad;
      return `${text} ${words[row % 5]!} ${words[(row >> 3) % 5]!}`;
    });
    expect(flagsOf(honest)).toMatchObject({ keep: null, flags: [] });
  });
});

describe("missing cells", () => {
  test("unknown words are not missing cells, empty texts are", () => {
    const unknown = TEXTS.map((_, row) =>
      LABELS[row] === "class 00" ? `${"word".repeat(1 + (row % 3))}${row}x` : "words that are known",
    );
    expect(checksOf(textTable(unknown, LABELS))[0]!.flags).not.toContain("MISSING_INFORMATIVE");
    const empty = TEXTS.map((text, row) => (LABELS[row] === "class 00" && row % 3 === 0 ? "" : text));
    expect(checksOf(textTable(empty, LABELS))[0]!.flags).toContain("MISSING_INFORMATIVE");
  });

  test("rows of TEST are no drift, though a fit scores them by more counts than its own", () => {
    expect(checksOf(textTable(TEXTS, LABELS), 300)[0]!.flags).toEqual([]);
  });
});

test("rows stand in both files only where their texts have the same words", () => {
  const short = TEXTS.map((_, row) => `${"abcde"[row % 5]!.repeat(3)} ${"vwxyz"[(row >> 3) % 5]!.repeat(3)}`);
  const labels = TEXTS.map((_, row) => (row % 2 === 0 ? "no" : "yes"));
  const overlapOf = (texts: readonly string[]) => rowOverlap(taskOf(textTable(texts, labels), 200));
  expect(overlapOf(short)).toBe(1);
  // The last rows are TEST: words of TRAIN, but never these two together.
  expect(overlapOf(short.map((text, row) => (row < ROWS - 200 ? text : text.split(" ").reverse().join(" "))))).toBe(0);
});

describe("a text alone", () => {
  const leastOf = (texts: readonly string[], labels: readonly string[], seed: number) => {
    const table = textTable(texts, labels);
    return Math.min(...testTexts(table, everyRow(table), seed, neverStop).values());
  };

  test("with words of its class is found", () => {
    expect(leastOf(TEXTS, LABELS, 1)).toBeLessThan(1e-6);
  });

  test("is found where its words hardly recur, but their pieces do", () => {
    const random = new Random(8);
    const labels = Array.from({ length: 400 }, (_, row) => (row % 2 === 0 ? "no" : "yes"));
    const syllable = () => "bdgklmnprst"[random.nextBelow(11)]! + "aeiou"[random.nextBelow(5)]!;
    const texts = labels.map((label) => {
      const stem = label === "yes" ? "kargo" : "fatur";
      return [
        syllable() + stem + syllable() + syllable(),
        ...Array.from({ length: 6 }, () => syllable() + syllable()),
      ].join(" ");
    });
    expect(leastOf(texts, labels, 1)).toBeLessThan(1e-6);
    expect(leastOf(texts, labels.toSorted(), 1)).toBeGreaterThan(0.05);
  });

  test("is the same for the same seed, and for other features nothing", () => {
    expect(leastOf(TEXTS, LABELS, 1)).toBe(leastOf(TEXTS, LABELS, 1));
    const table = textTable(TEXTS, LABELS, [LABELS.map((_, row) => row % 3)]);
    const shown = testTexts(table, everyRow(table), 1, neverStop);
    expect([...shown.keys()].map((index) => table.features[index]!.kind)).toEqual(["score"]);
  });
});

test("the p-values of a text's features are times the tests of the text, others are as they are", () => {
  const random = new Random(4);
  const numbers = LABELS.map(() => random.nextBelow(9));
  const table = textTable(randomTexts(ROWS, 6), LABELS, [numbers]);
  const task = taskOf(table);
  const facts = factsOf(task);
  const { learning } = task;
  const view = codeTable(table, fitBuckets(table, learning, 10));
  const classes = gatherClasses(table.classes, learning);
  const own = table.features.filter(({ column }) => column === 1).length;
  expect(own).toBeGreaterThan(3);
  for (const [index, { kind, column }] of table.features.entries()) {
    if (kind === "score") continue;
    const { pValue } = testIndependence(countCodes(view.features[index]!, learning, classes, 2), 2);
    expect(facts[index]!.pValue).toBe(Math.min(1, column === 1 ? own * pValue : pValue));
  }
});
