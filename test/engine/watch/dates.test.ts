// Dates of a new file beside those of the training rows: later ones are told, and many earlier ones an alarm.
import { describe, expect, test } from "bun:test";
import { type ModelFile, packModel, unpackModel } from "../../../engine/model/model-file.ts";
import { areSoundCounts } from "../../../engine/model/reference-check.ts";
import type { ReferenceColumn } from "../../../engine/model/reference-counts.ts";
import { countTable } from "../../../engine/watch/count-table.ts";
import { hasAlarm, watchReport } from "../../../engine/watch/watch-report.ts";
import { columnWords } from "../../../src/words/watch-words.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { scoreText } from "../../support/scored-text.ts";
import { everyRow } from "../../support/tables.ts";
import { firstLabelModel } from "./first-label-model.ts";

function read(dates: readonly string[], name = "when") {
  return readCsvText([`${name},y`, ...dates.map((date, row) => `${date},${row % 2 === 0 ? "yes" : "no"}`)].join("\n"));
}

/** A model that always answers the first label. */
function modelOf(
  dates: readonly string[],
  change: (column: ReferenceColumn) => ReferenceColumn = (own) => own,
  name = "when",
) {
  const { table, columns } = read(dates, name);
  const [{ kind, reading }] = columns as [(typeof columns)[number]];
  const file = firstLabelModel(table, [{ name, kind, reading, missingCount: 1 }] as ModelFile["columns"], 20);
  return unpackModel(packModel({ ...file, reference: file.reference!.map(change) }));
}

function report(file: ModelFile, dates: readonly string[]) {
  const { result } = scoreText(file, [file.columns[0]!.name, ...dates, ""].join("\n"));
  return watchReport(file, result.scorer.counts!.scored(), null);
}

/** `count` days from a first one on. */
function daysFrom(first: string, count: number, write = (day: Date) => day.toISOString().slice(0, 10)): string[] {
  return Array.from({ length: count }, (_, at) => write(new Date(Date.parse(`${first}Z`) + at * 86_400_000)));
}

const german = (day: Date) => `${day.toISOString().slice(0, 10).split("-").toReversed().join(".")} 23:59`;

describe("the range of the training's dates", () => {
  test.each<[string, string[], object | undefined]>([
    ["several years", daysFrom("2023-07-01", 500), { from: "2023-07-01", to: "2024-11-11" }],
    ["one year, which is no feature", daysFrom("2024-01-31", 200), { from: "2024-01-31", to: "2024-08-17" }],
    ["one month, which is no feature either", daysFrom("2024-02-01", 29), { from: "2024-02-01", to: "2024-02-29" }],
    ["the day first, with times", daysFrom("2023-12-20", 40, german), { from: "2023-12-20", to: "2024-01-28" }],
    ["gaps", ["", ...daysFrom("0999-12-20", 40)], { from: "0999-12-20", to: "1000-01-28" }],
  ])("is known: %s", (_, dates, range) => {
    const { table } = read(dates);
    const missing = dates.filter((date) => date === "").length;
    expect(countTable(table, everyRow(table))).toEqual([
      { kind: "date", range, counts: [dates.length - missing], missing } as ReferenceColumn,
    ]);
  });

  test("is that of the rows that are counted", () => {
    const { table } = read(daysFrom("2023-07-01", 500));
    expect(countTable(table, Uint32Array.of(5, 3, 9))).toMatchObject([
      { range: { from: "2023-07-04", to: "2023-07-10" } },
    ]);
  });

  test("must be two days", () => {
    const { reference, columns, labels } = modelOf(daysFrom("2024-01-01", 60));
    const isSound = (range: unknown) =>
      areSoundCounts({ reference: [{ ...reference![0]!, range } as ReferenceColumn], columns, labels }, []);
    expect(isSound({ from: "2024-01-01", to: "2024-02-29" })).toBeTrue();
    expect(isSound(undefined)).toBeTrue();
    for (const range of [null, {}, { from: "2024-01-01", to: "2024-02-30" }, { from: 1, to: 2 }])
      expect(isSound(range)).toBeFalse();
  });
});

