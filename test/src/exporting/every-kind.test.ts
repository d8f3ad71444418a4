// Every kind of model leaves in every form, or the form says why not. A new kind
// or form fails here until it says how it is with it. The dashboard says the same.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_FORMS } from "../../../engine/families/algorithms.ts";
import { InputError } from "../../../engine/input-error.ts";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { shellWord } from "../../../engine/shell-word.ts";
import {
  exportedFiles,
  TARGET_NAMES,
  TARGETS,
  type TargetName,
  type TargetOptions,
} from "../../../src/exporting/targets.ts";
import { OTHER_FORMS, refusalOf } from "../../../src/words/other-forms.ts";
import { VECTORS } from "../../support/vectors.ts";

const ROOT = join(import.meta.dir, "../../..");

interface Form {
  options: TargetOptions;
  /** The models that it refuses, and what the refusal says; null where it takes all. */
  refuses: { models: (file: ModelFile) => boolean; saying: RegExp } | null;
  /** Where every vector that it takes is scored by it. */
  scoredIn: string;
}

const readsTexts = ({ texts }: ModelFile) => texts !== undefined;

const FORMS: Readonly<Record<TargetName, Form>> = {
  onnx: {
    options: { onnxMl: "5" },
    refuses: { models: readsTexts, saying: /(is|are) read as text.*--to python/ },
    scoredIn: "test/engine/export/onnx-model.long.test.ts",
  },
  python: { options: {}, refuses: null, scoredIn: "test/src/readers/python-reader.long.test.ts" },
  javascript: { options: {}, refuses: null, scoredIn: "test/src/readers/javascript-reader.long.test.ts" },
  java: { options: {}, refuses: null, scoredIn: "test/src/readers/java-reader.long.test.ts" },
  c: {
    options: {},
    refuses: { models: readsTexts, saying: /(is|are) read as text.*Export to/ },
    scoredIn: "test/src/readers/c-reader.long.test.ts",
  },
  sql: {
    options: { dialect: "duckdb" },
    refuses: { models: readsTexts, saying: /(is|are) read as text.*--to python/ },
    scoredIn: "test/engine/export/sql.long.test.ts",
  },
  check: { options: {}, refuses: null, scoredIn: "test/engine/vectors.test.ts" },
};

const vectors = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((fileName) => {
    const bytes = readFileSync(join(VECTORS, fileName));
    return { name: fileName.replace(/\.cupel$/, ""), bytes, file: unpackModel(bytes) };
  });

test("the dashboard has the command of every form", () => {
  const buttons = ["onnx", "check"];
  expect(TARGET_NAMES.filter((name) => !buttons.includes(name) && !Object.hasOwn(OTHER_FORMS, name))).toEqual([]);
});

test("there is a vector of every kind of model", () => {
  expect([...new Set(vectors.map(({ file }) => file.model.kind))].sort()).toEqual(
    [...MODEL_FORMS.keys()].sort() as never,
  );
});

describe.each(Object.entries(FORMS) as [TargetName, Form][])("%s", (target, { options, refuses, scoredIn }) => {
  test("has a test that scores the vectors", () => {
    expect(readFileSync(join(ROOT, scoredIn), "utf8")).toMatch(/vectors/i);
  });

  test.each(vectors)("$name leaves, or the refusal says why not", async (model) => {
    const outName = TARGETS[target].outName(model.name);
    const exported = () => exportedFiles(target, model, options, outName);
    const { columns, texts = [] } = model.file;
    const shown = columns.map(({ name }, at) => ({ name, text: texts.find(({ column }) => column === at) }));
    const said = refusalOf(target, shown);
    if (refuses?.models(model.file)) {
      const refusal = await exported().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(InputError);
      expect((refusal as InputError).message).toMatch(refuses.saying);
      expect(said).toBe((refusal as InputError).message);
      for (const { column } of texts) expect(said).toContain(`--kind ${shellWord(columns[column]!.name)}=category`);
      return;
    }
    expect(said).toBeNull();
    const files = await exported();
    expect(files.length).toBeGreaterThan(0);
    for (const { content } of files) expect(content.length).toBeGreaterThan(0);
    if (!TARGETS[target].isFolder) expect(files[0]!.name).toBe(outName);
  });
});
