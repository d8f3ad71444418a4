// Model files: every kind of model comes back scoring the same, and a file whose parts do not fit is refused.
import { describe, expect, test } from "bun:test";
import { packArrays, readPrefix, type StoredArray, unpackArrays } from "../../../engine/arrays/array-file.ts";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { PLAIN_FORM } from "../../../engine/columns/numbers.ts";
import { type Model, scoreModel } from "../../../engine/families/algorithms.ts";
import { type BaseModel, type BaseSettings, fitBase } from "../../../engine/families/base-algorithms.ts";
import type { StackModel } from "../../../engine/families/stack-model.ts";
import { InputError } from "../../../engine/input-error.ts";
import { decide } from "../../../engine/judging/metrics.ts";
import { applyTemperature } from "../../../engine/judging/temperature.ts";
import { modelFeatures } from "../../../engine/model/model-features.ts";
import {
  MODEL_FORMAT,
  type ModelFile,
  packModel,
  readModelHead,
  unpackModel,
} from "../../../engine/model/model-file.ts";
import { requireColumns, Scorer } from "../../../engine/scoring/scorer.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import { FIRST_LEVEL, type NumberFeature } from "../../../engine/table/table.ts";
import { forestOf } from "../../support/forests.ts";
import { drawTable, everyRow } from "../../support/tables.ts";

const settings: BaseSettings[] = [
  forestOf({ treeCount: 12, featuresPerSplit: 2, minLeafRows: 1 }),
  {
    algorithm: "forest",
    variant: "extra-trees",
    treeCount: 9,
    featuresPerSplit: 2,
    minLeafRows: 2,
    maxDepth: 5,
    rowsPerTree: null,
  },
  { algorithm: "naive Bayes", variant: "plain", smoothing: 1 },
  { algorithm: "naive Bayes", variant: "selective", smoothing: 1 },
  { algorithm: "naive Bayes", variant: "weighted", smoothing: 1 },
  { algorithm: "logistic regression", basis: "smooth", l2: 3, maxIterations: 50 },
  { algorithm: "logistic regression", basis: "one-hot", l2: 3, maxIterations: 50 },
  { algorithm: "logistic regression", basis: "linear", l2: 3, maxIterations: 50 },
  { algorithm: "paired naive Bayes", pairCount: 3, smoothing: 1 },
  { algorithm: "k-dependence naive Bayes", memberCount: 4, smoothing: 10 },
  { algorithm: "AODE", pooling: "geometric", parentCount: 3, leastParentRows: 1, smoothing: 1 },
  { algorithm: "additive logistic regression", ...boostingSettings("c3", 300, 2), roundCount: 20 },
  { algorithm: "logistic regression with a hidden layer", l2: 1, maxIterations: 20 },
];

/**
 * A model file of the given settings on a drawn table of columns a (number,
 * with gaps), b (number), c (category), d (number).
 */
function makeFile(
  chosen: BaseSettings,
  classCount: number,
): { file: ModelFile; expected: Float64Array; records: string[][] } {
  const table = drawTable(300, classCount, 5);
  const rows = everyRow(table);
  const bucketing = fitBuckets(table, rows, 20);
  const view = codeTable(table, bucketing);
  const input = { view, rows, classes: table.classes, classCount, seed: 3, stop: neverStop };
  const model: Model = fitBase(chosen, input);
  const columns = table.features.map(({ name, kind }) => ({
    name,
    kind,
    missingCount: 0,
    reading: kind === "number" ? ({ kind, form: PLAIN_FORM } as const) : ({ kind: "category" } as const),
  }));
  const features = modelFeatures(table, bucketing);
  const file = {
    lineage: { settings: chosen } as never,
    label: "y",
    labels: table.labels,
    positiveLabel: null,
    missingMarkers: ["", "NA"],
    columns,
    features,
    model,
  } satisfies ModelFile;
  const records = Array.from({ length: table.rowCount }, (_, row) =>
    table.features.map((feature, column) => {
      const level = table.levels[column]![row]!;
      if (level < FIRST_LEVEL) return "NA";
      return feature.kind === "category"
        ? feature.names[level - FIRST_LEVEL]!
        : String((feature as NumberFeature).values[level - FIRST_LEVEL]);
    }),
  );
  return { file, expected: scoreModel(model, view, rows), records };
}

