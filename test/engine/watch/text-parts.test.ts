// Numbers and characters of texts, held against the training rows: counted alike, and named where they have shifted.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { packModel, unpackModel } from "../../../engine/model/model-file.ts";
import { partsOf, type ReferenceColumn } from "../../../engine/model/reference-counts.ts";
import { healthOf } from "../../../engine/outcomes/health.ts";
import { Random } from "../../../engine/random.ts";
import { sumOf } from "../../../engine/sums.ts";
import { countTable } from "../../../engine/watch/count-table.ts";
import { columnWords } from "../../../src/words/watch-words.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { scoreText } from "../../support/scored-text.ts";
import { everyRow } from "../../support/tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";

interface Drawn {
  list: number[];
  code: string[];
}

/** The label goes by the fourth number and the fifth character. */
function drawRows(count: number, seed: number): Drawn[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => ({
    list: Array.from({ length: 6 }, () => random.nextBelow(100)),
    code: Array.from({ length: 8 }, () => "ACGT"[random.nextBelow(4)]!),
  }));
}

function csvOf(rows: readonly Drawn[]): string {
  const lines = rows.map(({ list, code }, row) => {
    const isHigh = list[3]! + 30 * Number("AG".includes(code[4]!)) > 60;
    // Some cells are empty.
    const [first, second] = [row % 20 === 7 ? "" : list.join(", "), row % 20 === 11 ? "" : code.join("")];
    return `"${first}",${second},${isHigh ? "high" : "low"}`;
  });
  return `list,code,label\n${lines.join("\n")}\n`;
}

const TRAINED = drawRows(900, 1);
const source = readCsvText(csvOf(TRAINED));
const reference = countTable(source.table, everyRow(source.table));
const file = { ...fileOf(source, FOREST), reference };

function watched(rows: readonly Drawn[]) {
  const { watch } = scoreText(file, csvOf(rows));
  return (column: string) => watch.columns!.find(({ name }) => name === column)!;
}

describe("the parts that are counted", () => {
  test("are three of a column, first the one that tells the most of the label", () => {
    const parts = partsOf(reference).map(({ column, counted: { part } }) => [column, part] as const);
    expect(parts).toHaveLength(6);
    expect(parts[0]).toEqual([0, "number4"]);
    expect(parts[3]).toEqual([1, "character5"]);
  });

  test("have every row, the empty cells as missing", () => {
    for (const { counted } of partsOf(reference)) {
      expect(counted.missing).toBe(45);
      expect(sumOf(counted.counts)).toBe(TRAINED.length - 45);
    }
  });

  test("are as in training for the training rows themselves", () => {
    const column = watched(TRAINED);
    for (const name of ["list", "code"]) expect(column(name)).toMatchObject({ verdict: "ALIKE", index: 0 });
  });

  test("pass through a model file, which refuses parts that no text has", () => {
    expect(unpackModel(packModel(file)).reference).toEqual(reference);
    const [list, ...others] = reference as [
      Extract<ReferenceColumn, { kind: "number" | "text" }>,
      ...ReferenceColumn[],
    ];
    const broken = [
      [{ ...list.parts![0]!, part: "weekday" }],
      [{ ...list.parts![0]!, cutPoints: [3, 2] }],
      [...list.parts!, list.parts![0]!],
    ];
    for (const parts of broken) {
      const bytes = packModel({ ...file, reference: [{ ...list, parts }, ...others] as ReferenceColumn[] });
      expect(() => unpackModel(bytes)).toThrow();
    }
  });
});

describe("a file", () => {
  test("of other rows alike raises no alarm", () => {
    const column = watched(drawRows(600, 2));
    for (const name of ["list", "code"]) expect(column(name).verdict).toBe("ALIKE");
  });

  test("whose fourth number runs higher says so", () => {
    const shifted = drawRows(600, 3).map(({ list, code }) => ({
      code,
      list: list.map((number, at) => (at === 3 ? 40 + Math.floor(0.6 * number) : number)),
    }));
    const column = watched(shifted)("list");
    expect(column).toMatchObject({ verdict: "SHIFTED", part: { part: "number4" } });
    expect(columnWords(column)).toMatch(/^4th number: the middle value is higher: \d/);
    expect(watched(shifted)("code").verdict).toBe("ALIKE");
  });

  test("with more of one character at a place says so", () => {
    const shifted = drawRows(600, 4).map(({ list, code }, row) => ({
      list,
      code: code.map((letter, at) => (at === 4 && row % 2 === 0 ? "T" : letter)),
    }));
    const column = watched(shifted)("code");
    expect(column).toMatchObject({ verdict: "SHIFTED", part: { part: "character5" } });
    expect(columnWords(column)).toMatch(/^5th character: [\d.]+% are .*"T" \(training [\d.]+%\)$/);
  });

  test("of codes with emoji names halves of these by their numbers", () => {
    const counts = { kind: "number", missing: { trained: 0, file: 0 }, unseen: null, dates: null } as const;
    const between = { from: 0xde00, to: 0xde01 };
    const most = { trained: 0.1, file: 0.9, category: null, between };
    const range = { low: 0x41, high: 0xde03, below: 0, above: 0, middle: null };
    const part = { ...counts, part: "character5" as const, most, range };
    const shifted = { name: "code", verdict: "SHIFTED" as const, index: 1, pValue: 0 };
    const words = columnWords({ ...shifted, ...counts, range: null, most: null, part });
    expect(words).toBe("5th character: 90.0% are U+DE01 (training 10.0%)");
  });
});

test("days that were counted without parts are added to others, and what all have is judged", () => {
  const counted = Array.from({ length: 14 }, (_, at) => scoreText(file, csvOf(drawRows(60, 10 + at))).counts);
  const judge = (areWithout: readonly boolean[]) => {
    const days = counted.map((counts, at) => ({
      day: `2031-05-${at + 10}`,
      counts: areWithout[at]! ? { ...counts, cells: counts.cells.slice(0, reference.length) } : counts,
    }));
    return healthOf(file, days, "2031-06-01").stretches.map(({ from, columns }) => ({ from, columns }));
  };
  const without = judge(counted.map(() => true));
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: counted.length, maxLength: counted.length }), (areWithout) => {
      const judged = judge(areWithout);
      expect(judged.map(({ from }) => from)).toEqual(without.map(({ from }) => from));
      // A stretch is of two days.
      for (const [at, stretch] of judged.entries()) {
        if (!areWithout[2 * at] && !areWithout[2 * at + 1]) continue;
        expect(stretch.columns!.every(({ part }) => part === undefined)).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});
