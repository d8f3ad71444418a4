// The second pass: levels against a naive lookup, dates split into parts, dropped rows, and memory shared by threads.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { layOutTable } from "../../../engine/filling/table-frame.ts";
import type { ColumnCaps } from "../../../engine/reading/caps.ts";
import {
  type CategoryFeature,
  FIRST_LEVEL,
  levelCount,
  MISSING_LEVEL,
  type NumberFeature,
  UNLISTED_LEVEL,
} from "../../../engine/table/table.ts";
import { batchesOf, buildOf, profileOf, withLabel } from "../../support/record-batches.ts";

const smallCaps: ColumnCaps = { texts: 8, firstTexts: 8, bytes: 1000, distinctSlots: 1024, sampleCells: 40 };

function nearest(values: Float64Array, value: number): number {
  let best = 0;
  values.forEach((candidate, at) => {
    if (Math.abs(candidate - value) < Math.abs(values[best]! - value)) best = at;
  });
  return FIRST_LEVEL + best;
}

const numberCell = fc.oneof(
  fc.constantFrom("", "NA"),
  fc.integer({ min: -300, max: 300 }).map((half) => String(half / 2)),
);
const textCell = fc.oneof(
  fc.constantFrom("", "?"),
  fc.integer({ min: 0, max: 30 }).map((at) => ` c${at}`),
);
const records = fc
  .array(fc.tuple(numberCell, textCell, fc.constantFrom("no", "yes", "")), { minLength: 60, maxLength: 200 })
  .map((rows) => [["0.5", "c0", "no"], ["1.5", "c1", "yes"], ...rows]);

