// Differences of columns: which are learned from, their values beside the naive subtraction, and scoring as in training.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { secondsOf, YEAR_FIRST } from "../../../engine/columns/dates.ts";
import { withDifferences } from "../../../engine/differences/differences.ts";
import { Random } from "../../../engine/random.ts";
import { CellCoder } from "../../../engine/scoring/cell-coder.ts";
import { codeTable, fitBuckets, newCodes } from "../../../engine/table/buckets.ts";
import {
  DIFFERENCE_PART,
  FIRST_LEVEL,
  type NumberFeature,
  type Table,
  withoutPart,
} from "../../../engine/table/table.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { differenceModel, differenceRows } from "../../support/difference-models.ts";
import { everyRow } from "../../support/tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";

const HOUR = 3_600_000;

/** `cells`: of a row with this label. */
function csvOf(columns: string, rowCount: number, cells: (isLong: boolean, random: Random) => unknown[], seed = 1) {
  const random = new Random(seed);
  const lines = Array.from({ length: rowCount }, () => {
    const isLong = random.nextBelow(2) === 0;
    return [...cells(isLong, random), isLong ? "yes" : "no"].join(",");
  });
  return `${columns},label\n${lines.join("\n")}\n`;
}

/** The time of an hour of two years, and one that is some hours later. */
function times(random: Random, hoursLater: number): [string, string] {
  const from = Date.UTC(2024, 0, 1) + random.nextBelow(2 * 8_766) * HOUR + random.nextBelow(HOUR);
  return [new Date(from).toISOString().slice(0, 19), new Date(from + hoursLater * HOUR).toISOString().slice(0, 19)];
}

function differencesOf({ features }: Table): NumberFeature[] {
  return features.filter((feature) => feature.kind === "number" && feature.minus !== undefined) as NumberFeature[];
}

/** The values of a feature by row; NaN where it is missing. */
function valuesOf(table: Table, feature: NumberFeature): number[] {
  const levels = table.levels[table.features.indexOf(feature)]!;
  return Array.from(levels, (level) => feature.values[level - FIRST_LEVEL] ?? Number.NaN);
}

describe("a difference of two columns", () => {
  test("is learned from where two dates, or a number and its near copy, tell the label by it", () => {
    const cells = (isLong: boolean, random: Random) => {
      const [before, used] = [random.nextBelow(100_000), (isLong ? 60 : 0) + random.nextBelow(100)];
      return [
        ...times(random, (isLong ? 5 : 0) + 10 * random.nextFloat()),
        before,
        random.nextBelow(50),
        before + used,
      ];
    };
    const { table } = readCsvText(csvOf("admitted,left,before,other,after", 400, cells));
    const found = differencesOf(table).map(({ name, column, minus }) => ({ name, column, minus }));
    expect(found).toEqual([
      { name: "left - admitted", column: 1, minus: 0 },
      { name: "after - before", column: 4, minus: 2 },
    ]);
  });

  test("is left out where it tells nothing beyond its columns", () => {
    const cells = (isLong: boolean, random: Random) => {
      const first = random.nextBelow(500) + (isLong ? 250 : 0);
      return [...times(random, 10 * random.nextFloat()), first, first + random.nextBelow(40)];
    };
    const counts = Array.from({ length: 20 }, (_, seed) => {
      const { table } = readCsvText(csvOf("admitted,left,first,second", 300, cells, seed));
      return differencesOf(table).length;
    });
    expect(counts).toEqual(counts.map(() => 0));
  });

  test("is the naive one, to the second and without the noise of the subtraction", () => {
    const cells = (isLong: boolean, random: Random) => {
      const first = random.nextBelow(1_000) / 10;
      const second = (first + 0.1 + (isLong ? 0.1 : 0)).toFixed(1);
      const dates: string[] = times(random, (isLong ? 1 : 0) + 2 * random.nextFloat());
      if (random.nextBelow(10) === 0) dates[random.nextBelow(2)] = "";
      return [...dates, first, second];
    };
    const csv = csvOf("begun,ended,first,second", 500, cells);
    const { table } = readCsvText(csv);
    const [took, step] = differencesOf(table);
    expect([...step!.values].map((value) => value.toFixed(6))).toEqual(["0.100000", "0.200000"]);
    const records = csv.trim().split("\n").slice(1);
    const naive = records.map((record) => {
      const [begun, ended] = record.split(",").map((text) => Date.parse(`${text}Z`));
      return (ended! - begun!) / 1_000;
    });
    expect(valuesOf(table, took!)).toEqual(naive);
  });

  test("is chosen by the first rows alone, those of TRAIN", () => {
    const readings = (used: number, random: Random) => {
      const before = random.nextBelow(100_000);
      return [before, before + used];
    };
    const noise = csvOf("before,after", 300, (_, random) => readings(random.nextBelow(9), random));
    const telling = csvOf("before,after", 300, (isLong, random) => readings(isLong ? 9 : 5, random));
    const table = withoutPart(
      readCsvText(`${noise}${telling.slice(telling.indexOf("\n") + 1)}`).table,
      DIFFERENCE_PART,
    );
    const countBy = (rowCount: number) => differencesOf(withDifferences(table, rowCount, ["a", "b", "c"])).length;
    expect([countBy(300), countBy(600)]).toEqual([0, 1]);
  });

  test("has the codes of training when the same rows are scored", () => {
    const cells = (isLong: boolean, random: Random) => {
      const [begun, ended] = times(random, (isLong ? 5 : 0) + 10 * random.nextFloat());
      const before = random.nextBelow(100_000);
      return [
        random.nextBelow(20) === 0 ? "" : begun,
        ended,
        before,
        before + (isLong ? 60 : 0) + random.nextBelow(100),
      ];
    };
    const csv = csvOf("begun,ended,before,after", 400, cells);
    const source = readCsvText(csv);
    const view = codeTable(source.table, fitBuckets(source.table, everyRow(source.table), 20));
    const file = fileOf(source, FOREST);
    const records = csv.trim().split("\n").slice(1);
    const codes = view.features.map(({ codeCount }) => newCodes(codeCount, records.length));
    const coder = new CellCoder(file, [0, 1, 2, 3]);
    coder.codeRecords(
      records.map((record) => record.split(",")),
      codes,
      0,
    );
    expect(file.features.map(({ part }) => part).slice(-2)).toEqual(["difference", "difference"]);
    expect(codes).toEqual(view.features.map((feature) => feature.codes as (typeof codes)[number]));
  });

  test("has the same codes whether rows are scored together or one by one", () => {
    const file = differenceModel();
    const rows = differenceRows(200);
    const positions = [...file.columns.keys()];
    const codesOf = (blocks: readonly string[][][]) => {
      const codes = file.features.map(({ codeCount }) => newCodes(codeCount, rows.length));
      const coder = new CellCoder(file, positions);
      let at = 0;
      for (const block of blocks) {
        coder.codeRecords(block, codes, at);
        at += block.length;
      }
      return codes;
    };
    expect(codesOf(rows.map((row) => [row]))).toEqual(codesOf([rows]));
  });
});

test("a date in seconds is the time that it writes", () => {
  const moment = fc.integer({ min: Date.UTC(1000, 0, 1) / 1_000, max: Date.UTC(9999, 11, 31) / 1_000 });
  fc.assert(
    fc.property(moment, (seconds) => {
      expect(secondsOf(new Date(seconds * 1_000).toISOString(), YEAR_FIRST)).toBe(seconds);
    }),
  );
});
