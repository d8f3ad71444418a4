// Hidden layers in other programs: ONNX and the databases give the engine's answers, of fitted layers and of any that
// a model file may hold.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { answeredRows, checkFile } from "../../../engine/export/check-file.ts";
import { inputValues, modelInputs } from "../../../engine/export/onnx/inputs.ts";
import { onnxModel } from "../../../engine/export/onnx/onnx-model.ts";
import { sqlOf } from "../../../engine/export/sql/sql-model.ts";
import type { BaseSettings } from "../../../engine/families/base-algorithms.ts";
import { codeStartsOf } from "../../../engine/fitting/coarse-columns.ts";
import { outputCountOf } from "../../../engine/fitting/score-tables.ts";
import type { HiddenLayer } from "../../../engine/logistic/hidden-layer.ts";
import type { ModelFile } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { scoreOnnx, withOnnx } from "../../support/onnx.ts";
import {
  type Answers,
  answersIn,
  DATABASES,
  type Database,
  RUN_DIALECTS,
  type RunDialect,
  tableOfCells,
} from "../../support/sql-tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";
import { ODD_TEXTS } from "../../support/vector-tables.ts";
import { drawRows } from "../../support/vectors.ts";

const LAYER: BaseSettings = { algorithm: "logistic regression with a hidden layer", l2: 0.3, maxIterations: 40 };
const WORST = 1e-12;

type Rows = readonly (readonly string[])[];
type Scorer = (file: ModelFile, rows: Rows) => Promise<Answers>;

async function onnxAnswers(file: ModelFile, rows: Rows): Promise<Answers> {
  const texts = new Set(modelInputs(file).flatMap(({ name, type }) => (type === "string" ? [name] : [])));
  return withOnnx(onnxModel(file, { ml: 2, sha256: "0".repeat(64) }), async (session) => {
    const { labels, probabilities } = await scoreOnnx(session, inputValues(file, rows), (name) => texts.has(name));
    const count = file.labels.length;
    return {
      labels: [...labels],
      probabilities: rows.map((_, row) => [...probabilities.subarray(row * count, (row + 1) * count)]),
    };
  });
}

async function sqlAnswers(database: Database, dialect: RunDialect, file: ModelFile, rows: Rows): Promise<Answers> {
  await database.run(`DROP TABLE IF EXISTS drawn;\n${tableOfCells(file, rows, dialect, "drawn")}`);
  return answersIn(await database.run(sqlOf(file, { dialect, table: "drawn" })));
}

async function expectSame(score: Scorer, file: ModelFile, rows: Rows): Promise<void> {
  const expected = answeredRows(file, rows);
  const found = await score(file, rows);
  expect(found.labels).toEqual([...expected.labels]);
  const worst = expected.probabilities.flatMap((shares, row) =>
    shares.map((share, k) => Math.abs(share - found.probabilities[row]![k]!)),
  );
  expect(Math.max(...worst)).toBeLessThan(WORST);
}

/** Numbers with holes and without, few and many categories, dates with a time and without. */
function tableOfClasses(labels: readonly string[]) {
  const random = new Random(labels.length);
  const lines = Array.from({ length: 300 }, () => {
    const label = random.nextBelow(labels.length);
    const near = () => (label + 2 * random.nextFloat()) / (labels.length + 1);
    const hole = (value: string) => (random.nextBelow(9) === 0 ? "" : value);
    const day = `20${10 + Math.floor(9 * near())}-0${1 + random.nextBelow(9)}-1${random.nextBelow(9)}`;
    const when = random.nextBelow(5) === 0 ? day : `${day} 1${random.nextBelow(9)}:00`;
    const few = hole(["red", "blue", "green"][Math.floor(2.9 * near())]!);
    return [
      near().toFixed(3),
      hole((40 * near() - 9).toFixed(1)),
      few,
      // Without digits, so that the column is no text.
      `k${"abcdefghijklmnopqrstuvwxyzäöüß"[random.nextBelow(30)]}`,
      when,
      labels[label],
    ];
  });
  return readCsvText(`size,price,colour,shop,when,label\n${lines.map((line) => line.join(",")).join("\n")}\n`);
}

/** A layer that reads codes of these counts in every way: shared inputs, several to a feature, none, large sums. */
function drawnLayer(random: Random, codeCounts: readonly number[], classCount: number): HiddenLayer {
  const [outputCount, unitCount, inputCount] = [outputCountOf(classCount), 1 + random.nextBelow(4), 12];
  const codeStarts = codeStartsOf(codeCounts);
  const spread = (width: number) => width * (2 * random.nextFloat() - 1);
  const [codeInputs, codeValues] = [new Uint32Array(codeStarts.at(-1)!), new Float64Array(codeStarts.at(-1)!)];
  for (const [feature, codeCount] of codeCounts.entries()) {
    const [isShared, way] = [random.nextBelow(3) > 0, random.nextBelow(5)];
    for (let code = 0; code < codeCount; code++) {
      const at = codeStarts[feature]! + code;
      codeInputs[at] = isShared ? feature % inputCount : random.nextBelow(inputCount);
      codeValues[at] = way === 0 ? 0 : way === 1 ? random.nextBelow(2) : random.nextBelow(6) === 0 ? 0 : spread(2);
    }
  }
  const drawn = (length: number, width: number) => Float64Array.from({ length }, () => spread(width));
  return {
    ...{ kind: "hidden layer", classCount, outputCount, unitCount, codeStarts, codeInputs, codeValues },
    unitWeights: Float32Array.from(drawn(inputCount * unitCount, random.nextBelow(4) === 0 ? 900 : 1)),
    unitIntercepts: drawn(unitCount, 1),
    outputWeights: drawn(unitCount * outputCount, 2),
    intercepts: drawn(outputCount, 1),
  };
}

