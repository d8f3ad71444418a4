// Rows of a second file in the table of the first: levels against a naive
// lookup, columns by name, and what is left out.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { matchColumns, matchWarnings, requireAll } from "../../../engine/columns/match-columns.ts";
import { ClassCoder } from "../../../engine/filling/class-coder.ts";
import { LabelledRecords } from "../../../engine/filling/labelled-records.ts";
import { ownRecords, TableFiller } from "../../../engine/filling/table-filler.ts";
import { layOutTable } from "../../../engine/filling/table-frame.ts";
import { labelledRowCount, type TableProfile } from "../../../engine/profile/profile.ts";
import type { ColumnCaps } from "../../../engine/reading/caps.ts";
import {
  type CategoryFeature,
  FIRST_LEVEL,
  MISSING_LEVEL,
  type NumberFeature,
  type Table,
  UNLISTED_LEVEL,
} from "../../../engine/table/table.ts";
import type { Warning } from "../../../engine/warning.ts";
import { takeRecords } from "../../support/cells.ts";
import { batchesOf, buildOf, profileOf, withLabel } from "../../support/record-batches.ts";

type Records = readonly (readonly string[])[];
const smallCaps: ColumnCaps = { texts: 8, firstTexts: 8, bytes: 1000, distinctSlots: 1024, sampleCells: 40 };

interface Joined {
  table: Table;
  rows: LabelledRecords;
  /** About cells. */
  warnings: Warning[];
}

/** The profiled records and those of a second file with columns `names`, in one table. */
function join(profile: TableProfile, records: Records, names: readonly string[], others: Records, size = 5): Joined {
  const { positions } = matchColumns(
    profile.columns.map(({ name }) => name),
    names,
  );
  const labelPosition = positions[profile.label.column]!;
  const rows = new LabelledRecords(new ClassCoder(profile), labelPosition, profile.label.name);
  for (const batch of batchesOf(others, size)) takeRecords(rows, batch);
  const firstRow = labelledRowCount(profile);
  const frame = layOutTable(profile, firstRow + rows.rowCount);
  const own = new TableFiller(frame, ownRecords(profile));
  for (const batch of batchesOf(records, size)) takeRecords(own, batch);
  own.finish();
  const { recordCount } = rows;
  const endRow = frame.table.rowCount;
  const second = new TableFiller(frame, { firstRow, endRow, positions, labelPosition, recordCount });
  for (const batch of batchesOf(others, size)) takeRecords(second, batch);
  return { table: frame.table, rows, warnings: second.finish() };
}

const summary = (warnings: readonly Warning[]) =>
  warnings.map(({ code, column, line, count }) => [code, column, line, count]);

const numberCell = fc.oneof(
  fc.constantFrom("", "NA", "1e400"),
  fc.integer({ min: -400, max: 400 }).map((half) => ` ${half / 2}`),
);
const textCell = fc.oneof(
  fc.constantFrom("", "?"),
  fc.integer({ min: 0, max: 40 }).map((at) => `c${at} `),
);
const rowsOf = (minLength: number, labels: readonly string[]) =>
  fc.array(fc.tuple(numberCell, textCell, fc.constantFrom(...labels)), { minLength, maxLength: 120 });

