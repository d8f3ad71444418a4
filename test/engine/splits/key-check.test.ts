// Times that are no basis for judging: the refusal says on which side the fault is.
import { describe, expect, test } from "bun:test";
import { InputError } from "../../../engine/input-error.ts";
import { requireUsableKeys } from "../../../engine/splits/key-check.ts";

const ROWS = 1000;
const OPEN = 99_999_999;

function refusalOf(timeOf: (row: number) => number, classOf: (row: number) => number): string {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  const table = { classes: Uint8Array.from(rows, classOf), labels: ["churn", "stay", "moved"], rowCount: ROWS };
  const keys = { groups: null, times: Float64Array.from(rows, timeOf) };
  try {
    requireUsableKeys(table, keys, 0, { group: null, time: "end" });
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

  test("a label that begins half way is told with how many older rows lack it", () => {
    const begins = (first: number) => (row: number) => (row >= first && row % 3 === 0 ? 2 : inTurn(row));
    expect(refusalOf((row) => row, begins(490))).toBe("");
    expect(refusalOf((row) => row, begins(510))).toStartWith(
      'The label "moved" is in newer rows by column "end", but in none of the 500 older rows that a model',
    );
    expect(refusalOf((row) => row, begins(810))).toContain("in none of the 800 older rows");
  });
});
