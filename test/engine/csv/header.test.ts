// Repaired column names: unique, stable, and the first column of a name keeps it.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nameWarnings, repairNames } from "../../../engine/csv/header.ts";

const cell = fc.constantFrom(
  "a",
  "a ",
  "a_2",
  "a_3",
  "a_2_2",
  "",
  "  ",
  "column_1",
  "column_2",
  "column_2_2",
  "__proto__",
);

describe("repairNames", () => {
  test("makes every name unique and keeps the first of each", () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 12 }), (cells) => {
        const { names, unnamed, repeated } = repairNames(cells);
        expect(new Set(names).size).toBe(cells.length);
        expect(names.every((name) => name !== "" && name === name.trim())).toBe(true);
        const trimmed = cells.map((text) => text.trim());
        trimmed.forEach((name, index) => {
          const isFirst = name !== "" && trimmed.indexOf(name) === index;
          expect(names[index] === name).toBe(isFirst);
          expect(unnamed.includes(index)).toBe(name === "");
          expect(repeated.includes(index)).toBe(name !== "" && !isFirst);
        });
      }),
    );
  });

  test("leaves sound names alone, so repairing twice changes nothing", () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 12 }), (cells) => {
        const { names } = repairNames(cells);
        expect(repairNames(names)).toEqual({ names, unnamed: [], repeated: [] });
      }),
    );
  });

  test("numbers many repeated names in order", () => {
    const { names } = repairNames(new Array<string>(10_000).fill("x"));
    expect(names.slice(0, 3)).toEqual(["x", "x_2", "x_3"]);
    expect(names.at(-1)).toBe("x_10000");
  });
});

describe("nameWarnings", () => {
  test("counts the columns and lists the first few", () => {
    const cells = ["a", "", "", "", "", "", "", "a"];
    expect(nameWarnings(repairNames(cells), 3)).toEqual([
      {
        code: "EMPTY_NAME",
        message:
          '6 columns have no name and are called "column_2", "column_3", "column_4", "column_5", "column_6" and 1 more.',
        line: 3,
        column: "column_2",
        count: 6,
      },
      {
        code: "DUPLICATE_NAME",
        message: 'One column has the name of an earlier one and is called "a_2".',
        line: 3,
        column: "a_2",
        count: 1,
      },
    ]);
    expect(nameWarnings(repairNames(["a", "b"]), 1)).toEqual([]);
  });
});
