// Times that are no basis for judging: the refusal says on which side the fault is.
import { describe, expect, test } from "bun:test";
import { InputError } from "../../../engine/input-error.ts";
import { checkKeys } from "../../../engine/splits/key-check.ts";

const ROWS = 1000;
const OPEN = 99_999_999;

function check(timeOf: (row: number) => number, classOf: (row: number) => number) {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  const table = { classes: Uint8Array.from(rows, classOf), labels: ["churn", "stay", "moved"], rowCount: ROWS };
  const keys = { groups: null, times: Float64Array.from(rows, timeOf) };
  return checkKeys(table, keys, 0, { group: null, time: "end" });
}

function refusalOf(timeOf: (row: number) => number, classOf: (row: number) => number): string {
  try {
    expect(check(timeOf, classOf)).toEqual([]);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).code).toBe("UNUSABLE_TIME");
    return (error as InputError).message;
  }
  return "";
}

const inTurn = (row: number) => row % 2;

describe("by time", () => {
  test("sound rows are taken, also where a tenth has the newest time", () => {
    expect(refusalOf((row) => row, inTurn)).toBe("");
    expect(refusalOf((row) => (row < 100 ? OPEN : row), inTurn)).toBe("");
  });

  test("too many rows of the newest time are told", () => {
    const message = refusalOf(
      (row) => (row < 250 ? OPEN : row),
      (row) => (row < 250 ? 1 : inTurn(row)),
    );
    expect(message).toStartWith('By column "end" 250 of 1000 rows have one and the same time, among the newest,');
    expect(message).not.toContain("one label");
  });

  test("of another late time too, whatever is newer", () => {
    const message = refusalOf((row) => (row < 50 ? OPEN + row : row < 300 ? OPEN : row), inTurn);
    expect(message).toStartWith('By column "end" 251 of 1000 rows have one and the same time, among the newest,');
  });

  test("and too many of the oldest", () => {
    const message = refusalOf((row) => (row < 600 ? -OPEN : row), inTurn);
    expect(message).toStartWith('By column "end" 600 of 1000 rows have one and the same time, the oldest,');
  });

  test("one label of the older rows is told as before", () => {
    const message = refusalOf(
      (row) => row,
      (row) => (row < 850 ? 1 : inTurn(row)),
    );
    expect(message).toContain("the older rows hold one label only");
  });

  test("labels that begin half way are told with how many rows have them, and how many older ones do not", () => {
    const begins = (first: number, label: number) => (row: number) =>
      row >= first && row % 3 === 0 ? label : inTurn(row);
    expect(check((row) => row, begins(490, 2))).toEqual([]);
    const told = (first: number) => check((row) => row, begins(first, 2)).map(({ message }) => message);
    expect(told(510)).toEqual([
      'The label "moved" begins late by column "end": 33 of 100 newer rows have it, and none of the 500 older rows that ' +
        "teach the models which these rows judge. There they count as wrong; the kept models learn it from all rows.",
    ]);
    expect(told(810)[0]).toContain("64 of 200 newer rows have it, and none of the 800 older rows");
  });

  test("several late labels are one warning", () => {
    const classOf = (row: number) => (row >= 900 ? 2 + (row % 2) : inTurn(row));
    const rows = Array.from({ length: ROWS }, (_, row) => row);
    const table = {
      classes: Uint8Array.from(rows, classOf),
      labels: ["churn", "stay", "moved", "sold"],
      rowCount: ROWS,
    };
    const keys = { groups: null, times: Float64Array.from(rows) };
    expect(checkKeys(table, keys, 0, { group: null, time: "end" })).toMatchObject([
      {
        code: "LATE_LABEL",
        column: "end",
        count: 100,
        message: expect.stringContaining(
          'The labels "moved", "sold" begin late by column "end": 100 of 200 newer rows',
        ),
      },
    ]);
  });
});
