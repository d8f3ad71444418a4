// Repeated measurements of the same patients, shuffled, where no column names the patient: told by the columns that stay
// the same between visits.
import { expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { findRecurringColumns } from "../../../engine/row-dependence/recurring-columns.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { drawVisits, type FieldTable } from "../../bench/field-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

function told(drawn: FieldTable) {
  const { table, columns } = tableOf(drawn);
  const together = findDependence(table, 1, neverStop, ["groups"]).found.filter(({ bond }) => bond === "recurring");
  return together.map(({ columns: own, ...found }) => ({ ...found, names: own!.map((at) => columns[at]!.name) }));
}

function namesOf(drawn: FieldTable): string[][] {
  const { table, columns } = tableOf(drawn);
  return findRecurringColumns(table, neverStop).map(({ columns: own }) => own.map((column) => columns[column]!.name));
}

/** Another label for each row, by its second column that varies. */
function labelledByRow({ names, rows, elsewhere }: FieldTable): FieldTable {
  const random = new Random(1);
  const label = (pulse: string) => (Number(pulse) - 72 + 9 * random.nextFloat() > 5 ? "yes" : "no");
  return { names, rows: rows.map((row) => [...row.slice(0, -1), label(row.at(-2)!)]), elsewhere };
}

test.each<["numbers" | "categories", string[]]>([
  ["numbers", ["bmi", "egfr"]],
  ["categories", ["sex", "smoker", "insurance", "blood", "region", "job", "marital"]],
])("columns that stay the same between visits are named, and what they flatter: %s", (stays, names) => {
  const [found, ...others] = told(drawVisits(200, 5, stays, 1));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ bond: "recurring", names, measure: "accuracy" });
  expect(found!.random).toBeGreaterThan(0.75);
  expect(found!.held).toBeLessThan(0.65);
});

test("one row of each patient is quiet, and so are many whose label is their own", () => {
  for (const stays of ["numbers", "categories"] as const) {
    expect(told(drawVisits(1_000, 1, stays, 1))).toEqual([]);
    expect(told(labelledByRow(drawVisits(200, 5, stays, 1)))).toEqual([]);
  }
});

test("columns that say the same as another do not hide those that stay the same", () => {
  const { names, rows, elsewhere } = drawVisits(200, 5, "numbers", 1);
  const random = new Random(1);
  const more = rows.map((row) => {
    const celsius = 36 + random.nextBelow(30) / 10;
    return [String(celsius), (32 + 1.8 * celsius).toFixed(1), ...row];
  });
  expect(namesOf({ names: ["celsius", "fahrenheit", ...names], rows: more, elsewhere })).toContainEqual([
    "bmi",
    "egfr",
  ]);
});

test("patients of a large file are found, though few of their visits stand among the rows that are searched", () => {
  expect(namesOf(drawVisits(6_000, 5, "numbers", 1))).toEqual([["bmi", "egfr"]]);
});

test("a column that tells the patients apart by itself is said to name them, and an age is not", () => {
  const { names, rows, elsewhere } = drawVisits(200, 5, "numbers", 1);
  const namingIn = (name: string, of: (row: string[]) => string) => {
    const named = { names: [name, ...names], rows: rows.map((row) => [of(row), ...row]), elsewhere };
    return findRecurringColumns(tableOf(named).table, neverStop)[0]!;
  };
  expect(namingIn("patient", ([bmi, egfr]) => `p ${bmi} ${egfr}`)).toMatchObject({ columns: [0, 1, 2], naming: 0 });
  expect(namingIn("age", ([bmi]) => `${Math.round(Number(bmi))} years`)).toMatchObject({ naming: null });
});

test("few values that recur by chance are no groups", () => {
  const random = new Random(3);
  const rows = Array.from({ length: 2_000 }, () => [
    ...Array.from({ length: 6 }, (_, at) => `v${random.nextBelow(2 + at)}`),
    random.nextFloat() < 0.5 ? "a" : "b",
  ]);
  expect(namesOf({ names: ["c1", "c2", "c3", "c4", "c5", "c6", "label"], rows, elsewhere: [] })).toEqual([]);
});

test("a search that is cancelled ends", () => {
  const { table } = tableOf(drawVisits(60, 5, "numbers", 1));
  expect(() => findRecurringColumns(table, { cancelled: () => true, timeIsUp: () => false })).toThrow(Cancelled);
});
