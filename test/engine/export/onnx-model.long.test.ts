// Models as ONNX: another program gives the engine's answers, for every
// kind of model, on rows with holes and odd cells.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { answeredRows, type CheckFile, checkFile } from "../../../engine/export/check-file.ts";
import { inputValues, modelInputs } from "../../../engine/export/onnx/inputs.ts";
import { onnxModel } from "../../../engine/export/onnx/onnx-model.ts";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { testFolder } from "../../support/folders.ts";
import { type OnnxAnswers, scoreOnnx, withOnnx } from "../../support/onnx.ts";
import { FOREST, fileOf, WORDS } from "../../support/text-models.ts";
import { describeWithTools } from "../../support/tools.ts";
import { VECTORS } from "../../support/vectors.ts";

const MODELS = join(import.meta.dir, "../../fixtures/models");
const VERSIONS = [2, 5] as const;
const WORST = 1e-12;

interface Known {
  name: string;
  file: ModelFile;
  /** Rows with known answers. */
  known: CheckFile | null;
}

const models = [MODELS, VECTORS].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".cupel"))
    .map((name): Known => {
      const path = join(folder, name);
      const known = folder === VECTORS ? JSON.parse(readFileSync(path.replace(".cupel", ".json"), "utf8")) : null;
      return { name: name.replace(".cupel", ""), file: unpackModel(readFileSync(path)), known };
    }),
);
const exported = models.filter(({ file }) => file.texts === undefined);
const withTexts = models.filter(({ file }) => file.texts !== undefined);

function onnxOf(file: ModelFile, ml: 2 | 5 = 2): readonly Uint8Array[] {
  return onnxModel(file, { ml, sha256: "0".repeat(64) });
}

/** Asks that labels are the same, and probabilities but for rounding. */
function expectSame({ labels, probabilities }: CheckFile, found: OnnxAnswers): void {
  expect([...found.labels]).toEqual([...labels]);
  const shares = probabilities.flat();
  expect(found.probabilities).toHaveLength(shares.length);
  const worst = shares.reduce((most, share, at) => Math.max(most, Math.abs(share - found.probabilities[at]!)), 0);
  expect(worst).toBeLessThanOrEqual(WORST);
}

/** Scores rows of text cells by the export. */
function scorerOf(file: ModelFile, session: Parameters<typeof scoreOnnx>[0]) {
  const texts = new Set(modelInputs(file).flatMap(({ name, type }) => (type === "string" ? [name] : [])));
  return (rows: readonly (readonly string[])[]) =>
    scoreOnnx(session, inputValues(file, rows), (name) => texts.has(name));
}

describe.each(VERSIONS)("tree operators of version %d", (ml) => {
  test.each(exported)("$name", ({ file, known }) =>
    withOnnx(onnxOf(file, ml), async (session) => {
      const score = scorerOf(file, session);
      const check = checkFile(file);
      expectSame(check, await score(check.rows));
      if (known !== null) expectSame(known, await score(known.rows));
      // No row depends on its neighbours, and there may be none.
      for (const rows of [check.rows.toReversed().slice(3), check.rows.slice(4, 5), []]) {
        expectSame(answeredRows(file, rows), await score(rows));
      }
    }),
  );
});

describe("rows", () => {
  const drawn = ["stack-two-classes", "stack-many-classes", "paired-many-classes", "networks-arithmetic-two-classes"];

  test.each(drawn)("drawn for %s", async (name) => {
    const { file } = models.find((model) => model.name === name)!;
    const { rows } = checkFile(file);
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(String);
    const cells = file.columns.map((_, column) =>
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...rows.map((row) => row[column]!)) }, number, fc.string()),
    );
    await withOnnx(onnxOf(file), async (session) => {
      const score = scorerOf(file, session);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(...cells), { minLength: 1, maxLength: 20 }), async (records) => {
          expectSame(answeredRows(file, records), await score(records));
        }),
        { numRuns: 50 },
      );
    });
  });
});

