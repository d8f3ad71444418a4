// Rows that were made of two others of their label: they are found by any digits, and rows of real tables are not.
import { describe, expect, test } from "bun:test";
import { findMadeRows } from "../../../engine/leaks/made-rows.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { findLeakage } from "../../../workers/find-leakage.ts";
import { drawLeak, drawMade, drawRepeats, type FieldTable, shuffled } from "../../bench/field-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

function labelsWithMadeRows(drawn: FieldTable): string[] {
  return findMadeRows(tableOf(drawn).table, neverStop).map(({ label }) => label);
}

test.each([
  [2, 0.1],
  [3, 0.5],
  [9, 0.5],
  [17, 0.5],
])("a label of which most rows were made is named: %d decimals", (decimals, least) => {
  const [made] = findMadeRows(tableOf(drawMade(1_000, 100, decimals, 1)).table, neverStop);
  expect(made).toMatchObject({ label: "yes" });
  expect(made!.share).toBeGreaterThan(least);
});

test("numbers of four bytes, whose made rows lie on the line up to their precision", () => {
  const { rows, ...others } = drawMade(600, 80, 17, 2);
  const single = rows.map((row) => row.map((cell, at) => (at < 6 ? String(Math.fround(Number(cell))) : cell)));
  expect(labelsWithMadeRows({ ...others, rows: single })).toEqual(["yes"]);
});

describe("nothing is named", () => {
  test("where no row was made", () => {
    expect(labelsWithMadeRows(drawLeak(1_000, null, 1))).toEqual([]);
    expect(labelsWithMadeRows(drawRepeats(250, 5, 0.1, 1))).toEqual([]);
  });

  test("where whole numbers lie between others by chance", () => {
    const { rows, ...others } = drawMade(1_000, 500, 3, 3);
    const whole = rows.map((row) => row.map((cell, at) => (at < 6 ? (30 * Number(cell)).toFixed(0) : cell)));
    expect(labelsWithMadeRows({ ...others, rows: whole })).toEqual([]);
  });

  test("where columns follow from each other", () => {
    const random = new Random(4);
    const rows = Array.from({ length: 900 }, (_, at) => {
      const net = 100 * random.nextFloat();
      const cells = [net, 1.19 * net, 0.19 * net].map((value) => value.toFixed(6));
      return [...cells, at % 3 === 0 ? "yes" : "no"];
    });
    expect(labelsWithMadeRows({ names: ["net", "gross", "tax", "label"], rows, elsewhere: [] })).toEqual([]);
  });
});

test("where the time is up first, the answer says so and is kept", () => {
  const { table } = tableOf(drawMade(600, 80, 3, 5));
  const request = { table, rowCount: table.rowCount, seed: 1, questions: ["leaks"] as const };
  const answerIn = (timeIsUp: () => boolean) => findLeakage(request, { cancelled: () => false, timeIsUp });
  expect(answerIn(() => false).leaks.map(({ by, label }) => [by, label])).toEqual([["made rows", "yes"]]);
  expect(answerIn(() => true)).toMatchObject({ leaks: [], isCut: true });
});

test("a cancelled search ends", () => {
  const { table } = tableOf(shuffled(drawMade(600, 80, 3, 5), 1));
  expect(() => findMadeRows(table, { cancelled: () => true, timeIsUp: () => false })).toThrow(Cancelled);
});
