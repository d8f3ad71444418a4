// The test vectors: the engine gives exactly their codes, labels and
// probabilities, and they show all that a model file can hold.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MODEL_FORMS } from "../../engine/families/algorithms.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { FIRST_CODE } from "../../engine/table/buckets.ts";
import { answersOf, VECTORS, type VectorAnswers } from "../support/vectors.ts";

const MOST_BYTES = 1_500_000;

const vectors = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((name): { name: string; file: ModelFile; answers: VectorAnswers } => ({
    name,
    file: unpackModel(readFileSync(join(VECTORS, name))),
    answers: JSON.parse(readFileSync(join(VECTORS, name.replace(/cupel$/, "json")), "utf8")),
  }));

test.each(vectors)("the engine answers as $name says", ({ file, answers }) => {
  expect(answersOf(file, answers.rows)).toEqual(answers);
});

describe("the vectors", () => {
  const isIn = (holds: (file: ModelFile) => boolean) => vectors.some(({ file }) => holds(file));

  test("are small", () => {
    const sizes = readdirSync(VECTORS).map((name) => statSync(join(VECTORS, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  });

  test.each([...MODEL_FORMS.keys()])("have the kind %s, of two classes and of more, tempered or weighted", (kind) => {
    const own = vectors.filter(({ file }) => file.model.kind === kind);
    expect(own.some(({ file }) => file.labels.length === 2)).toBe(true);
    expect(own.some(({ file }) => file.labels.length > 2)).toBe(true);
    expect(own.some(({ file }) => file.temperature !== undefined || file.classWeights !== undefined)).toBe(true);
    for (const { file, answers } of own) expect(new Set(answers.labels).size).toBe(file.labels.length);
  });

  test("have texts and none, both poolings, both countings of terms, merges and tables on top of a stack, and costs", () => {
    expect(isIn(({ texts }) => texts === undefined)).toBe(true);
    expect(isIn(({ texts }) => texts?.length === 1)).toBe(true);
    expect(isIn(({ texts }) => texts?.length === 2)).toBe(true);
    for (const pooling of ["arithmetic", "geometric"]) {
      expect(isIn(({ model }) => model.kind === "networks" && model.pooling === pooling)).toBe(true);
    }
    for (const counting of ["log", "once"]) {
      expect(isIn(({ model }) => model.kind === "terms" && model.texts[0]!.counting === counting)).toBe(true);
    }
    expect(isIn(({ model }) => model.kind === "stack" && model.mains === null && model.merges.length > 0)).toBe(true);
    expect(isIn(({ model }) => model.kind === "stack" && model.mains !== null)).toBe(true);
    expect(isIn(({ costs }) => costs !== undefined)).toBe(true);
  });

  test("have every way of reading a cell", () => {
    const forms = vectors.flatMap(({ file }) => file.columns.map(({ reading }) => JSON.stringify(reading)));
    for (const part of [
      '"decimal":","',
      '"grouping":","',
      '"grouping":"."',
      '"affix":"%"',
      '"affix":"€"',
      '"affix":"USD"',
    ]) {
      expect(forms.some((form) => form.includes(part))).toBe(true);
    }
    for (const order of ["ymd", "dmy", "mdy"]) expect(forms.some((form) => form.includes(`"${order}"`))).toBe(true);
    expect(forms.some((form) => form.includes("missingTexts"))).toBe(true);
    const categories = vectors.flatMap(({ file }) => file.features.filter(({ kind }) => kind === "category"));
    const holds = (check: (feature: (typeof categories)[number]) => boolean) => categories.some(check);
    expect(holds((own) => own.kind === "category" && own.names.every((name) => /^\d+$/.test(name)))).toBe(true);
    expect(holds((own) => own.kind === "category" && own.codeOfOthers >= FIRST_CODE)).toBe(true);
    expect(holds((own) => own.kind === "category" && own.codeOfOthers < FIRST_CODE)).toBe(true);
  });
});
