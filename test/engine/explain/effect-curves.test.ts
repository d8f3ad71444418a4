// Curves of what a model learned, against row by row definitions; when local
// effects take over; what is shown of which column.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { accumulatedEffects } from "../../../engine/explain/accumulated-effects.ts";
import { STRONG_ASSOCIATION } from "../../../engine/explain/association.ts";
import { type EffectCurves, effectCurves } from "../../../engine/explain/effect-curves.ts";
import { gridOf } from "../../../engine/explain/effect-grid.ts";
import { type Model, scoreModel } from "../../../engine/families/algorithms.ts";
import { type BaseSettings, fitBase } from "../../../engine/families/base-algorithms.ts";
import { applyTemperature } from "../../../engine/judging/temperature.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { codeRows, codeTable, type FeatureBuckets, fitBuckets } from "../../../engine/table/buckets.ts";
import type { NumberFeature, ScoreFeature, Table } from "../../../engine/table/table.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { forestOf } from "../../support/forests.ts";
import { type Cells, drawTable, everyRow, makeTable } from "../../support/tables.ts";

const FOREST = forestOf({ treeCount: 12, featuresPerSplit: 2, minLeafRows: 2 });
const LOGISTIC: BaseSettings = { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 50 };
const SELECTIVE: BaseSettings = { algorithm: "naive Bayes", variant: "selective", smoothing: 1 };

interface Learned {
  table: Table;
  model: Model;
  bucketing: FeatureBuckets[];
}

function learn(table: Table, settings: BaseSettings): Learned {
  const rows = everyRow(table);
  const bucketing = fitBuckets(table, rows, 254);
  const classCount = table.labels.length;
  const view = codeTable(table, bucketing);
  const model = fitBase(settings, { view, rows, classes: table.classes, classCount, seed: 1, stop: neverStop });
  return { table, model, bucketing };
}

function curvesOf(learned: Learned, options: { temperature?: number; byImportance?: number[] } = {}): EffectCurves[] {
  const { temperature = 1, byImportance = [] } = options;
  return effectCurves({ ...learned, temperature, byImportance, positiveClass: 1, seed: 1 }, neverStop);
}

