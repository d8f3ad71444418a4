// Counts of what was scored: those of two parts add up to those of the whole, and each is as by hand.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { packModel } from "../../../engine/model/model-file.ts";
import type { FileCounts } from "../../../engine/watch/file-counts.ts";
import {
  addCounts,
  areAlike,
  isScoredCounts,
  noCountsLike,
  type ScoredCounts,
} from "../../../engine/watch/scored-counts.ts";
import { scoreRows } from "../../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { testFolder } from "../../support/folders.ts";
import { scoreText } from "../../support/scored-text.ts";
import { watchedPenguins } from "../../support/watched-model.ts";

const model = watchedPenguins();
const folder = testFolder();
const MODEL_PATH = join(folder, "model.cupel");
writeFileSync(MODEL_PATH, packModel(model));
const NAMES = model.columns.map(({ name }) => name);

const row = fc.record({
  ...{ island: fc.constantFrom("Torgersen", "Biscoe", "Dream", ""), sex: fc.constantFrom("male", "female", "") },
  ...{ bill_length_mm: fc.integer({ min: 30, max: 60 }), bill_depth_mm: fc.integer({ min: 13, max: 22 }) },
  ...{ flipper_length_mm: fc.integer({ min: 170, max: 235 }), body_mass_g: fc.integer({ min: 2_700, max: 6_300 }) },
});
type Row = Record<string, string | number>;
const rows = fc.array(row as fc.Arbitrary<Row>, { minLength: 1, maxLength: 60 });

function scored(some: readonly Row[]): { counts: ScoredCounts; answers: string[][] } {
  const text = [NAMES, ...some.map((cells) => NAMES.map((name) => cells[name]))].map((cells) => `${cells.join(",")}\n`);
  const { counts, cells } = scoreText(model, text.join(""), { only: ["prediction", "confidence"] });
  return { counts, answers: cells.slice(1) };
}

const withoutSum = ({ confidence: { tenths }, ...others }: ScoredCounts) => ({ ...others, tenths });

test("two parts of a file add up to the whole, however it is cut", () => {
  fc.assert(
    fc.property(rows, rows, (some, others) => {
      const sum = scored(some).counts;
      addCounts(sum, scored(others).counts);
      const whole = scored([...some, ...others]).counts;
      expect(withoutSum(sum)).toEqual(withoutSum(whole));
      expect(sum.confidence.sum).toBeCloseTo(whole.confidence.sum, 9);
      expect([areAlike(sum, whole), isScoredCounts(JSON.parse(JSON.stringify(whole)))]).toEqual([true, true]);
      const none = noCountsLike(whole);
      addCounts(none, whole);
      expect(none).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

test("decisions and confidences are counted as the result has them", () => {
  fc.assert(
    fc.property(rows, (some) => {
      const { counts, answers } = scored(some);
      expect(counts.rowCount).toBe(some.length);
      expect(counts.decisions).toEqual(
        model.labels.map((label) => answers.filter(([decided]) => decided === label).length),
      );
      const confidences = answers.map(([, confidence]) => Number(confidence));
      expect(counts.confidence.sum).toBeCloseTo(
        confidences.reduce((sum, one) => sum + one, 0),
        3,
      );
      const between = (low: number, high: number) => confidences.filter((one) => one > low && one <= high).length;
      expect(counts.reliability).toEqual([between(0, 0.6123), between(0.6123, 0.9123), between(0.9123, 1)]);
    }),
    { numRuns: 40 },
  );
});

test("rows that come one by one are counted as those of a file, and once", () => {
  const cache = new ModelCache({ countsRows: true });
  fc.assert(
    fc.property(rows, (some) => {
      const each = some.map((cells) => {
        const given = Object.fromEntries(NAMES.map((name) => [name, cells[name] === "" ? null : cells[name]!]));
        let counts: FileCounts | null = null;
        scoreRows(cache, MODEL_PATH, [given], cells["sex"] === "male" ? 2 : 0, (own) => {
          counts = own;
        });
        return (counts as unknown as FileCounts).take();
      });
      const sum = noCountsLike(each[0]!);
      for (const one of each) {
        expect(one.rowCount).toBe(1);
        addCounts(sum, one);
      }
      const { cells, decisions, confidence } = scored(some).counts;
      expect([sum.cells, sum.decisions, sum.confidence.tenths]).toEqual([cells, decisions, confidence.tenths]);
    }),
    { numRuns: 15 },
  );
  const nobody = () => {
    throw new Error("counted");
  };
  scoreRows(new ModelCache(), MODEL_PATH, [Object.fromEntries(NAMES.map((name) => [name, null]))], 0, nobody);
});

test("what is no counts is not taken for them", () => {
  const { counts } = scored([{ island: "Dream" }]);
  for (const wrong of [
    null,
    [],
    {},
    { ...counts, rowCount: -1 },
    { ...counts, cells: [[0.5]] },
    { ...counts, confidence: { sum: 1, tenths: [] } },
  ]) {
    expect(isScoredCounts(wrong)).toBeFalse();
  }
});
