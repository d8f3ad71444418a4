// Rows of later years: which are judged, and by what.
import { describe, expect, test } from "bun:test";
import { measureLaterYears } from "../../../engine/row-dependence/later-years.ts";
import { codeSample, sampleStretches, spreadOver } from "../../../engine/row-dependence/sample.ts";
import { Trial } from "../../../engine/row-dependence/trial.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import type { Feature, Table } from "../../../engine/table/table.ts";

/** A date column and a number that tells the label but in `isTurned` years, where it tells the other one. */
function tableOf(
  dates: readonly (readonly [year: number, month: number])[],
  isTurned = (_year: number) => false,
): Table {
  const feature = (part: "year" | "month" | null, values: number[]): Feature => ({
    ...{ kind: "number", name: part ?? "sign", column: part === null ? 1 : 0, part },
    values: Float64Array.from(values),
  });
  const years = [...new Set(dates.map(([year]) => year))].sort();
  const months = [...new Set(dates.map(([, month]) => month))].sort((a, b) => a - b);
  const classes = Uint8Array.from(dates, (_, row) => (row * 7) % 2);
  return {
    rowCount: dates.length,
    features: [feature("year", years), feature("month", months), feature(null, [0, 1])],
    levels: [
      Uint8Array.from(dates, ([year]) => 2 + years.indexOf(year)),
      Uint8Array.from(dates, ([, month]) => 2 + months.indexOf(month)),
      Uint8Array.from(dates, ([year], row) => 2 + (isTurned(year) ? 1 - classes[row]! : classes[row]!)),
    ],
    labels: ["no", "yes"],
    classes,
  };
}

/** `perMonth` rows of each month, in order. */
function monthsOf(perMonth: number, ...spans: readonly (readonly [year: number, from: number, to: number])[]) {
  return spans.flatMap(([year, from, to]) =>
    Array.from({ length: (to - from + 1) * perMonth }, (_, at) => [year, from + Math.floor(at / perMonth)] as const),
  );
}

function measure(table: Table) {
  return measureLaterYears(
    new Trial(codeSample(table), { seed: 1, stop: neverStop, measure: "accuracy" }),
    table,
    0,
    1,
  );
}

describe("later years", () => {
  test("are judged by the years before, random rows by rows of all years", () => {
    const table = tableOf(monthsOf(20, [2021, 1, 12], [2022, 1, 12]), (year) => year === 2022);
    const { random, held, z } = measure(table)!;
    expect(held).toBe(0);
    expect(random).toBeGreaterThan(0.9);
    expect(z).toBeGreaterThan(10);
  });

  test("cost nothing where all years are alike", () => {
    const { random, held, z } = measure(tableOf(monthsOf(20, [2021, 1, 12], [2022, 1, 12])))!;
    expect([random, held, z]).toEqual([1, 1, 0]);
  });

  test("are judged on months that the years before have too", () => {
    expect(measure(tableOf(monthsOf(20, [2021, 7, 12], [2022, 1, 6])))).toBeNull();
    expect(measure(tableOf(monthsOf(20, [2021, 7, 12], [2022, 1, 8])))).toBeNull();
    expect(measure(tableOf(monthsOf(20, [2021, 7, 12], [2022, 1, 12])))).not.toBeNull();
  });

  test("are not judged by few rows before, nor where few rows come after", () => {
    expect(measure(tableOf(monthsOf(20, [2021, 12, 12], [2022, 1, 12])))).toBeNull();
    expect(measure(tableOf(monthsOf(20, [2021, 1, 12], [2022, 1, 1])))).toBeNull();
  });

  test("leave out rows without a date", () => {
    const table = tableOf(monthsOf(20, [2021, 1, 12], [2022, 1, 12]), (year) => year === 2022);
    const levels = table.levels.map((own, feature) =>
      own.map((level, row) => (feature < 2 && row % 5 === 0 ? 0 : level)),
    );
    expect(measure({ ...table, levels })!.held).toBe(0);
  });
});

test("a sample that is spread over the file has rows of every month, where stretches have not", () => {
  const table = tableOf(monthsOf(500, [2021, 1, 12], [2022, 1, 12]));
  const monthCount = ({ levels }: Table) => new Set(levels[1]).size;
  const stretches = sampleStretches(table);
  const spread = spreadOver(table, stretches);
  expect(spread.view.rowCount).toBe(stretches.view.rowCount);
  expect(monthCount(spread.table)).toBe(12);
  expect(monthCount(stretches.table)).toBeLessThan(12);
  const small = sampleStretches(tableOf(monthsOf(20, [2021, 1, 12], [2022, 1, 12])));
  expect(spreadOver(small.table, small)).toBe(small);
});
