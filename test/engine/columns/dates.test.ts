// Dates: the calendar against Date.UTC, every accepted form, and what is no date.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  DATE_PARTS,
  DAY_FIRST,
  type DateForm,
  type DateOrder,
  dateBit,
  datePart,
  fittingDates,
  MONTH_FIRST,
  packDate,
  rewriteDate,
  YEAR_FIRST,
} from "../../../engine/columns/dates.ts";

const NONE = Number.NaN;

/** The parts of a date by name; null where the text is no date. */
function readDate(text: string, form: DateForm): Record<string, number> | null {
  const date = packDate(text, form);
  return date < 0 ? null : Object.fromEntries(DATE_PARTS.map((part) => [part, datePart(date, part)]));
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

test("every real day has the weekday that Date.UTC gives, in all three orders", () => {
  const days = fc.integer({ min: Date.UTC(-1, 0, 1) / 86_400_000, max: Date.UTC(9999, 11, 31) / 86_400_000 });
  fc.assert(
    fc.property(days, (dayNumber) => {
      const utc = new Date(dayNumber * 86_400_000);
      const year = utc.getUTCFullYear();
      if (year < 0) return;
      const month = utc.getUTCMonth() + 1;
      const day = utc.getUTCDate();
      const expected = { year, month, day, weekday: (utc.getUTCDay() + 6) % 7, hour: NONE };
      expect(readDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`, { order: "ymd" })).toEqual(expected);
      expect(readDate(`${day}/${month}/${pad(year, 4)}`, { order: "dmy" })).toEqual(expected);
      expect(readDate(`${pad(month, 2)}.${pad(day, 2)}.${pad(year, 4)}`, { order: "mdy" })).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test("a day is accepted exactly when the calendar has it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 }), (year, month, day) => {
      const utc = new Date(Date.UTC(year, month - 1, day));
      const exists = utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day && utc.getUTCFullYear() === year;
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
      expect(readDate(text, { order: "ymd" }) !== null).toBe(exists);
    }),
    { numRuns: 1000 },
  );
});

describe("accepted, with the hour as written", () => {
  test.each<[string, DateOrder, number]>([
    ["2024-02-29", "ymd", NONE],
    ["2024-02-29T05:06", "ymd", 5],
    ["2024-02-29 23:59:60", "ymd", 23],
    ["2024-02-29T00:00:00.123Z", "ymd", 0],
    ["2024-02-29T05:06:07,5+02:00", "ymd", 5],
    ["2024-02-29T05:06-0330", "ymd", 5],
    ["2024-02-29T05:06+02", "ymd", 5],
    ["29/02/2024", "dmy", NONE],
    ["29-2-2024 7:30", "dmy", 7],
    ["29.02.2024 07:30:15.5", "dmy", 7],
    ["2/29/2024 12:05 AM", "mdy", 0],
    ["2/29/2024 12:05 PM", "mdy", 12],
    ["2/29/2024 1:05:09pm", "mdy", 13],
    ["2/29/2024, 1:05:09 p.m.", "mdy", 13],
    ["2024/2/29", "ymd", NONE],
    ["2024.02.29 5:06", "ymd", 5],
    ["20240229", "ymd", NONE],
    ["20240229T050607Z", "ymd", 5],
    ["20240229050607", "ymd", 5],
    ["20240229 05:06", "ymd", 5],
    ["2024-Feb-29", "ymd", NONE],
    ["29/02/24", "dmy", NONE],
    ["29-FEB-24", "dmy", NONE],
    ["29-FEB-24 02.15.00.000000 PM", "dmy", 14],
    ["29FEB2024:14:05:00", "dmy", 14],
    ["29/Feb/2024:14:05:00 +0000", "dmy", 14],
    ["29. Februar 2024", "dmy", NONE],
    ["29 févr. 2024", "dmy", NONE],
    ["29 de febrero de 2024", "dmy", NONE],
    ["Thu, 29 Feb 2024 10:11:12 GMT", "dmy", 10],
    ["2024/02/29 10:11:12 PM GMT+1", "ymd", 22],
    ["29 Feb 2024 9:11 UTC-09:30", "dmy", 9],
    ["Do. 29.02.2024", "dmy", NONE],
    ["Feb 29, 2024", "mdy", NONE],
    ["February 29th, 2024 14h05", "mdy", 14],
    ["Feb 29 2024  2:05PM", "mdy", 14],
    ["Thursday, February 29, 2024", "mdy", NONE],
    ["1709208060", "unix", 12],
    ["1709208060.5", "unix", 12],
    ["1709208060123", "unix", 12],
    ["1.70920806e9", "unix", 12],
  ])("%p as %s", (text, order, hour) => {
    expect(readDate(text, { order })).toEqual({ year: 2024, month: 2, day: 29, weekday: 3, hour });
  });
});

test.each([
  ["01.01.29", 2029],
  ["01.01.30", 1930],
  ["1-Jan-99", 1999],
])("%s is in %p: years of two digits turn at 30", (text, year) => {
  expect(readDate(text, DAY_FIRST)).toMatchObject({ year, month: 1, day: 1 });
});

test("every time since 1970 is the day and hour that Date gives, in seconds and in milliseconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e9, max: 2 ** 31 }), (seconds) => {
      const utc = new Date(1000 * seconds);
      const expected = { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, day: utc.getUTCDate() };
      for (const text of [String(seconds), `${seconds}000`]) {
        expect(readDate(text, { order: "unix" })).toMatchObject({ ...expected, hour: utc.getUTCHours() });
      }
    }),
  );
});

test("the names of months in seven languages", () => {
  const day = { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" } as const;
  for (const language of ["en-GB", "de", "fr", "es", "it", "pt", "nl"]) {
    for (const month of ["long", "short"] as const) {
      const written = new Intl.DateTimeFormat(language, { ...day, month });
      for (let at = 0; at < 12; at++) {
        const text = written.format(Date.UTC(2024, at, 29));
        expect([text, readDate(text, DAY_FIRST)?.["month"]]).toEqual([text, at + 1]);
      }
    }
  }
});

test("a month is its first day", () => {
  expect(readDate("5/2024", DAY_FIRST)).toMatchObject({ year: 2024, month: 5, day: 1 });
  expect(readDate("Feb 2024", DAY_FIRST)).toMatchObject({ year: 2024, month: 2, day: 1 });
  expect(readDate("2024-05", { order: "ymd" })).toEqual({ year: 2024, month: 5, day: 1, weekday: 2, hour: NONE });
  expect(rewriteDate("2024-05", { order: "ymd" }, { order: "dmy" })).toBe("01/05/2024");
});

describe("refused", () => {
  test.each<[string, DateOrder]>([
    ["2023-02-29", "ymd"],
    ["1900-02-29", "ymd"],
    ["2024-02-30", "ymd"],
    ["2024-13-01", "ymd"],
    ["2024-00-10", "ymd"],
    ["2024-2.9", "ymd"],
    ["20230229", "ymd"],
    ["18240229", "ymd"],
    ["202402290", "ymd"],
    ["20240229 1405", "ymd"],
    ["20240229240000", "ymd"],
    ["2024-13", "ymd"],
    ["2024-00", "ymd"],
    ["2024-5", "ymd"],
    ["2024/05", "ymd"],
    ["4711-03", "ymd"],
    ["2100-03", "ymd"],
    ["13-2024", "dmy"],
    ["05/24", "dmy"],
    ["2024-02-29T24:00", "ymd"],
    ["2024-02-29T05:60", "ymd"],
    ["2024-02-29T05", "ymd"],
    ["2024-02-29x", "ymd"],
    ["2024-02-29 ", "ymd"],
    ["", "ymd"],
    ["29/02/124", "dmy"],
    ["29-Feb-124", "dmy"],
    ["29-Fab-2024", "dmy"],
    ["Marker 1042", "dmy"],
    ["Out 5874", "dmy"],
    ["7.4.33", "dmy"],
    ["15-5-20", "dmy"],
    ["3/1800", "dmy"],
    ["Version 8.5.2015", "dmy"],
    ["4385-6-1", "ymd"],
    ["30-Feb-2024", "dmy"],
    ["Feb 29", "mdy"],
    ["Feb 29, 2024", "dmy"],
    ["29 Feb 2024", "mdy"],
    ["by 29 February in 2024", "dmy"],
    ["999999999", "unix"],
    ["2147483649", "unix"],
    ["2024-02-29", "unix"],
    ["29/02-2024", "dmy"],
    ["31/04/2024", "dmy"],
    ["29/02/2024", "mdy"],
    ["29/02/2024 25:00", "dmy"],
    ["29/02/2024 13:00 PM", "dmy"],
    ["29/02/2024 0:00 AM", "dmy"],
    ["1.234.5678901", "dmy"],
    ["/1/2024", "dmy"],
  ])("%p as %s", (text, order) => {
    expect(readDate(text, { order })).toBeNull();
  });
});

test("a date in another form is the same date, and back", () => {
  const times = ["", " 07:05", " 23:59:58", " 00:00:00.25"];
  const date = fc.record({ year: fc.integer({ min: 0, max: 9999 }), month: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 28 }), fc.constantFrom(...times), ({ year, month }, day, time) => {
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}${time}`;
      for (const form of [YEAR_FIRST, DAY_FIRST, MONTH_FIRST]) {
        const other = rewriteDate(text, { order: "ymd" }, form)!;
        expect(packDate(other, form)).toBe(packDate(text, { order: "ymd" }));
        expect(rewriteDate(other, form, { order: "ymd" })).toBe(text);
        expect(fittingDates(other) & dateBit(form)).toBe(dateBit(form));
      }
    }),
  );
});

test.each<[string, DateOrder, DateOrder, string | null]>([
  ["2024-12-31T23:59:60Z", "ymd", "dmy", "31/12/2024 23:59:60"],
  ["2024-12-31T07:05:09,5+01:00", "ymd", "mdy", "12/31/2024 07:05:09.5"],
  ["1.2.2024 3:04 PM", "dmy", "ymd", "2024-02-01 15:04"],
  ["12/31/2024", "dmy", "ymd", null],
  ["31-Dec-24", "dmy", "ymd", "2024-12-31"],
  ["2024-12-31 07:05:09.5", "ymd", "unix", "1735628709.5"],
  ["1735628709.5", "unix", "ymd", "2024-12-31 07:05:09.500"],
  ["31.12.2024", "dmy", "unix", "1735603200"],
])("%p from %s to %s", (text, from, to, expected) => {
  expect(rewriteDate(text, { order: from }, { order: to })).toBe(expected);
});
