// The registry of algorithms: what the compiler cannot hold about its entries.
import { expect, test } from "bun:test";
import { MODEL_FORMS } from "../../../engine/families/algorithms.ts";
import { BASE_ALGORITHMS } from "../../../engine/families/base-algorithms.ts";
import { FAMILY_NAMES } from "../../../engine/fitting/family.ts";

const entries = Object.values(BASE_ALGORITHMS);

test("no two algorithms have one place by cost, or ties between versions would be decided by chance", () => {
  expect(new Set(entries.map(({ costRank }) => costRank)).size).toBe(entries.length);
});

test("every family has a member", () => {
  for (const family of FAMILY_NAMES) expect(entries.filter((entry) => entry.family === family)).not.toBeEmpty();
});

test("a name of an array has one element type in all forms of models, as readers of files take for granted", () => {
  const types = new Map<string, unknown>([
    ["cutPoints", Float64Array],
    ["codes", Uint16Array],
  ]);
  for (const { kind, arrays } of MODEL_FORMS.values()) {
    for (const [name, type] of Object.entries(arrays)) {
      if ((types.get(name) ?? type) !== type) throw new Error(`${kind} has another type for ${name}`);
      types.set(name, type);
    }
  }
  expect(types.size).toBeGreaterThan(20);
});
