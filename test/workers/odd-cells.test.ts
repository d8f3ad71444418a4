// Cells that a model cannot take as they stand: row by row the same as one by one, and as many as the warnings count.
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";

const MODEL = join(import.meta.dir, "..", "fixtures", "models", "penguins-naive-Bayes.cupel");
const NUMBER = fc.constantFrom("40.5", "17", null, "", "twelve", "n/a ?");
const ROW = fc.record({
  island: fc.constantFrom("Biscoe", "Atlantis", "dream", null),
  bill_length_mm: NUMBER,
  bill_depth_mm: NUMBER,
  flipper_length_mm: NUMBER,
  body_mass_g: NUMBER,
  sex: fc.constantFrom("male", "unknown", null),
});
const CODES = new Set(["NOT_READ", "UNSEEN_CATEGORY", "NO_KNOWN_TERM", "NEW_MISSING"]);

test("are those that the warnings count", () => {
  const cache = new ModelCache();
  fc.assert(
    fc.property(fc.array(ROW, { minLength: 1, maxLength: 8 }), (drawn) => {
      const { scores, warnings } = scoreRows(cache, MODEL, drawn);
      const counted = new Map<string, number>();
      for (const { oddCells = [] } of scores) {
        for (const { column, code } of oddCells) {
          counted.set(`${code} ${column}`, (counted.get(`${code} ${column}`) ?? 0) + 1);
        }
      }
      const told = warnings
        .filter(({ code }) => CODES.has(code))
        .map(({ code, column, count }) => [`${code} ${column}`, count!]);
      expect([...counted].sort()).toEqual((told as [string, number][]).sort());
    }),
  );
});

test("are each row's own", () => {
  const cache = new ModelCache();
  fc.assert(
    fc.property(fc.array(ROW, { minLength: 2, maxLength: 6 }), (drawn) => {
      const together = scoreRows(cache, MODEL, drawn).scores.map(({ oddCells }) => oddCells);
      const alone = drawn.map((row) => scoreRows(cache, MODEL, [row]).scores[0]!.oddCells);
      expect(together).toEqual(alone);
    }),
  );
});