/** The probabilities of one row of the table where one feature has another code; -1 leaves it as it is. */
function probabilityOf(
  { table, model, bucketing }: Learned,
  row: number,
  index: number,
  code: number,
  temperature = 1,
) {
  const view = codeRows(table, bucketing, Uint32Array.of(row));
  const features = view.features.map((feature, at) =>
    at === index && code >= 0 ? { ...feature, codes: Uint16Array.of(code) } : feature,
  );
  const probabilities = scoreModel(model, { ...view, features }, Uint32Array.of(0));
  applyTemperature(probabilities, model.classCount, temperature);
  return probabilities;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe.each([FOREST, LOGISTIC])("%o", (settings) => {
  test("a partial dependence is the mean over the rows with the cell replaced, one by one", () => {
    const learned = learn(drawTable(80, 2, 4), settings);
    const { table, bucketing } = learned;
    const curves = curvesOf(learned, { temperature: 1.7 }).filter(({ method }) => method === "partial dependence");
    expect(curves.length).toBeGreaterThan(1);
    for (const { column, points, curves: found } of curves) {
      const grid = gridOf(table, column, bucketing[column]!);
      const codes = [...grid.points, ...(grid.missing === null ? [] : [grid.missing])].map(({ code }) => code);
      expect(points).toHaveLength(codes.length);
      expect(found).toHaveLength(1);
      for (const [at, code] of codes.entries()) {
        const rows = [...everyRow(table)].map((row) => probabilityOf(learned, row, column, code, 1.7)[1]!);
        expect(found[0]!.probabilities[at]).toBeCloseTo(meanOf(rows), 9);
      }
    }
  });
});

test("accumulated local effects of a number are the sums of mean changes within each step, around the mean probability", () => {
  const learned = learn(copyTable(90, 3), FOREST);
  const { table, bucketing } = learned;
  const [first] = curvesOf(learned, { byImportance: [0] });
  expect(first!.method).toBe("accumulated local effects");
  const codes = gridOf(table, 0, bucketing[0]!).points.map(({ code }) => code);
  const own = codeRows(table, bucketing, everyRow(table)).features[0]!.codes;
  for (const { classCode, probabilities } of first!.curves) {
    const probability = (row: number, code: number) => probabilityOf(learned, row, 0, code)[classCode]!;
    const curve = [0];
    for (let step = 1; step < codes.length; step++) {
      const [from, to] = [codes[step - 1]!, codes[step]!];
      const inside = [...everyRow(table)].filter((row) => own[row]! <= to && (own[row]! > from || step === 1));
      curve.push(curve[step - 1]! + meanOf(inside.map((row) => probability(row, to) - probability(row, from))));
    }
    const stepOf = (row: number) =>
      Math.max(
        1,
        codes.findIndex((code) => own[row]! <= code),
      );
    const level = meanOf([...everyRow(table)].map((row) => (curve[stepOf(row)]! + curve[stepOf(row) - 1]!) / 2));
    const mean = meanOf([...everyRow(table)].map((row) => probability(row, -1)));
    for (const [at, sum] of curve.entries()) expect(probabilities[at]).toBeCloseTo(sum - level + mean, 9);
  }
});

test("local effects of a model that is a sum over columns are that sum's part, however the columns go together", () => {
  // p = a(x) + b(z), with z tied to x.
  const parts = fc.array(fc.double({ min: 0, max: 0.4, noNaN: true }), { minLength: 3, maxLength: 8 });
  const rows = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(parts, rows, fc.constantFrom("number" as const, "category" as const), (a, drawn, kind) => {
      const points = a.map((_, at) => 2 + at);
      // Every value occurs: a step without rows says nothing.
      const places = [...a.keys(), ...drawn.map((own) => own % a.length)];
      const other = (place: number) => 0.3 + 0.2 * Math.sin(place);
      const score = (codes: ArrayLike<number>) =>
        Float64Array.from(
          places.flatMap((place, row) => {
            const p = a[codes[row]! - 2]! + other(place);
            return [1 - p, p];
          }),
        );
      const codes = places.map((place) => 2 + place);
      const curve = accumulatedEffects({ kind, codes, points, classCount: 2 }, (changes) => changes.map(score));
      for (const [at, own] of curve.entries()) {
        expect(own[1]! - curve[0]![1]!).toBeCloseTo(a[at]! - a[0]!, 9);
        expect(own[0]! + own[1]!).toBeCloseTo(1, 9);
      }
      // A number's row lies somewhere in its step, the lowest ones in the first.
      const between = (place: number) => (curve[Math.max(1, place)]![1]! + curve[Math.max(1, place) - 1]![1]!) / 2;
      const level = meanOf(places.map((place) => (kind === "category" ? curve[place]![1]! : between(place))));
      expect(level).toBeCloseTo(meanOf([...score(codes)].filter((_, at) => at % 2 === 1)), 9);
    }),
  );
});

test("rows at no point of a category take no part", () => {
  const score = (codes: ArrayLike<number>) => Float64Array.from({ length: 3 }, (_, row) => codes[row]! / 10);
  const curve = accumulatedEffects({ kind: "category", codes: [2, 3, 9], points: [2, 3], classCount: 1 }, (changes) =>
    changes.map(score),
  );
  expect(curve.map(([own]) => own)).toEqual([expect.closeTo(0.2), expect.closeTo(0.3)]);
});

test("columns that go together have local effects and name each other; the others have partial dependences", () => {
  const curves = curvesOf(learn(copyTable(300, 2), LOGISTIC));
  const methods = new Map(curves.map(({ column, method }) => [column, method]));
  expect(methods).toEqual(
    new Map([
      [0, "accumulated local effects"],
      [1, "accumulated local effects"],
      [2, "partial dependence"],
    ] as const),
  );
  const first = curves.find(({ column }) => column === 0)!;
  expect(first.closest!.column).toBe(1);
  expect(first.closest!.association).toBeGreaterThan(0.9);
  expect(curves.find(({ column }) => column === 2)!.closest!.association).toBeLessThan(STRONG_ASSOCIATION);
});

