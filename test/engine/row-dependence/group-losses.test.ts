// Columns that name a few machines, or customers by number: told where rows of new ones are answered less well, and
// quiet where a category or a number merely tells.
import { describe, expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawCustomers, drawMachines, type FieldTable } from "../../bench/field-tables.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
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

/** Pressures of machines, each with a limit of its own by which its rows are bad: half of them, whatever the machine. */
function drawLimits(machineCount: number, rowCount: number, seed: number, ownShare = 1): FieldTable {
  const random = new Random(seed);
  const limits = Array.from({ length: machineCount }, () => 1.4 * drawNormal(random));
  const draw = () => {
    const machine = random.nextBelow(machineCount);
    const above = drawNormal(random);
    const label = random.nextFloat() < 1 / (1 + Math.exp(-3 * above)) ? "bad" : "ok";
    return [`M${machine + 1}`, (ownShare * limits[machine]! + above).toFixed(3), drawNormal(random).toFixed(3), label];
  };
  const rows = Array.from({ length: rowCount }, draw);
  return { names: ["machine", "pressure", "noise", "label"], rows, elsewhere: [] };
}

describe("machines with limits of their own, whose labels have the same shares", () => {
  test.each([
    [6, 1_500],
    [40, 3_000],
    [20, 2_000],
    [60, 4_000],
  ])("are asked about: %d machines", (machineCount, rowCount) => {
    for (const seed of [1, 2]) {
      const asked = told(drawLimits(machineCount, rowCount, seed));
      expect(asked.map(([, column]) => column)).toEqual(["machine"]);
    }
  });

  test("are no question where all have the same limit", () => {
    for (const count of [6, 20]) expect(told(drawLimits(count, 2_000, 1, 0))).toEqual([]);
  });
});

/** A category and a signal tell the label. `oddsOf`: what each of `names` adds to the log-odds. */
function drawCategory(names: readonly string[], oddsOf: (place: number) => number, seed: number): FieldTable {
  const random = new Random(seed);
  const draw = () => {
    const place = random.nextBelow(names.length);
    const signal = drawNormal(random);
    const label = random.nextFloat() < 1 / (1 + Math.exp(-oddsOf(place) - signal)) ? "yes" : "no";
    return [names[place]!, signal.toFixed(2), label];
  };
  return { names: ["category", "signal", "label"], rows: Array.from({ length: 800 }, draw), elsewhere: [] };
}

describe("values that the label goes by", () => {
  const rises = (place: number) => (place - 5.5) / 2;
  test.each([
    ["ages", Array.from({ length: 12 }, (_, at) => `${20 + 5 * at}-${24 + 5 * at}`), rises],
    ["levels", Array.from({ length: 12 }, (_, at) => `Level ${at + 1}`), rises],
    ["grades", [..."ABCD"].flatMap((letter) => ["+", "", "-"].map((sign) => `${letter}${sign}`)), rises],
    ["times ago", ["days", "weeks"].flatMap((unit) => [1, 2, 3, 4, 5, 6].map((n) => `${n} ${unit} ago`)), rises],
    [
      "months",
      ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
      (place: number) => 3 * Math.cos((2 * Math.PI * place) / 12),
    ],
  ])("are no question where it follows their order: %s", (_, names, oddsOf) => {
    for (const seed of [1, 2]) expect(told(drawCategory(names, oddsOf, seed))).toEqual([]);
  });

  test("are a question where it follows no order and all were seen for long, a doubt where new ones come", () => {
    const names = Array.from({ length: 12 }, (_, at) => `site ${at + 1}`);
    const odds = [2, -1, -3, 3, 1, -2, 3, -3, 2, -3, 0, 2];
    const drawn = drawCategory(names, (place) => odds[place]!, 1);
    expect(told(drawn)).toEqual([["seen values", "category"]]);
    const sorted = drawn.rows.toSorted(([a], [b]) => names.indexOf(a!) - names.indexOf(b!));
    expect(told({ ...drawn, rows: sorted })).toEqual([["values", "category"]]);
  });
});

test("a category of more values is to be left out only where other columns do not tell it", () => {
  expect(told(drawMachines(12, 3_000, 0, 2))).toEqual([["seen values", "machine"]]);
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
