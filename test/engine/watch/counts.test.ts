// Counting the training rows and a file's: both agree with counting by hand,
// and with each other where the rows are the same.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ModelFile, packModel, unpackModel } from "../../../engine/model/model-file.ts";
import type { ReferenceColumn } from "../../../engine/model/reference-counts.ts";
import { besideReference } from "../../../engine/watch/cell-counts.ts";
import type { FileCounts } from "../../../engine/watch/file-counts.ts";
import { MOST_ROWS_TOGETHER, picksOf } from "../../../engine/watch/row-picks.ts";
import { compareCounts } from "../../../engine/watch/shift.ts";
import { hasAlarm, watchReport } from "../../../engine/watch/watch-report.ts";
import { scoreText } from "../../support/scored-text.ts";
import { makeTable } from "../../support/tables.ts";
import { firstLabelModel } from "./first-label-model.ts";

type Row = { a: number | null; b: string | null; y: string };

/** A model of the rows that always answers the first label: what is counted does not depend on it. */
function modelOf(rows: readonly Row[], buckets = 254): ModelFile {
  const table = makeTable(
    [rows.map(({ a }) => a), rows.map(({ b }) => b)],
    rows.map(({ y }) => y),
  );
  const number = { kind: "number", form: { decimal: ".", grouping: "", affix: "" } };
  const columns = [
    { name: "a", kind: "number", reading: number, missingCount: 1 },
    { name: "b", kind: "category", reading: { kind: "category" }, missingCount: 1 },
  ] as ModelFile["columns"];
  const heldOut = { decisions: table.labels.map(() => 50), confidence: [0, 0, 0, 0, 0, 100, 0, 0, 0, 0] };
  return unpackModel(packModel({ ...firstLabelModel(table, columns, buckets), heldOut }));
}

function csvOf(rows: readonly Row[], hasLabel = true): string {
  const lines = rows.map(({ a, b, y }) => [a ?? "", b ?? "?", ...(hasLabel ? [y] : [])].join(","));
  return [hasLabel ? "a,b,y" : "a,b", ...lines, ""].join("\n");
}

function countsOf(file: ModelFile, rows: readonly Row[], hasLabel = true): FileCounts {
  return scoreText(file, csvOf(rows, hasLabel)).result.scorer.counts!;
}

