// Dates beyond the training's, in words.
import { describe, expect, test } from "bun:test";
import type { ColumnShift } from "../../../engine/watch/watch-report.ts";
import { columnVerdict, columnWords, watchSentence } from "../../../src/words/watch-words.ts";

const when: ColumnShift = {
  ...{ name: "when", kind: "date", verdict: "ALIKE", index: 0, pValue: 1, unseen: null, range: null },
  missing: { trained: 0, file: 0 },
};
const range = { from: "2023-07-01", to: "2024-12-21" };
const told = (change: Partial<ColumnShift>) => {
  const column = { ...when, ...change };
  return { ...column, difference: columnWords(column) };
};

describe("dates beyond the training's", () => {
  const later = told({ dates: { ...range, earlier: 0.02, later: 0.98 } });

  test("are told though they raise no alarm", () => {
    expect(later.difference).toBe(
      "98.0% are later than 2024-12-21, the latest in training; " +
        "2.0% are earlier than 2023-07-01, the earliest in training",
    );
    expect(columnVerdict(later)).toBe("other dates");
  });

  test("are told beside missing cells", () => {
    const shifted = told({
      verdict: "SHIFTED",
      missing: { trained: 0, file: 0.5 },
      dates: { ...range, earlier: 0, later: 0.5 },
    });
    expect(shifted.difference).toBe(
      "50.0% are later than 2024-12-21, the latest in training; 50.0% have no value (training 0.0%)",
    );
    expect(columnVerdict(shifted)).toBe("shifted");
  });

  test("are named in the sentence about the whole", () => {
    const whole = { rowCount: 40, decisions: null, confidence: null };
    const plain = "40 rows: no column differs from the training rows beyond chance";
    expect(watchSentence({ ...whole, columns: [later] })).toBe(`${plain}, but for other dates.`);
    expect(watchSentence({ ...whole, columns: [told({ dates: { ...range, earlier: 0, later: 0 } })] })).toBe(
      `${plain}.`,
    );
  });

  test("are told by their only time of day", () => {
    const none = told({ oneTime: { hours: null } });
    expect([none.difference, columnVerdict(none)]).toEqual([
      "no date has a time of day; the model learned from its hour",
      "other dates",
    ]);
    expect(told({ oneTime: { hours: { from: 3, to: 5 } } }).difference).toBe(
      "all times lie between 3:00 and 5:59; the model learned from more hours",
    );
  });

  test("are nothing in reports of earlier versions, nor where too few rows tell", () => {
    expect(told({}).difference).toBe("");
    expect(told({ verdict: "UNTOLD", dates: { ...range, earlier: 0, later: 1 } }).difference).toBe("");
    expect(columnVerdict(told({}))).toBe("as in training");
  });
});
