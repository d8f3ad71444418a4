// Missing cells that were filled in by the label: they are found in part of the rows too, and frequent numbers of other
// origin are not taken for them.
import { describe, expect, test } from "bun:test";
import { type FilledByLabel, findFilledByLabel } from "../../../engine/leaks/filled-by-label.ts";
import { deriveSeed, Random } from "../../../engine/random.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { findLeakage } from "../../../workers/find-leakage.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

const NAMES = ["albumin", "ferritin", "sodium"];
const LABELS = ["ill", "well", "worse"];

interface Row {
  values: number[];
  isEmpty: boolean[];
  label: string;
}

/** Three measurements with one decimal that tell a little of the label, each missing in a share of the rows. */
function drawRows(rowCount: number, missingShare: number, seed: number, labelCount = 2): Row[] {
  const random = new Random(deriveSeed(seed, rowCount));
  return Array.from({ length: rowCount }, () => {
    const code = random.nextBelow(labelCount);
    const values = NAMES.map(() => Number((40 + 4 * drawNormal(random) + code).toFixed(1)));
    return { values, isEmpty: NAMES.map(() => random.nextFloat() < missingShare), label: LABELS[code]! };
  });
}

type Middle = (values: readonly number[]) => number;

const mean: Middle = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const median: Middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** `groupOf`: rows whose middle is filled in where one of them has no value. */
function filled(rows: readonly Row[], middle: Middle, groupOf: (row: Row) => string, decimals = 2): string[][] {
  return rows.map((row) => {
    const cells = NAMES.map((_, at) => {
      if (!row.isEmpty[at]!) return row.values[at]!.toFixed(1);
      const own = rows.filter((other) => !other.isEmpty[at]! && groupOf(other) === groupOf(row));
      return middle(own.map(({ values }) => values[at]!)).toFixed(decimals);
    });
    return [...cells, row.label];
  });
}

function foundIn(rows: string[][]): (FilledByLabel & { names: string[] }) | null {
  const { table, columns } = tableOf({ names: [...NAMES, "label"], rows, elsewhere: [] });
  const found = findFilledByLabel(table, neverStop);
  return found && { ...found, names: found.columns.map(({ column }) => columns[column]!.name) };
}

const byLabel = ({ label }: Row) => label;

describe("columns are named", () => {
  test.each<[string, Middle, number]>([
    ["means", mean, 2],
    ["means with many digits", mean, 14],
    ["medians", median, 1],
  ])("whose missing cells hold the %s of their label", (_, middle, decimals) => {
    const found = foundIn(filled(drawRows(600, 0.2, 1), middle, byLabel, decimals))!;
    expect(found.names.toSorted()).toEqual(NAMES);
    expect(found.share).toBeGreaterThan(0.4);
    expect(found.share).toBeLessThan(0.65);
  });

  test("with what they hold for each label", () => {
    const rows = filled(drawRows(600, 0.2, 2), mean, byLabel);
    const { columns } = foundIn(rows)!;
    const [{ column, fillings }] = columns as [FilledByLabel["columns"][number]];
    for (const { label, value, rowCount } of fillings) {
      expect(rows.filter((row) => row[3] === label && Number(row[column]) === value)).toHaveLength(rowCount);
    }
    expect(fillings.map(({ label }) => label)).toEqual(["ill", "well"]);
  });

  test("where the table is a part of what was filled in, and where there are three labels", () => {
    expect(foundIn(filled(drawRows(1_200, 0.2, 3), mean, byLabel).slice(0, 800))!.names.toSorted()).toEqual(NAMES);
    const [first] = foundIn(filled(drawRows(1_200, 0.2, 4, 3), mean, byLabel))!.columns;
    expect(first!.fillings.map(({ label }) => label)).toEqual(LABELS);
  });
});

describe("nothing is named", () => {
  test("where all cells were measured, or filled in without the label", () => {
    expect(foundIn(filled(drawRows(600, 0, 1), mean, byLabel))).toBeNull();
    expect(foundIn(filled(drawRows(600, 0.3, 1), mean, () => "all"))).toBeNull();
    expect(foundIn(filled(drawRows(600, 0.3, 1), median, () => "all", 1))).toBeNull();
  });

  test("where one label alone has a number of its own, as if others were always measured", () => {
    const rows = drawRows(600, 0.3, 1).map((row) =>
      row.label === "ill" ? row : { ...row, isEmpty: row.isEmpty.map(() => false) },
    );
    expect(foundIn(filled(rows, mean, byLabel))).toBeNull();
  });

  test("where so few cells were missing that they hardly change the accuracy", () => {
    expect(foundIn(filled(drawRows(3_000, 0.012, 1), mean, byLabel))).toBeNull();
  });

  test("where numbers are codes, some of which go with one label", () => {
    const found = Array.from({ length: 20 }, (_, seed) => {
      const random = new Random(deriveSeed(seed, 5));
      // The most frequent code of each label is another one.
      const codes = LABELS.slice(0, 2).map(() => Array.from({ length: 60 }, () => random.nextBelow(60)));
      const rows = Array.from({ length: 800 }, () => {
        const code = random.nextBelow(2);
        return [...NAMES.map(() => String(codes[code]![Math.floor(60 * random.nextFloat() ** 4)]!)), LABELS[code]!];
      });
      return foundIn(rows);
    });
    expect(found).toEqual(found.map(() => null));
  });
});

test("the look at leaks names the columns together, the most rows first", () => {
  const { table } = tableOf({
    names: [...NAMES, "label"],
    rows: filled(drawRows(600, 0.2, 6), mean, byLabel),
    elsewhere: [],
  });
  const { leaks } = findLeakage({ table, rowCount: 600, seed: 1, questions: ["leaks"] }, neverStop);
  expect(leaks).toHaveLength(1);
  expect(leaks[0]!.by).toBe("filled by label");
  expect(leaks[0]!.columns.toSorted()).toEqual([0, 1, 2]);
});

test("a cancelled search ends", () => {
  const { table } = tableOf({
    names: [...NAMES, "label"],
    rows: filled(drawRows(100, 0.2, 7), mean, byLabel),
    elsewhere: [],
  });
  expect(() => findFilledByLabel(table, { cancelled: () => true, timeIsUp: () => false })).toThrow(Cancelled);
});
