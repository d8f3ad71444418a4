// docs/model-format.md names all that a model file can hold: kinds, fields and arrays.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackArrays } from "../../engine/arrays/array-file.ts";
import { MODEL_FORMS } from "../../engine/families/algorithms.ts";
import { MODEL_FORMAT } from "../../engine/model/model-file.ts";
import { VECTORS } from "../support/vectors.ts";

const DOCUMENT = readFileSync(join(import.meta.dir, "../../docs/model-format.md"), "utf8");
/** What stands as code in the document, cut into words. */
const NAMED = new Set([...DOCUMENT.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => code!.match(/[A-Za-z]+/g) ?? []));
/** For people: programs need nothing of what is in it. */
const ONLY_SHOWN = "lineage";

/** The names of all fields of a value, however deep. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  return Object.entries(value).flatMap(([name, inner]) => (name === ONLY_SHOWN ? [name] : [name, ...fieldsOf(inner)]));
}

const files = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((name) => unpackArrays(MODEL_FORMAT, readFileSync(join(VECTORS, name))));

describe("docs/model-format.md names", () => {
  test("every field of the vectors' heads", () => {
    const fields = new Set(files.flatMap(({ head }) => fieldsOf(head)));
    expect([...fields].filter((name) => !NAMED.has(name))).toEqual([]);
  });

  test("every array of the vectors", () => {
    const words = files.flatMap(({ arrays }) => [...arrays.keys()].flatMap((name) => name.match(/[A-Za-z]+/g)!));
    expect([...new Set(words)].filter((word) => !NAMED.has(word))).toEqual([]);
  });

  test.each([...MODEL_FORMS])("the kind %s and its arrays", (kind, { arrays }) => {
    expect(DOCUMENT).toContain(`**\`${kind}\``);
    expect(Object.keys(arrays).filter((name) => !NAMED.has(name))).toEqual([]);
  });

  test("the newest version", () => {
    expect(DOCUMENT).toContain(`whose version is above ${MODEL_FORMAT.version} `);
  });
});
