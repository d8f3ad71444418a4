// The beginning of a result CSV, wherever it is cut: whole rows alone, taken
// apart into what was sent and what was answered.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatRecord } from "../../../engine/csv/write.ts";
import { readResultRows } from "../../../src/browser/result-rows.ts";

const HEADER = "age,note,prediction,confidence,probability_no,probability_yes";
const DIALECT = { delimiter: ",", lineEnding: "\n" } as const;
const bytes = (text: string) => new TextEncoder().encode(text);

test("rows are taken apart, the most probable label first", () => {
  const text = `${HEADER}\n31,"a, ""b""\nc",yes,0.8,0.2,0.8\n,,no,0.75,0.75,0.25\n`;
  expect(readResultRows(bytes(text), 20)).toEqual({
    names: ["age", "note"],
    rows: [
      {
        cells: ["31", 'a, "b"\nc'],
        prediction: "yes",
        confidence: 0.8,
        probabilities: [
          { label: "yes", share: 0.8 },
          { label: "no", share: 0.2 },
        ],
        reasons: [],
      },
      {
        cells: ["", ""],
        prediction: "no",
        confidence: 0.75,
        probabilities: [
          { label: "no", share: 0.75 },
          { label: "yes", share: 0.25 },
        ],
        reasons: [],
      },
    ],
  });
});

test("reasons are taken as far as a row has them, from the file's last columns alone", () => {
  const header = `reason_1,${HEADER},reason_1_2,reason_1_effect,reason_1_words,reason_2,reason_2_effect,reason_2_words`;
  const text = `${header}\nown,31,x,yes,0.8,0.2,0.8,note,0.5,"so 0.4; on 0.1",age,-0.25,\nown,,,no,0.75,0.75,0.25,age,1,,,,\n`;
  expect(readResultRows(bytes(text), 20)?.rows.map(({ reasons }) => reasons)).toEqual([
    [
      { name: "note", effect: 0.5 },
      { name: "age", effect: -0.25 },
    ],
    [{ name: "age", effect: 1 }],
  ]);
});

test("a file that has predictions of its own keeps them as columns", () => {
  const header = "prediction,confidence,prediction_2,confidence_2,probability_no";
  const found = readResultRows(bytes(`${header}\nold,0.1,no,1,1\n`), 20);
  expect(found?.names).toEqual(["prediction", "confidence"]);
  expect(found?.rows[0]).toMatchObject({ cells: ["old", "0.1"], prediction: "no", confidence: 1 });
});

test("nothing comes of a beginning without a whole row, or of another table", () => {
  for (const text of ["", HEADER, `${HEADER}\n`, `${HEADER}\n31,x,yes,0.8`, "a,b\n1,2\n"]) {
    expect(readResultRows(bytes(text), 20)).toBeNull();
  }
});

test("wherever the file is cut, the whole rows before it are read, and no others", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (notes, at) => {
        const lines = notes.map((note) => `${formatRecord(["1", note, "no", "0.75", "0.75", "0.25"], DIALECT)}`);
        const whole = bytes(`${HEADER}\n${lines.join("")}`);
        const cut = Math.floor(at * whole.length);
        const ends = lines.map((_, index) => bytes(`${HEADER}\n${lines.slice(0, index + 1).join("")}`).length);
        const count = Math.min(5, ends.filter((end) => end <= cut).length);
        expect(readResultRows(whole.subarray(0, cut), 5)?.rows.map(({ cells }) => cells[1]) ?? []).toEqual(
          notes.slice(0, count),
        );
      },
    ),
  );
});