const codeCountsOf = ({ features }: ModelFile) => features.map(({ codeCount }) => codeCount);

/** A stack of drawn layers, the second one on codes of which two become one. */
function drawnStack(random: Random, file: ModelFile, classCount: number): ModelFile["model"] {
  const merges = codeCountsOf(file).map((count) => {
    const codeOf = Uint16Array.from({ length: count }, (_, code) => (code < 2 ? code : 1 + (code >> 1)));
    return { codeOf, codeCount: codeOf.at(-1)! + 1 };
  });
  const merged = merges.map(({ codeCount }) => codeCount);
  return {
    ...{ kind: "stack", classCount, merges: [merges], mains: null },
    ...{ weights: Float64Array.of(0.7, 0.4), intercepts: new Float64Array(classCount) },
    members: [
      { merge: null, model: drawnLayer(random, codeCountsOf(file), classCount) },
      { merge: 0, model: drawnLayer(random, merged, classCount) },
    ],
  };
}

const tables = { "two classes": tableOfClasses(["no", "yes"]), "four classes": tableOfClasses(["a", "b", "c", "d"]) };
const fitted = Object.entries(tables).flatMap(([name, table]) => [
  { name: `${name}, alone`, file: fileOf(table, LAYER) },
  { name: `${name}, with a forest`, file: fileOf(table, FOREST, LAYER) },
]);

/** More features than are summed in one stage, or in one node. */
const header = Array.from({ length: 150 }, (_, at) => `n${at}`);
const wide = fileOf(
  readCsvText(
    `${[...header, "label"].join(",")}\n${Array.from({ length: 40 }, (_, row) =>
      [...header.map((_, at) => ((row * (at + 3)) % 17) / 4), row % 3 === 0 ? "yes" : "no"].join(","),
    ).join("\n")}\n`,
  ),
  FOREST,
);

describe.each(["onnx", ...RUN_DIALECTS] as const)("%s", (target) => {
  let database: Database | null = null;
  beforeAll(async () => {
    if (target !== "onnx") database = await DATABASES[target]();
  });
  afterAll(() => database?.close());
  const score: Scorer = (file, rows) =>
    target === "onnx" ? onnxAnswers(file, rows) : sqlAnswers(database!, target, file, rows);

  test.each(fitted)("a fitted layer of $name", async ({ file }) => {
    const rows = [...checkFile(file).rows, ...drawRows(file, ODD_TEXTS, 60)];
    expect(new Set(answeredRows(file, rows).labels).size).toBe(file.labels.length);
    await expectSame(score, file, rows);
  });

  test("drawn layers, alone and stacked", async () => {
    const drawn = fc.asyncProperty(
      fc.nat(),
      fc.constantFrom(...fitted),
      fc.boolean(),
      async (seed, { file }, isStack) => {
        const random = new Random(seed);
        const classCount = file.labels.length;
        const model = isStack
          ? drawnStack(random, file, classCount)
          : drawnLayer(random, codeCountsOf(file), classCount);
        await expectSame(score, { ...file, model }, drawRows(file, ODD_TEXTS, 30));
      },
    );
    await fc.assert(drawn, { numRuns: 25 });
  });

  test("layers of more features than one sum has", async () => {
    for (const seed of [1, 2, 3]) {
      const model = drawnLayer(new Random(seed), codeCountsOf(wide), 2);
      await expectSame(score, { ...wide, model }, checkFile(wide).rows);
    }
  });

  test("a layer that no column takes part in", async () => {
    const { file } = fitted[0]!;
    const layer = drawnLayer(new Random(1), codeCountsOf(file), 2);
    await expectSame(
      score,
      { ...file, model: { ...layer, codeValues: layer.codeValues.map(() => 0) } },
      checkFile(file).rows,
    );
  });
});

test("PostgreSQL gets no subquery of more columns than it takes", () => {
  const copies = Array.from({ length: 8 }, (_, copy) => copy * wide.columns.length);
  const columns = copies.flatMap((from) => wide.columns.map((own, at) => ({ ...own, name: `n${from + at}` })));
  const features = copies.flatMap((from) => wide.features.map((own) => ({ ...own, column: from + own.column })));
  const file = { ...wide, columns, features };
  const sqlFor = (model: ModelFile["model"], dialect: RunDialect) => sqlOf({ ...file, model }, { dialect, table: "t" });
  const stack = drawnStack(new Random(1), file, 2);
  expect(() => sqlFor(stack, "postgres")).toThrow(
    /a subquery of it would have 1\d{3} columns, and PostgreSQL takes 1600\./,
  );
  for (const made of [sqlFor(stack, "duckdb"), sqlFor(drawnLayer(new Random(1), codeCountsOf(file), 2), "postgres")]) {
    expect(made).toContain("SELECT");
  }
});