describe("a model file", () => {
  for (const chosen of settings) {
    for (const classCount of [2, 4]) {
      test(`scores text as the fitted model scores codes: ${JSON.stringify(chosen).slice(0, 60)} ${classCount}`, () => {
        const { file, expected, records } = makeFile(chosen, classCount);
        const bytes = packModel(file);
        expect(packModel(unpackModel(bytes))).toEqual(bytes);
        const scorer = new Scorer(unpackModel(bytes), ["a", "b", "c", "d"]);
        expect(scorer.score(records).probabilities).toEqual(expected);
        const reordered = new Scorer(file, ["d", "extra", "c", "b", "a"]);
        const moved = records.map(([a, b, c, d]) => [d!, "?", c!, b!, a!]);
        expect(reordered.score(moved).probabilities).toEqual(expected);
      });
    }
  }

  test("keeps its temperature: probabilities and reasons change, decisions do not", () => {
    const { file, expected, records } = makeFile(settings[3]!, 4);
    const names = ["a", "b", "c", "d"];
    const plain = new Scorer(file, names, 4).score(records);
    const stored = unpackModel(packModel({ ...file, temperature: 2 }));
    const tempered = new Scorer(stored, names, 4).score(records);
    expect(tempered.decisions).toEqual(plain.decisions);
    applyTemperature(expected, 4, 2);
    expect(tempered.probabilities).toEqual(expected);
    for (const [row, reasons] of tempered.reasons.entries()) {
      for (const [place, { effect }] of reasons.entries()) {
        expect(effect).toBeCloseTo(plain.reasons[row]![place]!.effect / 2, 12);
      }
    }
    for (const temperature of [0, -1, Number.POSITIVE_INFINITY, "2" as never]) {
      expect(() => unpackModel(packModel({ ...file, temperature }))).toThrow(InputError);
    }
  });

  test("keeps what it decides for: weights move decisions, not probabilities", () => {
    const { file, expected, records } = makeFile(settings[3]!, 4);
    const names = ["a", "b", "c", "d"];
    const classWeights = [0.5, 1, 8, 1];
    const stored = unpackModel(packModel({ ...file, classWeights }));
    const { probabilities, decisions } = new Scorer(stored, names, 2).score(records);
    expect(probabilities).toEqual(expected);
    expect(decisions).toEqual(decide(expected, 4, { classWeights }));
    expect(decisions).not.toEqual(decide(expected, 4));
    for (const wrong of [
      [1, 1, 1],
      [1, 1, 1, -1],
      [1, 1, 1, Number.NaN],
      [1, 1, 1, "1" as never],
    ]) {
      expect(() => unpackModel(packModel({ ...file, classWeights: wrong }))).toThrow(InputError);
    }
  });

  test("keeps costs that decide, in a version that programs without them refuse", () => {
    const { file, expected, records } = makeFile(settings[3]!, 4);
    const names = ["a", "b", "c", "d"];
    const costs = [0, 1, 2, 3].map((actual) => [0, 9, 1, 1].map((cost, decided) => (actual === decided ? 0 : cost)));
    const bytes = packModel({ ...file, costs });
    expect(readPrefix(MODEL_FORMAT, (at, length) => bytes.subarray(at, at + length)).version).toBe(3);
    expect(() => unpackArrays({ ...MODEL_FORMAT, version: 2 }, bytes)).toThrow(InputError);
    const { probabilities, decisions, reasons } = new Scorer(unpackModel(bytes), names, 2).score(records);
    expect(probabilities).toEqual(expected);
    expect(decisions).toEqual(decide(expected, 4, { costs }));
    expect(decisions).not.toEqual(decide(expected, 4));
    expect(reasons.length).toBe(records.length);
    const row = [0, 1, 1, 1];
    for (const wrong of [[row, row, row], [row, row, row, [0, 1, 1]], [row, row, row, [0, 1, 1, -1]], 5 as never]) {
      expect(() => unpackModel(packModel({ ...file, costs: wrong }))).toThrow(InputError);
    }
  });

  test("that has a hidden layer, alone or in a stack, has a version that programs without these refuse", () => {
    const { file } = makeFile(settings.at(-1)!, 2);
    const stack: StackModel = {
      kind: "stack",
      classCount: 2,
      members: [{ merge: null, model: file.model as BaseModel }],
      merges: [],
      weights: Float64Array.of(1),
      intercepts: new Float64Array(2),
      mains: null,
    };
    const { file: other } = makeFile(settings[3]!, 2);
    const versions = [file, { ...file, model: stack }, other].map((own) => {
      const bytes = packModel(own);
      return readPrefix(MODEL_FORMAT, (at, length) => bytes.subarray(at, at + length)).version;
    });
    expect(versions).toEqual([4, 4, 1]);
  });

  test("tells how long it is without its arrays, and whether it reads texts, by its head alone", () => {
    const { file } = makeFile(settings[0]!, 2);
    let readTo = 0;
    const headOf = (bytes: Uint8Array) =>
      readModelHead((at, length) => {
        readTo = at + length;
        return bytes.subarray(at, readTo);
      });
    const lengthOf = (bytes: Uint8Array) => headOf(bytes).headBytes;
    const bytes = packModel(file);
    expect(lengthOf(packModel({ ...file, label: `${file.label}${"n".repeat(1000)}` }))).toBe(lengthOf(bytes) + 1000);
    const arrayBytes = [...unpackArrays(MODEL_FORMAT, bytes).arrays.values()].reduce(
      (sum, array) => sum + array.byteLength,
      0,
    );
    expect(lengthOf(bytes)).toBeGreaterThan(0);
    expect(headOf(bytes).readsTexts).toBe(false);
    expect(headOf(packModel({ ...file, texts: [] })).readsTexts).toBe(true);
    const costs = [
      [0, 2],
      [1, 0],
    ];
    const { headBytes, readsTexts } = headOf(packModel({ ...file, costs }));
    expect([readsTexts, readTo]).toEqual([false, 16 + headBytes]);
    expect(lengthOf(bytes) + arrayBytes).toBeLessThan(bytes.length);
    for (const none of ["", "CUPELMDL", "a,b,label\n1,2,yes\n"])
      expect(lengthOf(new TextEncoder().encode(none))).toBe(0);
  });

  test("is refused where its forest would be walked in circles or out of bounds", () => {
    const bytes = packModel(makeFile(settings[0]!, 2).file);
    const spoil = (name: string, change: (array: StoredArray) => void) => {
      const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes.slice());
      change(arrays.get(name)!);
      return packArrays(MODEL_FORMAT, head as object, arrays);
    };
    expect(() => unpackModel(spoil("children", (array) => array.fill(0)))).toThrow(InputError);
    expect(() => unpackModel(spoil("children", (array) => array.fill(-1_000_000)))).toThrow(InputError);
    expect(() => unpackModel(spoil("features", (array) => array.fill(9)))).toThrow(InputError);
    expect(() => unpackModel(spoil("roots", (array) => array.fill(4_000_000)))).toThrow(InputError);
    expect(unpackModel(spoil("roots", () => undefined)).label).toBe("y");
  });
});

