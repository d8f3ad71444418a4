// Dates: the calendar against Date.UTC, every accepted form, and what is no date.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  DATE_FORMS,
  DATE_PARTS,
  type DateForm,
  type DateOrder,
  dateBit,
  datePart,
  fittingDates,
  packDate,
  rewriteDate,
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
  ])("%p as %s", (text, order, hour) => {
    expect(readDate(text, { order })).toEqual({ year: 2024, month: 2, day: 29, weekday: 3, hour });
  });
});

test("a month is its first day", () => {
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
    ["2024-2-9", "ymd"],
    ["20240229", "ymd"],
    ["2024-13", "ymd"],
    ["2024-00", "ymd"],
    ["2024-5", "ymd"],
    ["2024/05", "ymd"],
    ["4711-03", "ymd"],
    ["2100-03", "ymd"],
    ["05-2024", "dmy"],
    ["2024-02-29T24:00", "ymd"],
    ["2024-02-29T05:60", "ymd"],
    ["2024-02-29T05", "ymd"],
    ["2024-02-29x", "ymd"],
    ["2024-02-29 ", "ymd"],
    ["", "ymd"],
    ["29/02/24", "dmy"],
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
      for (const form of DATE_FORMS) {
        const other = rewriteDate(text, { order: "ymd" }, form)!;
        expect(packDate(other, form)).toBe(packDate(text, { order: "ymd" }));
        expect(rewriteDate(other, form, { order: "ymd" })).toBe(text);
        expect(fittingDates(other) & dateBit(form)).toBe(dateBit(form));
      }
    }),
  );
});

test.each<[string, DateOrder, DateOrder, string | null]>([
  ["2024-12-31T23:59:60Z", "ymd", "dmy", "31/12/2024 23:59"],
  ["2024-12-31T07:05:09,5+01:00", "ymd", "mdy", "12/31/2024 07:05:09.5"],
  ["1.2.2024 3:04 PM", "dmy", "ymd", "2024-02-01 15:04"],
  ["12/31/2024", "dmy", "ymd", null],
])("%p from %s to %s", (text, from, to, expected) => {
  expect(rewriteDate(text, { order: from }, { order: to })).toBe(expected);
});
