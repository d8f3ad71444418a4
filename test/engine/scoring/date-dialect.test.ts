// Files that write their dates in another order than the training file: the same answers, or a refusal, never days and
// months exchanged.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_FIRST, type DateForm, MONTH_FIRST, rewriteDate, YEAR_FIRST } from "../../../engine/columns/dates.ts";
import { formatRecord } from "../../../engine/csv/write.ts";
import type { InputError } from "../../../engine/input-error.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { FileDialect } from "../../../engine/scoring/file-dialect.ts";
import { LaterRows } from "../../../engine/successor/later-rows.ts";
import { scoreRows } from "../../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { scoreText } from "../../support/scored-text.ts";
import { europeanTable } from "../../support/vector-tables.ts";
import { VECTORS } from "../../support/vectors.ts";
import { read } from "../csv/reading.ts";

const MODEL_PATH = join(VECTORS, "forest-two-classes.cupel");
const MODEL = unpackModel(readFileSync(MODEL_PATH));
const TABLE = read(new TextEncoder().encode(europeanTable().csv));
const NAMES = TABLE.header!.names;
/** As the model was trained: `Eröffnet` in ISO 8601 with times, `Geboren` with the day first. */
const TRAINED = { Eröffnet: YEAR_FIRST, Geboren: DAY_FIRST };

/** The table's rows with dates in these forms; `isTaken`: by the date of birth. */
function rowsWith(opened: DateForm, born: DateForm, isTaken = (_: string) => true): string[][] {
  const [openedAt, bornAt] = [NAMES.indexOf("Eröffnet"), NAMES.indexOf("Geboren")];
  return TABLE.records
    .filter((record) => isTaken(record[bornAt]!))
    .map((record) =>
      record.map((cell, at) => {
        if (at === openedAt) return opened === YEAR_FIRST ? cell : rewriteDate(cell, TRAINED.Eröffnet, opened)!;
        return at === bornAt && born !== DAY_FIRST ? rewriteDate(cell, TRAINED.Geboren, born)! : cell;
      }),
    );
}

function scored(rows: readonly string[][], asTrained = false) {
  const text = [NAMES, ...rows].map((cells) => formatRecord(cells, { delimiter: ";", lineEnding: "\n" })).join("");
  const { text: result, warnings } = scoreText(MODEL, text, { asTrained });
  const { records } = read(new TextEncoder().encode(result));
  return { answers: records.map((record) => record.slice(NAMES.length)), warnings };
}

function refusal(work: () => unknown): InputError {
  try {
    work();
  } catch (error) {
    return error as InputError;
  }
  throw new Error("nothing was refused");
}

describe("a file with dates in another order", () => {
  const own = scored(rowsWith(YEAR_FIRST, DAY_FIRST));

  test.each([
    ["year first, for the day first", YEAR_FIRST, YEAR_FIRST, "Geboren"],
    ["day first, for the year first", DAY_FIRST, DAY_FIRST, "Eröffnet"],
    ["month first, for the year first", MONTH_FIRST, DAY_FIRST, "Eröffnet"],
  ])("has the same answers, and says so: %s", (_, opened, born, column) => {
    const { answers, warnings } = scored(rowsWith(opened, born));
    expect(answers).toEqual(own.answers);
    const told = warnings.filter(({ code }) => code === "DATE_FORM" || code === "NOT_READ");
    expect(told).toEqual([{ code: "DATE_FORM", message: expect.stringContaining(`"${column}" as dates`), count: 1 }]);
  });

  test("its own order is none other", () => {
    expect(own.warnings.map(({ code }) => code)).not.toContain("DATE_FORM");
  });

  test("is read as the training file was where that is asked for", () => {
    const { code, column, message } = refusal(() => scored(rowsWith(YEAR_FIRST, YEAR_FIRST), true));
    expect([code, column]).toEqual(["UNREADABLE_COLUMN", "Geboren"]);
    expect(message).toContain(
      "cannot be read as dates with the day first, such as 31.12.2024 or 31/12/2024, the first",
    );
  });

  test("is refused where day and month may be exchanged", () => {
    const error = refusal(() => scored(rowsWith(YEAR_FIRST, MONTH_FIRST)));
    expect(error).toMatchObject({ code: "UNREADABLE_COLUMN", column: "Geboren", line: expect.any(Number) });
    expect(error.message).toMatch(
      /^\d+ of the 360 values in column "Geboren" are dates only with the month first, .* the training file has the day first\. So 05\/06\/2024 may be either day\. Write the dates as YYYY-MM-DD\.$/,
    );
  });

  test("is read where no cell fits both day and month first", () => {
    const isLate = (born: string) => Number(born.slice(0, 2)) > 12;
    const late = scored(rowsWith(YEAR_FIRST, DAY_FIRST, isLate));
    expect(scored(rowsWith(YEAR_FIRST, MONTH_FIRST, isLate)).answers).toEqual(late.answers);
  });

  test("has the same answers as rows of JSON, however few", () => {
    const cache = new ModelCache();
    const named = (cells: readonly string[]) => Object.fromEntries(NAMES.map((name, at) => [name, cells[at]!]));
    const live = (rows: readonly string[][]) => scoreRows(cache, MODEL_PATH, rows.map(named));
    const [trained, iso] = [rowsWith(YEAR_FIRST, DAY_FIRST), rowsWith(YEAR_FIRST, YEAR_FIRST)];
    expect(live(iso).scores).toEqual(live(trained).scores);
    for (const at of [0, 1, 2]) {
      const [ours, theirs] = [live([trained[at]!]), live([iso[at]!])];
      expect(theirs.scores).toEqual(ours.scores);
      expect(theirs.warnings.map(({ code }) => code)).toContain("DATE_FORM");
    }
  });

  test("stands among the training rows as the training file would have written it", () => {
    const columns = { names: NAMES, label: "Zahlt", alsoNeeded: [] };
    const [trained, other] = [rowsWith(YEAR_FIRST, DAY_FIRST), rowsWith(MONTH_FIRST, YEAR_FIRST)];
    const later = new LaterRows(MODEL, columns, NAMES, ";");
    later.dialect.add({ firstIndex: 0, records: other, lines: Uint32Array.from(other.keys()) });
    const plain = (text: string) => text.replaceAll(".", "/");
    other.forEach((record, row) => {
      const cells = later.record(record, "ja");
      for (const name of ["Eröffnet", "Geboren"]) {
        const at = NAMES.indexOf(name);
        expect(cells[at]).toBe(plain(trained[row]![at]!));
      }
    });
  });
});