describe("scoring", () => {
  const { file } = makeFile(settings[5]!, 2);

  test("names the columns that are missing, with a near miss", () => {
    const error = (names: string[]) => {
      try {
        new Scorer(file, names);
      } catch (caught) {
        return (caught as Error).message;
      }
      return "";
    };
    expect(error(["a", "B", "c", "d"])).toBe(
      'The file lacks 1 of the 4 columns that the model needs: "b" (the file has "B"). Names must match exactly; their order does not matter.',
    );
    expect(error(["a", "b\u200b", "c", "d"])).toContain('(the file has "b\u200b" with a zero-width space (U+200B)).');
    expect(error(["x"])).toContain("lacks 4 of the 4");
    const noHeader = "If the first line is data";
    expect(error(["x"])).toContain(`${noHeader}, put a header above it, or name its columns: --input-header`);
    expect(error(["column_1", "column_2"])).not.toContain("--no-header");
    expect(() => requireColumns(["column_1", "column_2"], ["x", "7"])).toThrow(`${noHeader}, say so: --no-header`);
    expect(error(["A", "B", "C", "D"])).not.toContain(noHeader);
    const unknown = (names: string[]) =>
      /does not matter\.(?: The file also has (.*), which .* know\.)?$/.exec(error(names))![1];
    expect(unknown(["a", "b", "c", "y", "gross weight"])).toBe('"gross weight"');
    expect(unknown(["a", "b", "c", "k1", "k2", "k3", "k4"])).toBe('"k1", "k2", "k3" and 1 more');
    expect(unknown(["a", "b", "c", "D", "k1"])).toBeUndefined();
    expect(unknown(["a", "b", "c", "y"])).toBeUndefined();
  });

  test("counts what the training rows did not have", () => {
    const scorer = new Scorer(file, ["a", "b", "c", "d", "y", "more"]);
    scorer.score([
      ["0.5", "1", "p", "0.1", "", ""],
      ["text", "NA", "unknown", "", "", ""],
      ["0.5", "2", "unknown", "1e9", "", ""],
    ]);
    const warnings = scorer.warnings();
    expect(warnings.find(({ code }) => code === "NOT_READ")!.message).toBe(
      'Column "a": 1 cell has text that does not fit the column\'s form, taken as missing; it stands in row 2.',
    );
    expect(warnings.map(({ code, column, count }) => ({ code, column, count }))).toEqual([
      { code: "LABEL_IGNORED", column: "y", count: undefined },
      { code: "EXTRA_COLUMNS", column: undefined, count: 1 },
      { code: "NOT_READ", column: "a", count: 1 },
      { code: "NEW_MISSING", column: "b", count: 1 },
      { code: "UNSEEN_CATEGORY", column: "c", count: 2 },
      { code: "NEW_MISSING", column: "d", count: 1 },
    ]);
  });

  test("warns about rows without any value, whatever else they hold", () => {
    const scorer = new Scorer(file, ["y", "a", "b", "c", "d", "more"], 0, 5);
    const emptyRow = ["no", "", "NA", " ", "", "1"];
    const records = [["no", "", "", "p", "", ""], emptyRow, emptyRow, ["", "1", "", "", "", ""], emptyRow];
    scorer.score(records, [2, 3, 6, 7, 8]);
    const found = scorer.warnings().find(({ code }) => code === "EMPTY_ROWS")!;
    const message =
      "3 rows have no value in any column that the model uses; the first stands in line 3. Do not rely on their answers.";
    expect(found).toEqual({ code: "EMPTY_ROWS", message, line: 3, count: 3 });
  });

  test("names the columns that it does not use", () => {
    const told = (names: string[]) => new Scorer(file, names).warnings().map(({ message }) => message);
    const needed = ["a", "b", "c", "d"];
    expect(told([...needed, "x"])).toEqual(['A column that the model does not use was ignored: "x".']);
    expect(told([...needed, "x", "z"])).toEqual(['2 columns that the model does not use were ignored: "x", "z".']);
  });
});