describe("appended rows", () => {
  test("have the levels of a naive lookup in the first file's features, and leave its rows as they were", () => {
    fc.assert(
      fc.property(
        rowsOf(60, ["no", "yes", ""]).map((rows) => [["0.5", "c0", "no"], ["1.5", "c1", "yes"], ...rows]),
        rowsOf(0, ["no", " yes", "NA", "maybe"]),
        fc.constantFrom({}, { caps: smallCaps }),
        fc.integer({ min: 1, max: 50 }),
        (records, others, options, size) => {
          const profile = profileOf(["number", "text", "label"], records, options);
          const alone = buildOf(profile, records);
          const turned = others.map(([number, text, label]) => [label, "extra", text, number]);
          const { table, rows } = join(profile, records, ["label", "more", "text", "number"], turned, size);
          expect(table.features).toEqual(alone.features);
          alone.levels.forEach((levels, at) => {
            expect(table.levels[at]!.subarray(0, alone.rowCount)).toEqual(levels);
          });
          const kept = others.filter(([, , label]) => label === "no" || label === " yes");
          expect(rows.rowCount).toBe(kept.length);
          expect(rows.recordCount).toBe(others.length);
          expect(table.rowCount).toBe(alone.rowCount + kept.length);
          expect([...table.classes.subarray(alone.rowCount)]).toEqual(
            kept.map(([, , label]) => (label === "no" ? 0 : 1)),
          );
          const { values } = table.features[0] as NumberFeature;
          const { names } = table.features[1] as CategoryFeature;
          const levelsOf = (at: number) => [...table.levels[at]!.subarray(alone.rowCount)];
          expect(levelsOf(0)).toEqual(kept.map(([cell]) => nearest(values, cell)));
          expect(levelsOf(1)).toEqual(kept.map(([, cell]) => listed(names, cell)));
        },
      ),
      { numRuns: 150 },
    );
  });

  test("of date parts beyond those of the first file take the nearest", () => {
    const dates = ["2020-03-05", "2022-07-15", "2022-07-15", "2020-03-25"];
    const profile = profileOf(["d", "y"], withLabel(dates));
    const others = withLabel(["2019-01-05", "2030-12-31", "2020-04-14", "never", ""]);
    const { table, warnings } = join(profile, withLabel(dates), ["d", "y"], others);
    const parts = ["year", "month", "day"].map((part) => {
      const at = table.features.findIndex((feature) => feature.part === part);
      const { values } = table.features[at] as NumberFeature;
      return [...table.levels[at]!.subarray(4)].map((level) =>
        level === MISSING_LEVEL ? null : values[level - FIRST_LEVEL]!,
      );
    });
    expect(parts).toEqual([
      [2020, 2022, 2020, null, null],
      [3, 7, 3, null, null],
      [5, 25, 15, null, null],
    ]);
    expect(summary(warnings)).toEqual([["NOT_READ", "d", 5, 1]]);
  });

  test("of categories that are numbers know them written otherwise, as scoring does", () => {
    const records = withLabel(["0", "1", "1", "0"]);
    const { table, warnings } = join(
      profileOf(["c", "y"], records),
      records,
      ["c", "y"],
      withLabel(["1.0", "0", "00", "2"]),
    );
    expect([...table.levels[0]!.subarray(4)]).toEqual([FIRST_LEVEL + 1, FIRST_LEVEL, UNLISTED_LEVEL, UNLISTED_LEVEL]);
    expect(summary(warnings)).toEqual([["UNSEEN_CATEGORY", "c", 4, 2]]);
  });

  test("lie behind the others on the one shared block, one byte a cell where that is enough", () => {
    const records = Array.from({ length: 301 }, (_, at) => [`${at}.5`, `c${at % 3}`, "ab"[at % 2]!]);
    const { table } = join(profileOf(["c", "d", "y"], records), records, ["c", "d", "y"], records.slice(0, 50));
    expect(table.classes.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(new Set([...table.levels, table.classes].map(({ buffer }) => buffer)).size).toBe(1);
    expect(table.classes.buffer.byteLength).toBe(351 * 4);
  });

  test("are refused where there are more or fewer than were counted", () => {
    const records = withLabel(["1", "2", "3"]);
    const profile = profileOf(["c", "y"], records);
    const changed = expect.objectContaining({ code: "FILE_CHANGED" });
    const source = { firstRow: 3, endRow: 5, positions: [0, 1], labelPosition: 1, recordCount: 2 };
    const append = (others: Records) => {
      const filler = new TableFiller(layOutTable(profile, 5), source);
      for (const batch of batchesOf(others)) takeRecords(filler, batch);
      return filler.finish();
    };
    expect(append(records.slice(0, 2))).toEqual([]);
    expect(() => append(records)).toThrow(changed);
    expect(() => append(records.slice(0, 1))).toThrow(changed);
    expect(() =>
      append([
        ["1", "a"],
        ["2", "other"],
      ]),
    ).toThrow(changed);
    expect(() =>
      append([
        ["1", "a"],
        ["2", "b"],
        ["3", ""],
      ]),
    ).toThrow(changed);
  });
});

describe("rows that are left out", () => {
  const profile = profileOf(["c", "y"], withLabel(["1", "2", "3"]));
  const count = (others: Records) => {
    const rows = new LabelledRecords(new ClassCoder(profile), 1, "y");
    for (const batch of batchesOf(others, 2)) takeRecords(rows, batch);
    return rows;
  };

  test("are counted by reason, with the first line", () => {
    const rows = count([
      ["1", "a"],
      ["2", "B "],
      ["3", "NA"],
      ["4", "z"],
      ["5", ""],
      ["6", "b"],
    ]);
    expect([rows.recordCount, rows.rowCount]).toEqual([6, 2]);
    expect(summary(rows.warnings())).toEqual([
      ["ROWS_WITHOUT_LABEL", "y", 4, 2],
      ["UNKNOWN_LABEL", "y", 3, 2],
    ]);
    expect(rows.warnings().map(({ message }) => message)).toEqual([
      '2 rows have no label in column "y", the first in line 4; they are left out.',
      '2 rows have a label in column "y" that TRAIN does not have, the first in line 3 ("B"); they are left out.',
    ]);
    expect(count([["1", "a"]]).warnings()).toEqual([]);
  });

  test("are explained where too few are left", () => {
    const few = (others: Records) => () => count(others).require(2, ["a", "b"]);
    expect(
      few([
        ["1", "a"],
        ["2", "b"],
      ]),
    ).not.toThrow();
    expect(
      few([
        ["1", "a"],
        ["2", ""],
      ]),
    ).toThrow(
      'Only 1 row has a label that TRAIN has; at least 2 are needed. 1 without a label is left out. Add rows with a label in column "y".',
    );
    expect(
      few([
        ["1", "A"],
        ["2", "a"],
      ]),
    ).toThrow('1 with another label is left out, the first in line 2: "A". Did you mean "a"?');
    expect(
      few([
        ["1", "zebra"],
        ["2", "zebra"],
      ]),
    ).toThrow('the first in line 2: "zebra". TRAIN has the labels "a", "b". Add rows');
    expect(few([["1", "zebra"]])).toThrow(expect.objectContaining({ code: "TOO_FEW_ROWS", column: "y", line: 2 }));
  });
});

describe("columns matched by name", () => {
  test("stand anywhere; others are extra", () => {
    const match = matchColumns(["a", "b", "y"], ["y", "x", "b", "a"]);
    expect(match).toEqual({ positions: [3, 2, 0], lacking: [], extra: ["x"] });
    expect(() => requireAll(match, "TRAIN")).not.toThrow();
    expect(matchWarnings(match).map(({ code, message }) => [code, message])).toEqual([
      ["EXTRA_COLUMNS", 'One column that TRAIN does not have is ignored: "x".'],
      ["COLUMN_ORDER", "The columns stand in another order than in TRAIN; they are matched by name."],
    ]);
    expect(matchWarnings(matchColumns(["a", "y"], ["a", "y"]))).toEqual([]);
  });

  test("that are lacking are named, with what was probably meant among the names that are not matched", () => {
    const lacks = (wanted: string[], names: string[]) => () => requireAll(matchColumns(wanted, names), "TRAIN");
    expect(lacks(["age1", "age2", "y"], ["age1", "Age2", "y"])).toThrow(
      'It lacks a column of TRAIN: "age2" (it has "Age2"). Add the column or correct its name. Names must match exactly; their order does not matter.',
    );
    expect(lacks(["age1", "age2", "y"], ["age1", "y"])).toThrow('It lacks a column of TRAIN: "age2". Add');
    const many = Array.from({ length: 12 }, (_, at) => `c${at}`);
    expect(lacks(many, ["y"])).toThrow(
      /lacks 12 of the 12 columns of TRAIN: "c0", .*"c9" and 2 more\. Add the columns/,
    );
    expect(lacks(["a"], ["y"])).toThrow(expect.objectContaining({ code: "COLUMN_MISMATCH", column: "a" }));
  });

  test("may have any names", () => {
    const { positions } = matchColumns(["__proto__", "constructor"], ["constructor", "__proto__"]);
    expect(positions).toEqual([1, 0]);
  });
});

function nearest(values: Float64Array, cell: string): number {
  const value = Number(cell);
  if (["", "NA"].includes(cell) || !Number.isFinite(value)) return MISSING_LEVEL;
  let best = 0;
  values.forEach((candidate, at) => {
    if (Math.abs(candidate - value) < Math.abs(values[best]! - value)) best = at;
  });
  return FIRST_LEVEL + best;
}

function listed(names: readonly string[], cell: string): number {
  if (["", "?"].includes(cell)) return MISSING_LEVEL;
  const at = names.indexOf(cell.trim());
  return at < 0 ? UNLISTED_LEVEL : FIRST_LEVEL + at;
}