describe("inputs", () => {
  /** A table whose names are those that the export's own values have, with a date. */
  const odd = fileOf(
    readCsvText(
      `label,probabilities,v1,v2.year,v2,target\n${Array.from({ length: 80 }, (_, row) => {
        const date = `20${10 + (row % 9)}-0${1 + (row % 8)}-1${row % 7}${row % 2 === 0 ? ` 1${row % 10}:00` : ""}`;
        return `${(row * 7) % 11},k${row % 3},${row % 4},${(row * 5) % 13}.5,${date},${row % 3 === 0 ? "yes" : "no"}`;
      }).join("\n")}\n`,
    ),
    FOREST,
  );

  test("have the columns' names unless something else has them, and dates one for each part", () => {
    const names = modelInputs(odd).map(({ name }) => name);
    const own = ["label_2", "probabilities_2", "v1", "v2.year"];
    expect(names).toEqual([...own, "v2.year_2", "v2.month", "v2.day", "v2.weekday", "v2.hour"]);
    const { rows } = checkFile(odd);
    const values = inputValues(odd, [
      ["5", "k1", " 3 ", "", "2015-03-12 16:00"],
      ["x", "NA", "1", "7", "2015-02-30"],
    ]);
    expect(Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]))).toEqual({
      ...{ label_2: 5, probabilities_2: "k1", v1: 3, "v2.year": null },
      ...{ "v2.year_2": 2015, "v2.month": 3, "v2.day": 12, "v2.weekday": 3, "v2.hour": 16 },
    });
    expect(names.map((name) => values[name]![1]!)).toEqual([null, "", 1, 7, null, null, null, null, null] as never);
    return withOnnx(onnxOf(odd), async (session) => {
      expect([...session.inputNames]).toEqual(names);
      expectSame(answeredRows(odd, rows), await scorerOf(odd, session)(rows));
    });
  });

  test("say in the file how the training file wrote its cells", () => {
    const text = Buffer.concat(onnxOf(odd)).toString("latin1");
    expect(text).toContain('"name":"v2.hour","column":"v2","kind":"number","part":"hour"');
    for (const key of ["labels", "inputs", "missing_markers", "model_sha256"]) expect(text).toContain(`cupel.${key}`);
  });

  test("take numbers that files write as missing for missing", async () => {
    const { file } = models.find(({ name }) => name === "penguins-random-forest")!;
    const marked = { ...file, missingMarkers: ["", "-999", "7.50", "none"] };
    await withOnnx(onnxOf(marked), async (session) => {
      const score = (length: number | null) =>
        scoreOnnx(
          session,
          { ...inputValues(marked, [["Biscoe", "40", "17", "190", "4000", "male"]]), bill_length_mm: [length] },
          (name) => name === "island" || name === "sex",
        );
      expect(await score(-999)).toEqual(await score(null));
      expect((await score(-998)).probabilities).not.toEqual((await score(null)).probabilities);
      // Nobody writes this number so.
      expect(await score(7.5)).toEqual(await score(7.4));
    });
  });

  test("take whole numbers that are categories with .0 too", async () => {
    const csv = `code,size,label\n${Array.from({ length: 60 }, (_, row) => `${1 + (row % 3)}00,${row % 5},${row % 3}`).join("\n")}\n`;
    const source = readCsvText(csv);
    const file = fileOf(source, FOREST);
    const asCategory: ModelFile = {
      ...file,
      columns: file.columns.with(0, { ...file.columns[0]!, reading: { kind: "category" } }),
      features: file.features.with(0, {
        ...{ column: 0, kind: "category", part: null, codeOfOthers: 1 },
        ...{ names: ["100", "200", "300"], codes: Uint16Array.of(2, 3, 4), codeCount: file.features[0]!.codeCount },
      }),
    };
    await withOnnx(onnxOf(asCategory), async (session) => {
      const inputs = (code: string) => ({ code: [code], size: [2] });
      const score = (code: string) => scoreOnnx(session, inputs(code), (name) => name === "code");
      const [whole, pointed, other] = [await score("200"), await score("200.0"), await score("100.0")];
      expect(pointed).toEqual(whole);
      expect(other.probabilities).not.toEqual(whole.probabilities);
      expectSame(answeredRows(asCategory, [["200", "2"]]), whole);
    });
  });
});