describe("levels", () => {
  test("are those of a naive lookup, with all texts in the dictionary or few", () => {
    fc.assert(
      fc.property(
        records,
        fc.constantFrom({}, { caps: smallCaps }),
        fc.integer({ min: 1, max: 50 }),
        (rows, options, size) => {
          const profile = profileOf(["number", "text", "label"], rows, options);
          const table = buildOf(profile, rows, size);
          const kept = rows.filter((row) => row[2] !== "");
          expect(table.rowCount).toBe(kept.length);
          expect([...table.classes]).toEqual(kept.map((row) => (row[2] === "yes" ? 1 : 0)));
          const { values } = table.features[0] as NumberFeature;
          const { names } = table.features[1] as CategoryFeature;
          const isMissing = (cell: string): boolean => ["", "NA", "?"].includes(cell);
          const numbers = kept.map((row) => (isMissing(row[0]!) ? MISSING_LEVEL : nearest(values, Number(row[0]))));
          const texts = kept.map((row) => {
            const at = names.indexOf(row[1]!.trim());
            if (isMissing(row[1]!)) return MISSING_LEVEL;
            return at < 0 ? UNLISTED_LEVEL : FIRST_LEVEL + at;
          });
          expect([...table.levels[0]!]).toEqual(numbers);
          expect([...table.levels[1]!]).toEqual(texts);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("of numbers that the dictionary and the sample hold are exact; of further ones the nearest", () => {
    const cells = Array.from({ length: 40 }, (_, at) => `${at}.25`);
    const exact = buildOf(profileOf(["c", "y"], withLabel(cells), { caps: smallCaps }), withLabel(cells));
    expect([...(exact.features[0] as NumberFeature).values]).toEqual(cells.map(Number));
    const many = Array.from({ length: 5000 }, (_, at) => `${(at * 7919) % 5000}.25`);
    const table = buildOf(profileOf(["c", "y"], withLabel(many), { caps: smallCaps }), withLabel(many));
    const { values } = table.features[0] as NumberFeature;
    expect(values.length).toBeLessThanOrEqual(48);
    expect([...table.levels[0]!]).toEqual(many.map((cell) => nearest(values, Number(cell))));
  });

  test.each([
    ["numbers that hardly recur", (at: number) => (at * 0.25).toFixed(2), 20_000, 1024],
    ["long numbers that hardly recur", (at: number) => `${at}.0625e-3`, 20_000, 1024],
    ["numbers that recur", (at: number) => ((at >> 1) * 0.25).toFixed(2), 10_000, 10_000],
    ["texts", (at: number) => `x${at % 15_000}`, 15_000, 15_000],
  ])("of %s are all there are, however few are listed", (_, textAt, count, listedCount) => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [textAt(at), "ab"[at % 2]!]);
    const profile = profileOf(["x", "label"], rows, {});
    const { scan, distinct } = profile.columns[0]!;
    const feature = buildOf(profile, rows, 1000).features[0]!;
    expect([scan!.dictionary.size, distinct, levelCount(feature) - FIRST_LEVEL]).toEqual([listedCount, count, count]);
  });

  test("of categories follow their natural order, not that of rows", () => {
    const rows = withLabel(["b", "a", "Z", "é", "b"]);
    const table = buildOf(profileOf(["c", "y"], rows), rows);
    expect((table.features[0] as CategoryFeature).names).toEqual(["a", "b", "Z", "é"]);
    expect([...table.levels[0]!]).toEqual([3, 2, 4, 5, 3]);
  });

  test("of stray and infinite cells are missing, -0 is 0, and 1.0 is 1", () => {
    const cells = [...Array.from({ length: 200 }, (_, at) => String(1 + (at % 50))), "-0", "0", "1.0", "x", "inf"];
    const rows = withLabel(cells);
    const table = buildOf(profileOf(["c", "y"], rows), rows);
    expect([...table.levels[0]!.slice(200)]).toEqual([
      FIRST_LEVEL,
      FIRST_LEVEL,
      FIRST_LEVEL + 1,
      MISSING_LEVEL,
      MISSING_LEVEL,
    ]);
  });

  test("of a constant with missing cells tell present from missing", () => {
    const rows = withLabel(["x", "", "x"]);
    const table = buildOf(profileOf(["c", "y"], rows), rows);
    expect(table.features).toEqual([{ kind: "category", name: "c", column: 0, part: null, names: ["x"] }]);
    expect([...table.levels[0]!]).toEqual([FIRST_LEVEL, MISSING_LEVEL, FIRST_LEVEL]);
  });
});

describe("dates", () => {
  const cells = Array.from({ length: 60 }, (_, at) => `2024-0${1 + (at % 2)}-${10 + (at % 19)}T0${at % 3}:00`);
  cells[5] = "never";
  test.each([{}, { caps: smallCaps }])("become the parts that vary, under names of their own (%p)", (options) => {
    const rows = cells.map((cell, at) => [cell, "xy"[at % 2]!, "ab"[at % 2]!]);
    const table = buildOf(profileOf(["d", "d.month", "y"], rows, options), rows);
    expect(table.features.map((feature) => feature.name)).toEqual([
      "d.month_2",
      "d.day",
      "d.weekday",
      "d.hour",
      "d.month",
    ]);
    expect(table.features.map((feature) => feature.part)).toEqual(["month", "day", "weekday", "hour", null]);
    cells.forEach((cell, row) => {
      const parts = table.features.slice(0, 4).map((feature, at) => {
        const level = table.levels[at]![row]!;
        return level === MISSING_LEVEL ? null : (feature as NumberFeature).values[level - FIRST_LEVEL]!;
      });
      const date = new Date(`${cell}Z`);
      const expected = [date.getUTCMonth() + 1, date.getUTCDate(), (date.getUTCDay() + 6) % 7, date.getUTCHours()];
      expect(parts).toEqual(cell === "never" ? [null, null, null, null] : expected);
    });
  });

  test("without a time have no hour", () => {
    const rows = withLabel(["2024-01-01", "2024-01-02T05:00", "2024-01-03T06:00"]);
    const table = buildOf(profileOf(["d", "y"], rows), rows);
    const hour = table.features.findIndex((feature) => feature.part === "hour");
    expect([...table.levels[hour]!]).toEqual([MISSING_LEVEL, FIRST_LEVEL, FIRST_LEVEL + 1]);
  });
});

describe("the table", () => {
  test("lies on one shared block, two bytes a level only where one is too few", () => {
    const rows = Array.from({ length: 301 }, (_, at) => [`${at}.5`, `c${at % 3}`, "ab"[at % 2]!]);
    const table = buildOf(profileOf(["c", "d", "y"], rows), rows);
    const [wide, narrow] = table.levels;
    expect(wide).toBeInstanceOf(Uint16Array);
    expect(narrow).toBeInstanceOf(Uint8Array);
    expect(table.classes.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(new Set([wide!.buffer, narrow!.buffer, table.classes.buffer]).size).toBe(1);
    expect(table.classes.buffer.byteLength).toBe(301 * 4);
  });

  test("is the same whatever the size of batches", () => {
    const rows = Array.from({ length: 300 }, (_, at) => [`${(at * 37) % 101}.5`, `c${at % 30}`, "ab"[at % 2]!]);
    const profile = profileOf(["c", "d", "y"], rows, { caps: smallCaps });
    expect(buildOf(profile, rows, 1)).toEqual(buildOf(profile, rows, 300));
  });

  test("is refused where the second pass sees another file", () => {
    const rows = withLabel(["1", "2", "3"]);
    const profile = profileOf(["c", "y"], rows);
    const changed = expect.objectContaining({ code: "FILE_CHANGED" });
    expect(() => buildOf(profile, rows.slice(1))).toThrow(changed);
    expect(() => buildOf(profile, [...rows, ["4", "a"]])).toThrow(changed);
    expect(() => buildOf(profile, [...rows.slice(1), ["3", "other"]])).toThrow(changed);
    expect(() => buildOf(profile, [...rows, ["4", ""]])).toThrow(changed);
  });

  test("is refused where there is nothing to train on", () => {
    const rows = [
      ["1", "a"],
      ["2", "a"],
    ];
    expect(() => layOutTable(profileOf(["c", "y"], rows), 2)).toThrow(expect.objectContaining({ code: "ONE_CLASS" }));
    expect(batchesOf(rows).length).toBe(1);
  });
});
