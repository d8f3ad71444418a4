// The cache of models: which ones stay, and texts of JSON numbers that a column's form reads back.
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { numberText } from "../../../engine/columns/number-text.ts";
import { type NumberForm, readNumber } from "../../../engine/columns/numbers.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { until } from "../../support/job-state.ts";

const MODELS = join(import.meta.dir, "../../fixtures/models");
const pathOf = (name: string) => join(MODELS, `penguins-${name}.cupel`);
const [bayes, linear, smooth] = ["naive-Bayes", "linear-logistic-regression", "smooth-logistic-regression"].map(pathOf);

describe("the cache of models", () => {
  test("gives the same model again, and drops the one used least lately", () => {
    const cache = new ModelCache({ mostBytes: statSync(bayes!).size + statSync(linear!).size });
    const first = cache.open(bayes!);
    cache.open(linear!);
    expect(cache.open(bayes!)).toBe(first);
    cache.open(smooth!);
    expect(cache.paths).not.toContain(linear!);
    expect(cache.paths.at(-1)).toBe(smooth!);
  });

  test("keeps the model just asked for, however large", () => {
    const cache = new ModelCache({ mostBytes: 1 });
    expect(cache.open(bayes!)).toBe(cache.open(bayes!));
    cache.open(linear!);
    expect(cache.paths).toEqual([linear!]);
  });

  test("lets all models go once nobody has asked for one for a while", async () => {
    const cache = new ModelCache({ mostBytes: 2 ** 30, idleMs: 20 });
    const first = cache.open(bayes!);
    cache.open(linear!);
    await until(() => cache.paths.length === 0, "letting go");
    expect(cache.open(bayes!)).not.toBe(first);
    expect(cache.paths).toEqual([bayes!]);
  });

  test("says what is no model", () => {
    const cache = new ModelCache();
    expect(() => cache.open(join(MODELS, "penguins-input.csv"))).toThrow();
    expect(cache.paths).toEqual([]);
  });
});

describe("the text of a number", () => {
  const form = fc.record({
    separators: fc.constantFrom<[NumberForm["decimal"], NumberForm["grouping"]]>(
      [".", ""],
      [",", ""],
      [".", ","],
      [",", "."],
    ),
    affix: fc.constantFrom("", "%", "€", "CHF"),
  });

  test("is read back by the form it is written in", () => {
    fc.assert(
      fc.property(form, fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (made, drawn) => {
        // Forms with thousands have no exponent.
        const value = Number(drawn.toFixed(6));
        const asked: NumberForm = { decimal: made.separators[0], grouping: made.separators[1], affix: made.affix };
        expect(readNumber(numberText(value, asked), asked)).toBeCloseTo(value, 6);
      }),
    );
  });
});
