// Parts of the client for TypeScript: its CSV, its problems, its patience.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import Papa from "papaparse";
import { formatRecord } from "../../../engine/csv/write.ts";
import { CsvReader, csvOf, jsonCell, resultDelimiter } from "../../../src/clients/typescript/csv.ts";
import { unusedName } from "../../../src/clients/typescript/dataset.ts";
import { only } from "../../../src/clients/typescript/options.ts";
import { CupelProblem, ownProblem, problemOf } from "../../../src/clients/typescript/problem.ts";
import { persistently, wait } from "../../../src/clients/typescript/retry.ts";

const CELL = fc.string({ unit: fc.constantFrom(...'ab ,;\t|"\r\n', "é", "\u{1f600}", "0", ".") });
const DELIMITER = fc.constantFrom(",", ";", "\t", "|");

describe("CSV", () => {
  test("of rows is what a parser makes those rows of", () => {
    const names = fc.uniqueArray(CELL, { minLength: 1, maxLength: 4, selector: (name) => name });
    const tables = names.chain((columns) =>
      fc.array(fc.record(Object.fromEntries(columns.map((name) => [name, CELL]))), { minLength: 1, maxLength: 5 }),
    );
    fc.assert(
      fc.property(tables, (rows) => {
        const { data } = Papa.parse<string[]>(csvOf(rows), { delimiter: ",", newline: "\n" });
        const columns = Object.keys(rows[0]!);
        expect(data.slice(0, -1)).toEqual([columns, ...rows.map((row) => columns.map((name) => row[name]!))]);
      }),
    );
  });

  test("is read in whatever pieces it comes", () => {
    const records = fc.array(fc.array(CELL, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const ends = fc.constantFrom("\n" as const, "\r\n" as const);
    fc.assert(
      fc.property(records, DELIMITER, ends, fc.array(fc.nat(40)), (cells, delimiter, lineEnding, cuts) => {
        const text = cells.map((record) => formatRecord(record, { delimiter, lineEnding })).join("");
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((place, at) => text.slice(place, places[at] ?? text.length));
        // Pieces that are large enough are cut at once; these are made so by a cell in front.
        const filler = `"${"x".repeat(20_000)}"${delimiter}y\n`;
        for (const opening of ["", filler]) {
          const reader = new CsvReader(delimiter);
          const read = [opening, ...pieces].flatMap((piece) => reader.push(piece));
          expect([...read, ...reader.end()].slice(opening === "" ? 0 : 1)).toEqual(cells);
        }
      }),
    );
  });

  test("of a result has the delimiter by which it has a prediction", () => {
    for (const delimiter of [",", ";", "\t", "|"]) {
      const header = ["a,b;c", "prediction", "prediction_2", "confidence", "probability_yes"].join(delimiter);
      expect(resultDelimiter(header)).toBe(delimiter);
    }
  });

  test("missing values, dates and numbers have one form", () => {
    const at = new Date(Date.UTC(2027, 0, 15));
    expect(csvOf([{ a: null, b: 1.5 }, { b: true, c: at }, {}])).toBe(
      "a,b,c\n,1.5,\n,true,2027-01-15T00:00:00.000Z\n,,\n",
    );
    expect(csvOf([{ a: undefined }])).toBe('a\n""\n');
    expect([undefined, Number.NaN, at, false, 3].map(jsonCell)).toEqual([
      ...[null, "NaN", "2027-01-15T00:00:00.000Z", false, 3],
    ]);
  });
});

describe("a problem", () => {
  test("has what the server said, and the first place", () => {
    const errors = [{ field: "file", code: "BAD", message: "m", line: 7, column: "age" }];
    const body = { code: "FILE_UNUSABLE", title: "t", detail: "d", requestId: "r", errors };
    expect({ ...problemOf(400, JSON.stringify(body), "3") }).toMatchObject({
      ...{ code: "FILE_UNUSABLE", status: 400, detail: "d", requestId: "r", retryAfterSeconds: 3 },
      ...{ field: "file", line: 7, column: "age" },
    });
  });

  test("of another program says so", () => {
    for (const text of ["<html>", "", "null", "[]", '{"code":1}']) {
      expect(problemOf(502, text, null)).toMatchObject({ code: "NO_CUPEL", status: 502, field: null, line: null });
    }
    const later = problemOf(503, "", new Date(Date.now() + 60_000).toUTCString());
    expect(later.retryAfterSeconds).toBeGreaterThan(50);
    expect(problemOf(503, "", "soon").retryAfterSeconds).toBeNull();
  });
});

describe("patience", () => {
  const busy = (retryAfter: string | null = null) => problemOf(503, "", retryAfter);
  const failing = (problem: unknown, times: number) => {
    let count = 0;
    return async () => {
      if (count++ < times) throw problem;
      return count;
    };
  };
  const patience = { retrySeconds: 60, signal: undefined };

  test("tries again what fails in passing, and nothing else", async () => {
    for (const status of [429, 502, 503, 504]) {
      expect(await persistently(patience, failing(problemOf(status, "", null), 1))).toBe(2);
    }
    expect(await persistently(patience, failing(ownProblem("UNREACHABLE", "", ""), 1))).toBe(2);
    const cut = problemOf(400, JSON.stringify({ code: "UPLOAD_INTERRUPTED", detail: "" }), null);
    expect(await persistently(patience, failing(cut, 1))).toBe(2);
    for (const other of [
      problemOf(400, "", null),
      problemOf(409, "", null),
      problemOf(500, "", null),
      new Error("x"),
    ]) {
      await expect(persistently(patience, failing(other, 1))).rejects.toBe(other);
    }
  });

  test("does not wait longer than it may", async () => {
    await expect(persistently({ ...patience, retrySeconds: 0 }, failing(busy(), 1))).rejects.toBeInstanceOf(
      CupelProblem,
    );
    await expect(persistently(patience, failing(busy("61"), 1))).rejects.toMatchObject({ retryAfterSeconds: 61 });
  });

  test("ends when it is told to", async () => {
    const reason = new Error("enough");
    const ending = new AbortController();
    const waiting = persistently({ ...patience, signal: ending.signal }, failing(busy("30"), 9));
    ending.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(wait(1, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test.each([
  ["group", "There is no option group. Did you mean groupColumn?"],
  ["lable", "There is no option lable. Did you mean label?"],
  ["buckets", "There is no option buckets. Did you mean numberOfBuckets?"],
  ["GroupColumn", "There is no option GroupColumn. Did you mean groupColumn?"],
  ["x", "There is no option x. There is groupColumn, label, numberOfBuckets."],
  ["toString", "There is no option toString. There is groupColumn, label, numberOfBuckets."],
])("an option that there is not is refused: %s", (name, message) => {
  const names = { groupColumn: true, label: true, numberOfBuckets: true } as const;
  const options = { label: "y", groupColumn: undefined, numberOfBuckets: 4 };
  expect(only(names, options)).toBe(options);
  expect(() => only(names, { ...options, [name]: undefined })).toThrow(new TypeError(message));
});

test("a dataset that nobody named has a name of its file's, which is unused", () => {
  expect(unusedName("customers.2026.csv")).toMatch(/^customers\.2026 [0-9a-f]{8}$/);
  expect(unusedName("\u{1f600}".repeat(40))).toHaveLength(2 * 21 + 9);
  expect(unusedName(".csv")).toMatch(/^[0-9a-f]{8}$/);
  expect(unusedName("a.csv")).not.toBe(unusedName("a.csv"));
});