test("parts of one date are not held against each other, and the words of a text have no curve", () => {
  const learned = learn(copyTable(300, 2), LOGISTIC);
  const [first, second, third] = learned.table.features;
  const dated = (features: Table["features"]) => curvesOf({ ...learned, table: { ...learned.table, features } });
  const parts = dated([
    { ...first!, part: "month" } as NumberFeature,
    { ...second!, part: "day", column: 0 } as NumberFeature,
    third!,
  ]);
  expect(parts.map(({ column, part, method }) => [column, part, method])).toEqual(
    expect.arrayContaining([
      [0, "month", "partial dependence"],
      [0, "day", "partial dependence"],
      [2, null, "partial dependence"],
    ]),
  );
  const words: ScoreFeature = { kind: "score", name: "text", column: 1, part: null, group: 0 };
  expect(dated([first!, words, third!]).map(({ column }) => column)).not.toContain(1);
});

describe("parts of texts", () => {
  const random = new Random(4);
  const letter = () => "ACGT"[random.nextBelow(4)]!;
  const rows = Array.from({ length: 600 }, () => {
    const list = Array.from({ length: 6 }, () => random.nextBelow(100));
    const code = Array.from({ length: 8 }, letter).join("");
    const isHigh = list[3]! + 30 * Number("AG".includes(code[4]!)) + random.nextBelow(20) > 70;
    return `"${list.join(", ")}",${code},${isHigh ? "high" : "low"}`;
  });
  const { table } = readCsvText(`list,code,label\n${rows.join("\n")}\n`);
  const curves = curvesOf(learn(table, { ...FOREST, treeCount: 40, featuresPerSplit: 6 }));
  const ofPart = (part: EffectCurves["part"]) => curves.find((curve) => curve.part === part);

  test("have curves where they change a probability, three of a column at most", () => {
    expect(table.features.length).toBeGreaterThan(12);
    expect(ofPart("number4")!.kind).toBe("number");
    for (const column of [0, 1]) {
      const parts = curves.filter((curve) => curve.column === column);
      expect(parts.length).toBeLessThanOrEqual(3);
      for (const { curves: own, points } of parts) {
        const change = Math.max(...own[0]!.probabilities) - Math.min(...own[0]!.probabilities);
        expect(change).toBeGreaterThanOrEqual(0.05);
        for (const { rows } of points) expect(rows).toBeGreaterThanOrEqual(5);
      }
    }
  });

  test("of a place are named by its characters, which fall apart as the label does", () => {
    const { kind, points, curves: own } = ofPart("character5")!;
    expect(kind).toBe("category");
    expect(points.map(({ value }) => value)).toEqual(["A", "C", "G", "T"]);
    const [a, c, g, t] = own[0]!.probabilities as [number, number, number, number];
    expect(Math.abs(a + g - c - t)).toBeGreaterThan(0.2);
  });

  /** The points of a place where each of these characters stands in six rows. */
  function pointsOf(units: readonly number[]) {
    const cells = units.flatMap((unit) => new Array<number>(6).fill(unit));
    const plain = makeTable(
      [cells],
      cells.map((_, row) => `class ${row % 2}`),
    );
    const features = [{ ...plain.features[0]!, part: "character1" } as NumberFeature];
    const ofPlace = { ...plain, features };
    return gridOf(ofPlace, 0, fitBuckets(ofPlace, everyRow(ofPlace), 254)[0]!).points;
  }

  test("of a place show no halves of emoji", () => {
    const halves = [..."😀🚀"].flatMap((emoji) => emoji.split("").map((half) => half.charCodeAt(0)));
    expect(pointsOf([65, 66, ...halves]).map(({ value }) => value)).toEqual(["A", "B"]);
  });

  test("of a place with many characters name the first and the last of each point", () => {
    const points = pointsOf(Array.from({ length: 52 }, (_, at) => 65 + at));
    expect(points.length).toBeLessThanOrEqual(20);
    const named = points.map(({ value }) => `${value}`.split("–"));
    expect(named[0]).toEqual(["A"]);
    expect(named.at(-1)!.at(-1)).toBe(String.fromCharCode(65 + 51));
    for (const [at, [first]] of named.entries()) {
      if (at > 0) expect(first!.charCodeAt(0)).toBe(named[at - 1]!.at(-1)!.charCodeAt(0) + 1);
    }
  });
});

