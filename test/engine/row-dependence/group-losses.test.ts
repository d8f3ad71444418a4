// Columns that name a few machines, or customers by number: told where rows of new ones are answered less well, and
// quiet where a category or a number merely tells.
import { describe, expect, test } from "bun:test";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawCustomers, drawMachines, type FieldTable } from "../../bench/field-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

function told(drawn: FieldTable): [string, string | null][] {
  const { table, columns } = tableOf(drawn);
  const { found } = findDependence(table, 1, neverStop, ["groups"]);
  return found.map(({ bond, column }) => [bond, column === null ? null : columns[column]!.name]);
}

/** With the machine's number in place of its name. */
function numbered({ names, rows, elsewhere }: FieldTable): FieldTable {
  return { names, rows: rows.map(([machine, ...cells]) => [machine!.slice(1), ...cells]), elsewhere };
}

describe("few machines", () => {
  test("are asked about where the sensors tell which machine it is, by name and by number", () => {
    for (const count of [6, 8]) {
      const drawn = drawMachines(count, 3_000, 1.5, 2);
      for (const own of [drawn, numbered(drawn)]) expect(told(own)).toEqual([["few groups", "machine"]]);
    }
  });

  test("are asked about where some rows name none", () => {
    const { rows, ...drawn } = drawMachines(6, 3_000, 1.5, 2);
    const gaps = rows.map(([machine, ...cells], row) => [row % 5 === 0 ? "" : machine!, ...cells]);
    expect(told({ ...drawn, rows: gaps })).toEqual([["few groups", "machine"]]);
  });

  test("are asked about where each sensor tells little of the machine", () => {
    expect(told(drawMachines(6, 3_000, 0.5, 1))).toEqual([["few groups", "machine"]]);
  });

  test("are no question where they have nothing but a share of the labels each", () => {
    for (const seed of [1, 3]) expect(told(drawMachines(5, 3_000, 0, seed))).toEqual([]);
  });

  test("are no question where they are too few to judge by", () => {
    expect(told(drawMachines(4, 3_000, 1.5, 1))).toEqual([]);
  });
});

test("a category of more values is to be left out only where other columns do not tell it", () => {
  expect(told(drawMachines(12, 3_000, 0, 2))).toEqual([["values", "machine"]]);
  expect(told(drawMachines(12, 3_000, 0.5, 2))).toEqual([["group", "machine"]]);
});

describe("customers by numbers with gaps", () => {
  test("are told, with two rows each in the mean and with more", () => {
    for (const mostRows of [3, 8]) {
      const named = told(drawCustomers(600, mostRows, true, 2)).filter(([, column]) => column === "customer");
      expect(named).not.toEqual([]);
    }
  });

  test("are quiet where each row has a label of its own, and so are ages and years", () => {
    for (const mostRows of [3, 8]) expect(told(drawCustomers(600, mostRows, false, 1))).toEqual([]);
  });
});