const number = fc.oneof(fc.integer({ min: -20, max: 60 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
const rowOf = (names: readonly string[]) =>
  fc.record({
    a: fc.option(number, { freq: 8 }),
    b: fc.option(fc.constantFrom(...names), { freq: 8 }),
    y: fc.constantFrom("no", "yes"),
  });
const KNOWN = [..."abcdefghijklmnopq"];
const trained = fc
  .array(rowOf(KNOWN), { minLength: 4, maxLength: 200 })
  .map((rows): Row[] => [...rows, { a: 1, b: "a", y: "no" }, { a: 2, b: "b", y: "yes" }]);
const fresh = fc.array(rowOf([...KNOWN, "new", "newer"]), { minLength: 1, maxLength: 120 });

/** Where a number lies, by comparing it with each end. */
function cellOf(value: number, { range, cutPoints }: Extract<ReferenceColumn, { kind: "number" | "text" }>): number {
  if (value < range!.low) return 0;
  if (value > range!.high) return cutPoints.length + 2;
  return 1 + cutPoints.filter((cut) => value > cut).length;
}

describe("the cells of a file", () => {
  test("are counted as by hand", () => {
    fc.assert(
      // With few buckets, one holds several of the ranges that are counted.
      fc.property(trained, fresh, fc.constantFrom(2, 3, 5, 11, 254), (rows, others, buckets) => {
        const file = modelOf(rows, buckets);
        const counts = countsOf(file, others);
        const [a, b] = file.reference as [
          Extract<ReferenceColumn, { kind: "number" | "text" }>,
          Extract<ReferenceColumn, { kind: "category" }>,
        ];
        const numbers = new Array<number>(a.counts.length + 2).fill(0);
        for (const { a: value } of others) if (value !== null) numbers[cellOf(value, a)]!++;
        const missing = others.filter((row) => row.a === null).length;
        expect(besideReference(a, counts.scored().cells[0]!).file).toEqual([missing, ...numbers]);
        const [names] = file.features.flatMap((feature) => (feature.kind === "category" ? [feature.names] : []));
        const frequent = b.frequent.map((at) => names![at]!);
        const is = (test: (name: string) => boolean) => others.filter((row) => row.b !== null && test(row.b)).length;
        expect(besideReference(b, counts.scored().cells[1]!).file).toEqual([
          others.filter((row) => row.b === null).length,
          is((name) => !names!.includes(name)),
          ...frequent.map((name) => is((own) => own === name)),
          is((name) => names!.includes(name) && !frequent.includes(name)),
        ]);
        expect(counts.scored().countedRows).toBe(others.length);
        const labels = others.map((row) => row.y);
        expect(counts.confusion!.map((row) => row[0])).toEqual(
          ["no", "yes"].map((label) => labels.filter((own) => own === label).length),
        );
      }),
    );
  });

  test("are those of the training rows where these come again", () => {
    fc.assert(
      fc.property(trained, (rows) => {
        const file = modelOf(rows);
        const counts = countsOf(file, rows);
        const numbers = besideReference(file.reference![0]!, counts.scored().cells[0]!);
        expect(numbers.file).toEqual(numbers.trained);
        const b = file.reference![1] as Extract<ReferenceColumn, { kind: "category" }>;
        const single = KNOWN.filter((name) => rows.filter((row) => row.b === name).length === 1).length;
        expect(b.unseen).toBe(single);
        expect(b.unseen + b.missing + b.counts.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
        const categories = besideReference(b, counts.scored().cells[1]!);
        const seen = categories.file.map((count, at) => count - categories.trained[at]!);
        // What looks unseen beside the other rows has its place in the file.
        expect(seen.reduce((sum, more) => sum + more, 0)).toBe(0);
        expect(seen[1]! + single).toBe(0);
        expect(seen.slice(2).every((more) => more >= 0)).toBeTrue();
      }),
    );
  });

  test("of a large file are counted at some of the rows, its labels at all", () => {
    const rowCount = 41_000;
    const rows = Array.from(
      { length: 50 },
      (_, at): Row => ({ a: at, b: KNOWN[at % 5]!, y: at % 2 === 0 ? "no" : "yes" }),
    );
    const file = modelOf(rows);
    // Odd cells, which are read as text, take another way.
    const others = Array.from(
      { length: rowCount },
      (_, at): Row => ({ a: at % 7 === 0 ? null : at % 60, b: KNOWN[at % 6]!, y: at % 2 === 0 ? "no" : "yes" }),
    );
    const counts = countsOf(file, others);
    const { isPicked } = picksOf(rowCount, 2);
    const picked = others.filter((_, at) => isPicked[at % MOST_ROWS_TOGETHER] === 1);
    expect(counts.scored().countedRows).toBe(picked.length);
    expect(counts.scored().cells).toEqual(countsOf(file, picked).scored().cells);
    expect(counts.confusion!.flat().reduce((sum, count) => sum + count, 0)).toBe(rowCount);
  });

  test("do not change what is answered", () => {
    fc.assert(
      fc.property(trained, fresh, (rows, others) => {
        const file = modelOf(rows);
        const { reference: _, heldOut: __, ...bare } = file;
        const answer = (model: ModelFile) => scoreText(model, csvOf(others, false)).text;
        expect(answer(file)).toBe(answer(bare));
      }),
    );
  });
});

describe("a file beside the training rows", () => {
  const rows = Array.from(
    { length: 1_000 },
    (_, at): Row => ({ a: at % 100, b: KNOWN[at % 7]!, y: at % 3 === 0 ? "yes" : "no" }),
  );
  const file = modelOf(rows);
  const reportOf = (model: ModelFile, others: readonly Row[], hasLabel = true) => {
    const counts = countsOf(model, others, hasLabel);
    const confidence = { sum: others.length / 2, tenths: [0, 0, 0, 0, 0, others.length, 0, 0, 0, 0] };
    const scored = { ...counts.scored(), decisions: [others.length, 0], confidence };
    return watchReport(model, scored, counts);
  };

  test("puts the column that shifted first, and says where it lies", () => {
    const aged = rows.slice(0, 300).map((row) => ({ ...row, a: row.a! + 40 }));
    const { columns } = reportOf(file, aged);
    expect(columns!.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["a", "SHIFTED"],
      ["b", "ALIKE"],
    ]);
    const { range } = columns![0]!;
    expect(range).toMatchObject({ low: 0, high: 99, below: 0, above: 0.4 });
    expect(range!.middle).toEqual({ trained: { from: 39.5, to: 49.5 }, file: { from: 79.5, to: 89.5 } });
  });

  test("a new category is unseen; missing cells are new", () => {
    const others = rows
      .slice(0, 400)
      .map((row, at): Row => ({ ...row, b: at % 5 === 0 ? null : at % 5 === 1 ? "new" : row.b }));
    const { columns } = reportOf(file, others);
    expect(columns![0]).toMatchObject({
      name: "b",
      verdict: "SHIFTED",
      missing: { trained: 0, file: 0.2 },
      unseen: { trained: 0, file: 0.2 },
    });
  });

  describe("with categories of one row in training", () => {
    // Of the 600 rows, 200 have a category of their own, and 100 share 50 categories, two rows each.
    const categories = (at: number) => (at % 3 === 0 ? `one ${at}` : at % 6 === 1 ? `two ${at % 300}` : KNOWN[at % 4]!);
    const many = Array.from(
      { length: 600 },
      (_, at): Row => ({ a: at % 100, b: categories(at), y: at % 2 === 0 ? "yes" : "no" }),
    );
    const sparse = modelOf(many);
    const bOf = (others: readonly Row[]) => reportOf(sparse, others).columns!.find(({ name }) => name === "b")!;

    test("the training rows themselves are alike, and so is any part of them", () => {
      expect(bOf(many)).toMatchObject({ verdict: "ALIKE", index: 0, pValue: expect.closeTo(1, 9) });
      for (const rows of [many.slice(0, 300), many.filter((_, at) => at % 5 === 0)]) {
        expect(bOf(rows)).toMatchObject({ verdict: "ALIKE", unseen: { file: 0 } });
      }
    });

    test("more unseen ones are a shift by the same figures as cell by cell", () => {
      const others = many.map((row, at): Row => ({ ...row, b: at % 5 < 3 ? `new ${at}` : row.b }));
      const counted = besideReference(sparse.reference![1]!, countsOf(sparse, others).scored().cells[1]!);
      const { index, pValue } = compareCounts(counted.trained, counted.file, counted.isOrdered, counted.apart);
      expect(bOf(others)).toMatchObject({ verdict: "SHIFTED", index, pValue, unseen: { file: 0.6 } });
    });

    test("fewer of them hide no other shift", () => {
      expect(bOf(many.map((row): Row => ({ ...row, b: "b" })))).toMatchObject({ verdict: "SHIFTED" });
      const others = many.map((row, at): Row => ({ ...row, b: at % 4 === 0 ? null : row.b }));
      expect(bOf(others)).toMatchObject({ verdict: "SHIFTED", missing: { trained: 0, file: 0.25 } });
    });
  });

  test("the training rows are alike, whatever their categories", () => {
    fc.assert(
      fc.property(trained, (own) => {
        const { columns } = reportOf(modelOf(own), own);
        for (const { index, pValue } of columns!) {
          expect(index).toBe(0);
          expect(pValue).toBeCloseTo(1, 6);
        }
      }),
    );
  });

  test("a difference that is sure and small raises no alarm", () => {
    const many = Array.from(
      { length: 40_000 },
      (_, at): Row => ({ ...rows[at % 1_000]!, b: at % 10 === 0 ? "a" : KNOWN[at % 7]! }),
    );
    const { columns } = reportOf(file, many);
    expect(columns![0]).toMatchObject({ name: "b", verdict: "SLIGHT" });
  });

  test("nine rows are too few to tell", () => {
    const { columns, decisions } = reportOf(
      file,
      rows.slice(0, 9).map((row) => ({ ...row, a: 1e9 })),
    );
    expect([...columns!, decisions!].map(({ verdict }) => verdict)).toEqual(["UNTOLD", "UNTOLD", "UNTOLD"]);
  });

  test("a model that is surer or less sure than on held-out rows raises no alarm", () => {
    const alarmOf = (trainedTenth: number) => {
      const confidence = new Array<number>(10).fill(0).with(trainedTenth, 100);
      const report = reportOf({ ...file, heldOut: { decisions: [667, 333], confidence } }, rows);
      return { ...report.confidence, alarm: hasAlarm({ ...report, decisions: null }) };
    };
    expect(alarmOf(9)).toMatchObject({ verdict: "SHIFTED", isLessSure: true, alarm: false });
    expect(alarmOf(2)).toMatchObject({ verdict: "SHIFTED", isLessSure: false, alarm: false });
  });

  test("answers are not compared under a threshold that was chosen later", () => {
    expect(reportOf(file, rows).decisions).toMatchObject({ verdict: "SHIFTED" });
    const { decisions, confidence } = reportOf({ ...file, trainedClassWeights: null }, rows);
    expect([decisions, confidence]).toEqual([null, null]);
  });

  test("labels judge decisions; unknown and missing ones do not", () => {
    const others = rows.slice(0, 30).map((row, at) => ({ ...row, y: at === 1 ? "maybe" : at === 2 ? "?" : row.y }));
    const { labelled } = reportOf(file, others);
    expect(labelled).toMatchObject({
      rowCount: 28,
      confusion: [
        [18, 0],
        [10, 0],
      ],
    });
    expect(labelled!.accuracy.mean).toBeCloseTo(18 / 28, 12);
    expect(reportOf(file, others, false).labelled).toBeNull();
  });

  test("a model of an earlier version judges labels alone", () => {
    const { reference: _, heldOut: __, ...bare } = file;
    const report = reportOf(bare, rows);
    expect([report.columns, report.decisions, report.labelled?.rowCount]).toEqual([null, null, 1_000]);
  });
});

/** Each is one change to counts that fit: a file that somebody made up. */
const SPOILED: [string, (file: ModelFile) => object][] = [
  ["a column too few", ({ reference }) => ({ reference: reference!.slice(1) })],
  ["columns in another order", ({ reference }) => ({ reference: [...reference!].reverse() })],
  [
    "a name that there is not",
    ({ reference }) => ({ reference: [reference![0], { ...reference![1], frequent: [999], counts: [1, 1] }] }),
  ],
  [
    "cut points out of order",
    ({ reference }) => ({ reference: [{ ...reference![0], cutPoints: [3, 2], counts: [1, 1, 1] }, reference![1]] }),
  ],
  [
    "more ranges than are counted",
    ({ reference }) => ({
      reference: [{ ...reference![0], cutPoints: [...Array(40).keys()], counts: Array(41).fill(1) }, reference![1]],
    }),
  ],
  ["counts below 0", ({ reference }) => ({ reference: [{ ...reference![0], missing: -1 }, reference![1]] })],
  ["a reliability map of two lengths", () => ({ reliability: { cutPoints: [0.5], rows: [1, 2], right: [1] } })],
  ["more right decisions than decisions", () => ({ reliability: { cutPoints: [0.5], rows: [1, 2], right: [1, 3] } })],
  ["ranges out of order", () => ({ reliability: { cutPoints: [0.6, 0.5], rows: [1, 2, 3], right: [1, 2, 3] } })],
  ["decisions of other labels", ({ heldOut }) => ({ heldOut: { ...heldOut, decisions: [1, 2, 3] } })],
  ["no tenths of confidence", ({ heldOut }) => ({ heldOut: { ...heldOut, confidence: [] } })],
  ["no list", () => ({ reference: {} })],
];

test.each(SPOILED)("a model with %s in its counts is damaged", (_, change) => {
  const file = modelOf([
    { a: 1, b: "a", y: "no" },
    { a: 2, b: "b", y: "yes" },
    { a: 3, b: "b", y: "yes" },
  ]);
  const bytes = packModel({ ...file, ...change(file) } as ModelFile);
  expect(() => unpackModel(bytes)).toThrow("damaged");
});

test("one row of each stretch is picked, all of a small file", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_000_000 }), fc.constantFrom(1, 20, 80, 500), (rowCount, columnCount) => {
      const countedRows = { 1: 2_000, 20: 2_000, 80: 1_250, 500: 1_000 }[columnCount]!;
      const stretch = Math.ceil(rowCount / countedRows);
      const picks = picksOf(rowCount, columnCount);
      const { places, isPicked } = picks;
      expect(places.length).toBe(Math.ceil(MOST_ROWS_TOGETHER / Math.max(1, stretch)));
      places.forEach((place, at) => {
        expect(Math.floor(place / Math.max(1, stretch))).toBe(at);
        expect(isPicked[place]).toBe(1);
      });
      expect(isPicked.reduce((sum, one) => sum + one, 0)).toBe(places.length);
    }),
    { numRuns: 30 },
  );
});
