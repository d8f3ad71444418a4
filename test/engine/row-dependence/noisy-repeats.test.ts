// Things that were measured several times with noise: their columns and rows are found, and neither smooth rules nor few
// numbers are taken for them.
import { expect, test } from "bun:test";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { findNoisyRepeats, type NoisyRepeats } from "../../../engine/row-dependence/noisy-repeats.ts";
import { codeSample } from "../../../engine/row-dependence/sample.ts";
import { Trial } from "../../../engine/row-dependence/trial.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import type { Table } from "../../../engine/table/table.ts";
import { drawLeak, drawRepeats } from "../../bench/field-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

function found(table: Table): NoisyRepeats | null {
  return findNoisyRepeats(
    table,
    () => new Trial(codeSample(table), { seed: 1, stop: neverStop, measure: "accuracy" }).gains(),
    1,
    neverStop,
  );
}

test("the columns of the things are found, and groups hold one or two things", () => {
  const { table } = tableOf(drawRepeats(250, 5, 0.02, 1));
  const { features, groups } = found(table)!;
  const names = features.map((feature) => table.features[feature]!.name);
  expect(names.filter((name) => name.startsWith("own")).length).toBeGreaterThanOrEqual(4);
  const rowsByGroup = Map.groupBy(groups.keys(), (row) => groups[row]!);
  const sizes = [...rowsByGroup.values()].map((rows) => rows.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  const oneLabel = rowsByGroup.values().filter((rows) => new Set(rows.map((row) => table.classes[row])).size === 1);
  // Ten rows at random have one label in one group of 300, and the rows of two things in every second group.
  expect(oneLabel.toArray().length / rowsByGroup.size).toBeGreaterThan(0.45);
});

test("what they cost is told, with their columns", () => {
  const { found } = findDependence(tableOf(drawRepeats(250, 5, 0.1, 2)).table, 1, neverStop);
  const own = found.find(({ bond }) => bond === "noisy repeats")!;
  expect(own.columns!.length).toBeGreaterThanOrEqual(4);
  expect(own.random - own.held).toBeGreaterThan(0.2);
});

test("nothing is found where each thing has one row, or where other columns tell the label", () => {
  expect(found(tableOf(drawRepeats(1_250, 1, 0.1, 1)).table)).toBeNull();
  expect(found(tableOf(drawLeak(1_000, null, 1)).table)).toBeNull();
});

test("with few numbers no forest is grown, and a cancelled search ends", () => {
  const { names, rows } = drawRepeats(250, 5, 0.1, 1);
  const few = { names: names.slice(-4), rows: rows.map((row) => row.slice(-4)), elsewhere: [] };
  const none = () => {
    throw new Error("a forest was grown");
  };
  expect(findNoisyRepeats(tableOf(few).table, none, 1, neverStop)).toBeNull();
  const { table } = tableOf(drawRepeats(250, 5, 0.1, 1));
  const cancelled = { cancelled: () => true, timeIsUp: () => false };
  expect(() => findNoisyRepeats(table, () => new Float64Array(table.features.length), 1, cancelled)).toThrow(Cancelled);
});