test("the important columns come first, and columns that the model does not use have no curve", () => {
  const random = new Random(2);
  const cells = Array.from({ length: 400 }, () => random.nextBelow(4));
  const noise = cells.map(() => random.nextBelow(4));
  const table = makeTable(
    [noise, cells],
    cells.map((value) => (value > 1 ? "high" : "low")),
  );
  expect(curvesOf(learn(table, SELECTIVE)).map(({ column }) => column)).toEqual([1]);
  const every = learn(drawTable(200, 2, 6), LOGISTIC);
  const order = curvesOf(every, { byImportance: [2, 0] }).map(({ column }) => column);
  expect(order.slice(0, 2)).toEqual([2, 0]);
  expect(order.toSorted()).toEqual([0, 1, 2, 3]);
});

test("at most 20 columns, and of many classes the five that change the most", () => {
  const random = new Random(3);
  const rowCount = 300;
  const columns = Array.from({ length: 30 }, (): Cells => Array.from({ length: rowCount }, () => random.nextBelow(30)));
  const labels = columns[0]!.map((value) => `class ${Math.floor(Number(value) / 4)}`);
  const curves = curvesOf(learn(makeTable(columns, labels), LOGISTIC));
  expect(curves).toHaveLength(20);
  for (const { curves: own, points } of curves) {
    expect(own).toHaveLength(5);
    expect(points.length).toBeLessThanOrEqual(21);
  }
});

test("leaves when cancelled", () => {
  const learned = learn(drawTable(60, 2, 1), LOGISTIC);
  const whole = { ...learned, temperature: 1, byImportance: [], positiveClass: 1, seed: 1 };
  expect(() => effectCurves(whole, { ...neverStop, cancelled: () => true })).toThrow(Cancelled);
});

describe("points", () => {
  const grid = (cells: Cells) => {
    const table = makeTable(
      [cells],
      cells.map((_, row) => (row % 3 === 0 ? "a" : "b")),
    );
    return gridOf(table, 0, fitBuckets(table, everyRow(table), 254)[0]!);
  };

  test("of a number ascend from the lowest value to the highest; every row lies behind one point", () => {
    const cells = fc.array(fc.option(fc.integer({ min: -40, max: 40 })), { minLength: 2, maxLength: 300 });
    fc.assert(
      fc.property(cells, (drawn) => {
        const numbers = drawn.filter((cell) => cell !== null);
        fc.pre(numbers.length > 0);
        const { points, missing } = grid(drawn);
        const values = points.map(({ value }) => Number(value));
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect([values[0], values.at(-1)]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
        expect(points.length).toBeLessThanOrEqual(20);
        for (const [at, { rows }] of points.entries()) {
          const behind = numbers.filter((own) => own <= values[at]! && (at === 0 || own > values[at - 1]!));
          expect(rows).toBe(behind.length);
        }
        expect(missing?.rows ?? 0).toBe(drawn.length - numbers.length);
      }),
    );
  });

  test("a value that most rows have leaves points to the others", () => {
    const cells = Array.from({ length: 2_000 }, (_, row) => (row < 1_900 ? 0 : row));
    expect(grid(cells).points.length).toBeGreaterThan(12);
  });

  test("of a category are the most frequent ones with five rows at least", () => {
    const cells = Array.from({ length: 20 }, (_, at) => new Array<string>(at + 1).fill(`value ${at + 1}`)).flat();
    const { points } = grid(cells);
    const names = points.map(({ value }) => String(value)).sort();
    expect(names).toEqual(Array.from({ length: 12 }, (_, at) => `value ${at + 9}`).sort());
    expect(grid([...new Array(9).fill("often"), "once"]).points.map(({ value }) => value)).toEqual(["often"]);
  });
});

/** Two columns that are nearly the same, and one of its own. */
function copyTable(rowCount: number, classCount: number): Table {
  const random = new Random(8);
  const first = Array.from({ length: rowCount }, () => random.nextBelow(40));
  const near = first.map((value) => value * 2 + random.nextBelow(2));
  const other = first.map(() => random.nextBelow(30));
  const labels = first.map((value, row) => {
    const score = value / 40 + other[row]! / 60 + 0.2 * random.nextFloat();
    return `class ${Math.max(0, Math.min(classCount - 1, Math.floor((score / 1.6) * classCount)))}`;
  });
  return makeTable([first, near, other], labels);
}