describe("decisions", () => {
  const { file } = models.find(({ name }) => name === "additive-many-classes")!;

  test("are made by class weights and tempered probabilities where the model has these", async () => {
    const weights = file.labels.map((_, label) => (label === 1 ? 3 : 0.5));
    for (const temperature of [0.3, 4]) {
      const weighed = { ...file, classWeights: weights, temperature };
      await withOnnx(onnxOf(weighed), async (session) => {
        const { rows } = checkFile(weighed);
        expectSame(answeredRows(weighed, rows), await scorerOf(weighed, session)(rows));
      });
    }
  });

  test("are made by costs where the model has these", async () => {
    const costs = file.labels.map((_, actual) =>
      file.labels.map((_, decided) => (actual === decided ? 0 : actual + 3 * decided + 1)),
    );
    for (const temperature of [1, 3]) {
      const dear = { ...file, costs, temperature };
      await withOnnx(onnxOf(dear), async (session) => {
        const { rows, labels } = checkFile(dear);
        expect(labels).not.toEqual(checkFile({ ...file, temperature }).labels);
        expectSame(answeredRows(dear, rows), await scorerOf(dear, session)(rows));
      });
    }
  });

  test("take the first of equals", async () => {
    const { model } = file;
    if (model.kind !== "additive") throw new Error("the vector is of another kind");
    const equal = { ...file, model: { ...model, intercepts: new Float64Array(file.labels.length), tables: [] } };
    await withOnnx(onnxOf(equal), async (session) => {
      const { rows } = checkFile(equal);
      expect(new Set((await scorerOf(equal, session)(rows)).labels)).toEqual(new Set([file.labels[0]!]));
    });
  });
});

describe("trees", () => {
  const { file } = models.find(({ name }) => name === "forest-many-classes")!;
  const leaf = { roots: Uint32Array.of(0), features: Uint16Array.of(0), thresholds: Uint16Array.of(0) };

  test.each(VERSIONS)("of a single leaf, version %d", async (ml) => {
    const classCount = file.labels.length;
    const distributions = Float32Array.from(file.labels, (_, label) => (label === 1 ? 0.75 : 0.25 / (classCount - 1)));
    const stump: ModelFile = {
      ...file,
      model: {
        ...{ kind: "forest", classCount, featureCount: file.features.length },
        ...leaf,
        ...{ children: Int32Array.of(~0), distributions },
      },
    };
    await withOnnx(onnxOf(stump, ml), async (session) => {
      const { rows } = checkFile(stump);
      expectSame(answeredRows(stump, rows), await scorerOf(stump, session)(rows));
    });
  });

  test("of more nodes than single precision counts are refused", () => {
    const children = new Int32Array(2 ** 24 + 1);
    const [features, thresholds] = [new Uint16Array(children.length), new Uint16Array(children.length)];
    const shape = { kind: "forest", classCount: file.labels.length, featureCount: file.features.length } as const;
    const arrays = { roots: Uint32Array.of(0), features, thresholds, children, distributions: new Float32Array(0) };
    const large = { ...file, model: { ...shape, ...arrays } };
    for (const ml of VERSIONS)
      expect(() => onnxOf(large, ml)).toThrow(/^This model is too large for ONNX: .*\(--to python/);
  });
});

describe("refusals", () => {
  test.each(withTexts)("$name reads texts", ({ file }) => {
    const name = file.columns[file.texts![0]!.column]!.name;
    expect(() => onnxOf(file)).toThrow(
      new RegExp(`"${name}".* (is|are) read as text, .*\\(--to python, java or javascript\\)`),
    );
  });

  test("there are models of texts and others", () => {
    expect([exported.length > 40, withTexts.length > 3]).toEqual([true, true]);
    expect(() =>
      onnxOf(fileOf(readCsvText(`t,l\n${"a b c d e f g,x\nb c d e f g h,y\n".repeat(20)}`), WORDS)),
    ).toThrow();
  });
});

describeWithTools("the checker of ONNX files", { welcome: ["/usr/bin/check-model"] }, () => {
  const folder = testFolder();

  test("accepts every file, with the shapes that it infers", () => {
    for (const { name, file } of exported) writeFileSync(join(folder, `${name}.onnx`), Buffer.concat(onnxOf(file)));
    const script = `
import glob, onnx, sys
files = glob.glob(sys.argv[1] + "/*.onnx")
for path in files: onnx.checker.check_model(onnx.load(path), full_check=True)
print(len(files))`;
    const { stdout, stderr } = Bun.spawnSync(["/usr/bin/python3", "-c", script, folder]);
    expect([stdout.toString(), stderr.toString()]).toEqual([`${exported.length}\n`, ""]);
  });
});