describe("a file's dates", () => {
  const file = modelOf(daysFrom("2023-07-01", 500));

  test("are as in training within the range, to the last hour of its last day", () => {
    const { columns } = report(file, [...daysFrom("2023-07-01", 20), "2024-11-11 23:59"]);
    expect(columns).toMatchObject([{ verdict: "ALIKE", dates: { earlier: 0, later: 0 } }]);
  });

  test("are told beyond it, without an alarm", () => {
    const told = report(file, [...daysFrom("2024-11-12", 15), "2023-06-30", ...daysFrom("2024-01-01", 4)]);
    const dates = { from: "2023-07-01", to: "2024-11-11", earlier: 0.05, later: 0.75 };
    expect(told.columns).toMatchObject([{ verdict: "ALIKE", dates }]);
    expect(hasAlarm(told)).toBeFalse();
  });

  test("are an alarm where many are earlier, as where 1970 stands for none", () => {
    const told = report(file, [...daysFrom("2024-11-12", 90), ...new Array<string>(10).fill("1970-01-01")]);
    expect(told.columns).toMatchObject([{ verdict: "SHIFTED", dates: { earlier: 0.1, later: 0.9 } }]);
    expect(columnWords(told.columns![0]!)).toContain("10.0% are earlier than 2023-07-01, the earliest in training");
  });

  describe("of a model that learned from the hour", () => {
    const HOURS = daysFrom("2023-07-01", 480).map((day, at) => `${day} ${String(at % 24).padStart(2, "0")}:30`);
    const timed = modelOf(HOURS);
    const timesOf = (model: ModelFile, dates: readonly string[]) => {
      const told = report(model, dates);
      expect(hasAlarm(told)).toBeFalse();
      return told.columns!.map(({ oneTime }) => oneTime);
    };

    test("are as in training where they have several times", () => {
      expect(timesOf(timed, HOURS.slice(0, 24))).toEqual([null]);
      expect(timesOf(timed, [...daysFrom("2023-07-01", 20), "2023-07-30 05:00"])).toEqual([null]);
      expect(report(timed, [..."??????????"]).columns).toMatchObject([{ oneTime: null }]);
    });

    test.each([
      [" 00:00:00", { from: 0, to: 2 }],
      [" 23:59", { from: 21, to: 23 }],
      ["", null],
    ])("are told where all have the time %p", (time, hours) => {
      const dates = daysFrom("2023-07-01", 30).map((day) => `${day}${time}`);
      expect(timesOf(timed, [...dates, "?"])).toEqual([{ hours }]);
    });

    test("are not told of nine rows", () => {
      expect(timesOf(timed, daysFrom("2023-07-01", 9))).toEqual([undefined]);
    });

    test("are told only where the model knows more hours than these", () => {
      const dates = HOURS.map((date, at) => date.replace(/ \d\d/, ` ${String(9 + (at % 3)).padStart(2, "0")}`));
      expect(timesOf(modelOf(dates), dates)).toEqual([null]);
      expect(timesOf(file, dates)).toEqual([null]);
    });
  });

  test("are counted as filled by models of earlier versions", () => {
    const earlier = modelOf(daysFrom("2023-07-01", 500), (column) => {
      const { range: _, ...others } = column as Extract<ReferenceColumn, { kind: "date" }>;
      return others;
    });
    const { columns } = report(earlier, [...daysFrom("2025-01-01", 20), ..."??????"]);
    expect(columns).toMatchObject([{ verdict: "SHIFTED", missing: { trained: 0, file: 6 / 26 }, dates: null }]);
  });
});

describe("a file's Unix times", () => {
  /** Every half an hour, as text. */
  const halfHours = (from: string, count: number, write: (seconds: number) => string) =>
    Array.from({ length: count }, (_, at) => write(Date.parse(`${from}Z`) / 1000 + 1800.25 * at));
  const writings: [string, (seconds: number) => string][] = [
    ["seconds", (seconds) => String(Math.round(seconds))],
    ["seconds with decimals", (seconds) => seconds.toFixed(3)],
    ["milliseconds", (seconds) => String(Math.round(1000 * seconds))],
  ];

  describe.each(writings)("in %s", (_, write) => {
    const file = modelOf(halfHours("2025-03-01", 900, write));
    const reported = (from: string) => report(file, halfHours(from, 200, write));

    test("are told as later dates, without an alarm", () => {
      const told = reported("2025-03-17");
      const dates = { from: "2025-03-01", to: "2025-03-19", earlier: 0 };
      expect(told.columns).toMatchObject([{ kind: "date", verdict: "ALIKE", dates }]);
      expect(told.columns![0]!.dates!.later).toBe(0.28);
      expect(columnWords(told.columns![0]!)).toEndWith("are later than 2025-03-19, the latest in training");
      expect(reported("2026-01-01").columns).toMatchObject([{ verdict: "ALIKE", dates: { later: 1 } }]);
    });

    test.each(writings)("are as in training within its range, if the file counts %s", (_, other) => {
      const told = report(file, halfHours("2025-03-03", 50, other));
      expect(told.columns).toMatchObject([{ verdict: "ALIKE", dates: { earlier: 0, later: 0 } }]);
    });

    test("raise an alarm where they are missing", () => {
      const half = halfHours("2025-04-01", 100, write);
      expect(hasAlarm(report(file, [...half, ...half.map(() => "?")]))).toBeTrue();
    });
  });

  test("are told as dates too where they are not read as such, but for another unit", () => {
    const seconds = (from: string) => halfHours(from, 900, (at) => String(Math.round(at)));
    const file = modelOf(seconds("2025-03-01"), undefined, "ride");
    expect(report(file, seconds("2026-01-01")).columns).toMatchObject([
      { kind: "number", verdict: "ALIKE", dates: { from: "2025-03-01", later: 1 } },
    ]);
    const milliseconds = seconds("2026-01-01").map((at) => `${at}000`);
    expect(hasAlarm(report(file, milliseconds))).toBeTrue();
    expect(hasAlarm(report(file, seconds("2025-01-01")))).toBeTrue();
  });

  test("are no other numbers: these raise an alarm", () => {
    const far = Array.from({ length: 500 }, (_, at) => String(1_100_000_000 + 1_500_000 * at));
    const few = Array.from({ length: 500 }, (_, at) => String(1_750_000_000 + 100 * (at % 4)));
    const counter = Array.from({ length: 500 }, (_, at) => String(500_000_000 + 7 * at));
    for (const values of [far, few, counter]) {
      const told = report(
        modelOf(values, undefined, "ride"),
        Array.from({ length: 50 }, (_, at) => String(1_900_000_000 + 9 * at)),
      );
      expect(told.columns).toMatchObject([{ verdict: "SHIFTED", dates: null }]);
    }
  });
});
