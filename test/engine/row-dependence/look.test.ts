// The look before training, on drawn tables of known truth: it names what rows have in common, and is quiet where they have nothing.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findLeaks } from "../../../engine/row-dependence/leaks.ts";
import { lookForDependence } from "../../../engine/row-dependence/look.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { readTable } from "../../../workers/read-table.ts";
import {
  csvOf,
  drawDrift,
  drawGroups,
  drawLeak,
  drawTwins,
  type FieldTable,
  LEAKS,
  shuffled,
  withoutKey,
} from "../../bench/field-tables.ts";

function tableOf({ names, rows }: FieldTable) {
  const folder = mkdtempSync(join(tmpdir(), "cupel-look-"));
  try {
    const path = join(folder, "drawn.csv");
    writeFileSync(path, csvOf(names, rows));
    return readTable({ path, label: null, missingMarkers: null }, neverStop);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What rows have in common, and the column that says so. */
function bondsOf(drawn: FieldTable): [string, string | null][] {
  const { table, columns } = tableOf(drawn);
  const { found, isWhole } = lookForDependence(table, 1, neverStop);
  expect(isWhole).toBeTrue();
  return found.map(({ bond, column }) => [bond, column === null ? null : columns[column]!.name]);
}

describe("rows that belong together", () => {
  const groups = drawGroups(40, 25, 1, 1);

  test("are told by the column that names their group, in any order of the file", () => {
    expect(bondsOf(shuffled(groups, 1))).toContainEqual(["group", "group"]);
  });

  test("are told by the order of the file where no column names their group", () => {
    expect(bondsOf(withoutKey(groups))).toContainEqual(["file order", null]);
  });

  test("cost about as much as they do on groups that nobody has seen", () => {
    const { table } = tableOf(shuffled(groups, 1));
    const [worst] = lookForDependence(table, 1, neverStop).found;
    expect(worst!.random).toBeGreaterThan(0.9);
    expect(worst!.held).toBeLessThan(0.7);
  });

  test("are told by their near-twins where nothing else tells", () => {
    expect(bondsOf(drawTwins(1_000, 1))).toContainEqual(["near-twins", null]);
  });

  test("are told by a date where the rule changes with time", () => {
    expect(bondsOf(shuffled(drawDrift(2_000, 2.4, 1), 1))).toContainEqual(["time", "when"]);
  });
});

describe("rows that are independent", () => {
  test.each([1, 2, 3])("are quiet: draw %d", (seed) => {
    expect(bondsOf(drawLeak(1_000, null, seed))).toEqual([]);
    expect(bondsOf(shuffled(drawGroups(40, 25, 0, seed), seed))).toEqual([]);
  });

  test("are not looked at where there are too few", () => {
    const { table } = tableOf(drawLeak(150, null, 1));
    expect(lookForDependence(table, 1, neverStop)).toMatchObject({ found: [], isWhole: false });
  });
});

test("a look that is out of time says that it is not whole, and one that is cancelled ends", () => {
  const { table } = tableOf(drawLeak(400, null, 1));
  const late = { cancelled: () => false, timeIsUp: () => true };
  expect(lookForDependence(table, 1, late).isWhole).toBeFalse();
  expect(() => lookForDependence(table, 1, { cancelled: () => true, timeIsUp: () => false })).toThrow(Cancelled);
});

describe("leaks", () => {
  test.each(LEAKS)("of the kind %p are named", (leak) => {
    const { table, columns } = tableOf(drawLeak(1_000, leak, 1));
    const [worst] = findLeaks(table, neverStop);
    expect(worst!.columns.map((column) => columns[column]!.name)).toEqual(
      leak === "pair" ? ["leak1", "leak2"] : ["leak1"],
    );
    expect(worst!.by).toBe(leak.startsWith("filled") ? "presence" : "values");
  });

  test("are not seen where there are none", () => {
    expect(findLeaks(tableOf(drawLeak(1_000, null, 1)).table, neverStop)).toEqual([]);
  });
});