/** The order that a column of these cells is read in, trained on `own`; null where it is refused. */
function orderOf(own: DateForm, cells: readonly string[]): string | null {
  const reading = { kind: "date" as const, form: own };
  const dialect = new FileDialect({ columns: [{ name: "day", reading }], missingMarkers: ["NA"] }, [0], ";");
  cells.forEach((text, row) => {
    dialect.addText(0, text, row + 2);
  });
  const [now] = dialect.readings();
  try {
    dialect.requireReadable();
  } catch {
    return null;
  }
  return now!.kind === "date" ? now!.form.order : "";
}

const many = (text: string, count: number) => Array.from({ length: count }, () => text);
const LATE = "31.12.2024";
const MONTH_LATE = "12/31/2024";
const EITHER = "05/06/2024";

test.each<[string, DateForm, string[], string | null]>([
  ["without a cell it is the model's", DAY_FIRST, ["", "NA"], "dmy"],
  ["a date that may be either is the model's", MONTH_FIRST, [EITHER], "mdy"],
  ["one ISO date", DAY_FIRST, ["2024-12-31"], "ymd"],
  ["as many ISO dates as others", DAY_FIRST, ["2024-12-31", LATE], "dmy"],
  ["more ISO dates than others", DAY_FIRST, ["2024-12-31", "2024-12-30", LATE], "ymd"],
  ["one date that shows the order, trained on ISO", YEAR_FIRST, [EITHER, LATE], "dmy"],
  ["no date that shows the order, trained on ISO", YEAR_FIRST, many(EITHER, 10), null],
  ["dates that show both orders, trained on ISO", YEAR_FIRST, [...many(LATE, 9), MONTH_LATE], null],
  ["a few of the other order alone stay missing", DAY_FIRST, many(MONTH_LATE, 9), "dmy"],
  ["nearly all of the other order alone", DAY_FIRST, [...many(MONTH_LATE, 19), EITHER], "mdy"],
  ["more that may be either", DAY_FIRST, [...many(MONTH_LATE, 18), ...many(EITHER, 2)], null],
  ["half and half", DAY_FIRST, [...many(MONTH_LATE, 10), ...many(LATE, 10)], null],
  ["two slips", DAY_FIRST, [...many(LATE, 10), ...many(MONTH_LATE, 2)], "dmy"],
  ["three, but a twentieth", DAY_FIRST, [...many(LATE, 57), ...many(MONTH_LATE, 3)], "dmy"],
  ["three, and more than a twentieth", DAY_FIRST, [...many(LATE, 56), ...many(MONTH_LATE, 3)], null],
  ["texts that are no dates", DAY_FIRST, many("soon", 10), null],
])("the order of a column: %s", (_, own, cells, expected) => {
  expect(orderOf(own, cells)).toBe(expected);
});
