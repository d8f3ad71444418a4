// Model files that somebody made up, with a checksum that is right: refused as damaged, or they score like any other.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { packArrays, type StoredArray, unpackArrays } from "../../../engine/arrays/array-file.ts";
import { crc32 } from "../../../engine/arrays/crc32.ts";
import { InputError } from "../../../engine/input-error.ts";
import { MODEL_FORMAT, unpackModel } from "../../../engine/model/model-file.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";

const FOLDER = join(import.meta.dir, "../../fixtures/models");
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".cupel"))
  .sort()
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(FOLDER, name))) }));

/** What becomes of bytes as a model: "refused", or "scored". Anything else is thrown. */
function outcomeOf(bytes: Uint8Array): "refused" | "scored" {
  try {
    const file = unpackModel(bytes);
    const names = file.columns.map(({ name }) => name);
    const cells = ["", "1", "-1e308", "2024-02-29", "Biscoe", "__proto__", "NA", "no checking"];
    const { probabilities, decisions } = new Scorer(file, names).score(cells.map((cell) => names.map(() => cell)));
    expect([probabilities.length, decisions.length]).toEqual([cells.length * file.labels.length, cells.length]);
    expect(decisions.every((decision) => decision < file.labels.length)).toBeTrue();
    return "scored";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return "refused";
  }
}

type Json = Record<string, unknown>;

const odd = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    true,
    [],
    {},
    "",
    "number",
    "__proto__",
    "constructor",
    "forest",
    "additive",
    "stack",
  ),
  fc.constantFrom<unknown[]>(-1, 0, 1, 2, 1.5, 255, 256, 65_536, 2 ** 31, 2 ** 53, 1e308, "1", [null], [[]], [-1], {
    kind: 1,
  }),
);

/** The value with one thing somewhere in it replaced, taken away or doubled. */
function spoiled(value: unknown, path: readonly number[], change: unknown, way: number): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return change;
  if (Array.isArray(value)) {
    if (value.length === 0) return [change];
    const at = first % value.length;
    if (rest.length === 0 && way > 0) return way === 1 ? value.toSpliced(at, 1) : [...value, value[at]];
    return value.with(at, spoiled(value[at], rest, change, way));
  }
  const names = Object.keys(value);
  const name = names[first % Math.max(1, names.length)] ?? "new";
  if (rest.length === 0 && way === 1) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return { ...value, [name]: spoiled((value as Json)[name], rest, change, way) };
}

const KINDS = [
  ...["forest", "additive", "additive trees", "networks", "paired", "hidden layer", "stack"],
  ...["number", "date", "category"],
];

/** The paths to every value of this name. */
function pathsTo(name: string, value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [[key]] : pathsTo(name, inner).map((path) => [key, ...path]),
  );
}

function withValue(value: unknown, [first, ...rest]: readonly string[], change: unknown): unknown {
  if (first === undefined) return change;
  const inner = withValue((value as Json)[first], rest, change);
  return Array.isArray(value) ? value.with(Number(first), inner) : { ...(value as Json), [first]: inner };
}

const TYPES = [Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array];

function spoiledArrays(
  arrays: Map<string, StoredArray>,
  at: number,
  way: number,
  entry: number,
): Map<string, StoredArray> {
  const names = [...arrays.keys()];
  const name = names[at % names.length]!;
  const array = arrays.get(name)!;
  const copy = new Map(arrays);
  if (way === 0) copy.delete(name);
  else if (way === 1) copy.set(name, array.slice(0, entry % (array.length + 1)));
  else if (way < 8) copy.set(name, new TYPES[way - 2]!(array));
  else {
    const changed = array.slice();
    changed[entry % Math.max(1, array.length)] = [Number.NaN, -1, 2 ** 31 - 1, 65_535, -(2 ** 31)][way - 8]!;
    copy.set(name, changed);
  }
  return copy;
}

describe("a model file that is not what it says", () => {
  test.each(FILES)("$name with anything in its head changed", ({ bytes }) => {
    const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes);
    const seen = { refused: 0, scored: 0 };
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }), odd, fc.nat(2), (path, change, way) => {
        seen[outcomeOf(packArrays(MODEL_FORMAT, spoiled(head, path, change, way) as object, arrays))]++;
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.refused, seen.scored)).toBeGreaterThan(0);
  });

  test.each(FILES)("$name with any kind in its head for another", ({ bytes }) => {
    const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes);
    for (const path of pathsTo("kind", head))
      for (const kind of KINDS) outcomeOf(packArrays(MODEL_FORMAT, withValue(head, path, kind) as object, arrays));
  });

  test.each(FILES)("$name with anything in its arrays changed", ({ bytes }) => {
    const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes);
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(12), fc.nat(100_000), (at, way, entry) => {
        outcomeOf(packArrays(MODEL_FORMAT, head as object, spoiledArrays(arrays, at, way, entry)));
      }),
      { numRuns: 150 },
    );
  });

  test.each(["0", "length", -1, 0.5, true])("a stack with the view %p for a member", (merge) => {
    const { bytes } = FILES.find(({ name }) => name === "penguins-stacked-logistic-regression.cupel")!;
    const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes);
    for (const path of pathsTo("merge", head)) {
      expect(outcomeOf(packArrays(MODEL_FORMAT, withValue(head, path, merge) as object, arrays))).toBe("refused");
    }
    expect(pathsTo("merge", head)).not.toBeEmpty();
  });

  const whole = FILES[0]!.bytes;
  const sealed = (change: (bytes: Uint8Array, fields: DataView) => void): Uint8Array => {
    const bytes = whole.slice();
    const fields = new DataView(bytes.buffer);
    change(bytes, fields);
    fields.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)), true);
    return bytes;
  };
  /** The directory of arrays replaced by another text, which is put where the JSON stands. */
  const withAbout = (text: string): Uint8Array =>
    sealed((bytes, fields) => {
      const json = new TextEncoder().encode(text);
      bytes.set(json, 16);
      fields.setUint32(12, json.length, true);
    });

  test.each([
    ["a length of its JSON beyond its end", sealed((_, fields) => fields.setUint32(12, 2 ** 32 - 1, true))],
    ["no length of its JSON", sealed((_, fields) => fields.setUint32(12, 0, true))],
    ["no JSON", sealed((bytes) => bytes.fill(0x5b, 16, 32))],
    ["null", withAbout("null")],
    ["no arrays", withAbout('{"head":{}}')],
    ["an array of no type", withAbout('{"head":{},"arrays":[{"name":"a","type":"constructor","length":1}]}')],
    [
      "an array of a type that is no array",
      withAbout('{"head":{},"arrays":[{"name":"a","type":"__proto__","length":1}]}'),
    ],
    [
      "an array longer than the file",
      withAbout('{"head":{},"arrays":[{"name":"a","type":"Uint8Array","length":9e15}]}'),
    ],
    ["an array of a negative length", withAbout('{"head":{},"arrays":[{"name":"a","type":"Uint8Array","length":-1}]}')],
    ["an array without a name", withAbout('{"head":{},"arrays":[null]}')],
  ])("with %s", (_name, bytes) => {
    expect(() => unpackModel(bytes)).toThrow("This Cupel model is damaged");
  });
});
