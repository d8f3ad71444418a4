// The arithmetic of the campaign on small cases, and that stopped work is taken up where it was.
import { describe, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { testFolder } from "../support/folders.ts";
import type { Truth } from "./noisy-tables.ts";
import {
  accuracyOfRight,
  bestByValidation,
  familyAnswers,
  meanOf,
  pairedDifference,
  selectionFigures,
} from "./refinement-figures.ts";
import { ALL_COLUMNS, CUPEL, Records, type RefineFigures } from "./refinement-records.ts";
import { reportGroup } from "./refinement-report.ts";

const folder = testFolder();
const truth: Truth = {
  signal: ["s", "t"],
  noise: ["n", "m"],
  given: ["g"],
  copies: [
    { name: "s2", of: "s" },
    { name: "s3", of: "s" },
    { name: "g2", of: "g" },
  ],
};

describe("what a selection found", () => {
  test("a copy carries the signal as well as its original", () => {
    expect(selectionFigures(["s3", "n"], truth).recall).toBe(0.5);
    expect(selectionFigures(["s", "t"], truth).recall).toBe(1);
    expect(selectionFigures(["n", "m", "g"], truth).recall).toBe(0);
  });

  test("a copy is superfluous beside another carrier of the same", () => {
    expect(selectionFigures(["s2"], truth).copiesKept).toBe(0);
    expect(selectionFigures(["s2", "s3"], truth).copiesKept).toBe(1 / 3);
    expect(selectionFigures(["s", "s2", "s3", "g", "g2"], truth).copiesKept).toBe(1);
  });

  test("shares of noise and of all columns", () => {
    const { noiseKept, columnsKept } = selectionFigures(["s", "n"], truth);
    expect(noiseKept).toBe(0.5);
    expect(columnsKept).toBe(2 / 8);
  });

  test("what there is none of has no share", () => {
    const figures = selectionFigures(["g"], { signal: [], noise: [], copies: [], given: ["g", "h"] });
    expect(figures).toEqual({ recall: null, noiseKept: null, copiesKept: null, columnsKept: 0.5 });
  });
});

describe("differences", () => {
  test("a paired difference is that of the accuracies, with the error of McNemar's counts", () => {
    const answers = fc
      .array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 200 })
      .map((pairs) => [0, 1].map((side) => pairs.map((pair) => (pair[side] ? "1" : "0")).join("")) as [string, string]);
    fc.assert(
      fc.property(answers, ([right, reference]) => {
        const { mean, standardError, count } = pairedDifference(right, reference);
        const gained = [...right].filter((bit, row) => bit > reference[row]!).length;
        const lost = [...right].filter((bit, row) => bit < reference[row]!).length;
        expect(mean).toBeCloseTo(accuracyOfRight(right) - accuracyOfRight(reference), 12);
        const variance = (gained + lost - (gained - lost) ** 2 / count) / (count - 1);
        expect(standardError).toBeCloseTo(Math.sqrt(Math.max(0, variance) / count), 12);
      }),
    );
  });

  test("answers to different rows are refused", () => {
    expect(() => pairedDifference("101", "10")).toThrow("cannot be paired");
  });

  test("one value has no error", () => {
    expect(meanOf([0.25])).toEqual({ mean: 0.25, standardError: null, count: 1 });
    expect(meanOf([1, 2, 3, 6])).toEqual({ mean: 3, standardError: Math.sqrt(14 / 3 / 4), count: 4 });
  });

  test("the best family is the one that TRAIN speaks for, whatever it does on OUTER", () => {
    const answers = { a: { cv: 0.7, right: "11" }, b: { cv: 0.8, right: "00" }, c: { cv: 0.8, right: "01" } };
    expect(bestByValidation(answers).right).toBe("00");
    expect(familyAnswers(answers, "c").right).toBe("01");
    expect(familyAnswers({ majority: { cv: 0.6, right: "10" } }, "c").right).toBe("10");
    expect(() => familyAnswers(answers, "d")).toThrow("no answers of d");
  });
});

describe("records", () => {
  const at = { table: "drawn", seed: 1 };
  const selection = { kind: "selection", ...at, selector: CUPEL, failure: null, seconds: 2, refine: null } as const;

  test("are found again from the file, the later of two on the same work", () => {
    const path = join(folder, "a.jsonl");
    const first = new Records(path);
    first.add({ ...selection, kept: ["s"] });
    first.add({ ...selection, kept: ["t"] });
    first.add({ kind: "judgement", ...at, judge: "scikit-learn", kept: ["s"], answers: {} });
    first.add({ kind: "training", ...at, kept: ["s"], target: 0.9, achieved: 0.91, right: "1", seconds: 1 });
    const again = new Records(path);
    expect(again.selection(at, CUPEL)?.kept).toEqual(["t"]);
    expect(again.selection({ ...at, seed: 2 }, CUPEL)).toBeUndefined();
    expect(again.judgement(at, "scikit-learn", ["s"])).toBeDefined();
    expect(again.judgement(at, "Cupel's models", ["s"])).toBeUndefined();
    expect(again.training(at, ["s"], 0.9)?.achieved).toBe(0.91);
    expect(again.training(at, ["s"], null)).toBeUndefined();
  });

  test("a last line that was cut off does not count", () => {
    const path = join(folder, "b.jsonl");
    new Records(path).add({ ...selection, kept: ["s"] });
    appendFileSync(path, '{"kind":"selection","table":"dr');
    const again = new Records(path);
    again.add({ ...selection, selector: ALL_COLUMNS, kept: ["s", "t"] });
    const third = new Records(path);
    expect(third.selection(at, CUPEL)?.kept).toEqual(["s"]);
    expect(third.selection(at, ALL_COLUMNS)?.kept).toEqual(["s", "t"]);
  });
});

test("the report states gains, optimism and the threshold as the records give them", () => {
  const records = new Records(join(folder, "c.jsonl"));
  const at = { table: "drawn", seed: 1 };
  const columns = ["s", "s2", "s3", "t", "n", "m", "g", "g2"];
  const kept = ["s", "t", "g"];
  const refine: RefineFigures = {
    state: "REFINEMENT_COMPLETED",
    baselineAccuracy: 0.6,
    baselineFamily: "random forest",
    currentAccuracy: 0.8,
    currentFamily: "naive Bayes",
    acceptedCheckpoints: 2,
    holdoutMean: 0.7,
    recommendedThreshold: 0.65,
    peakMegabytes: 150,
  };
  const chosen = { kind: "selection", ...at, failure: null, seconds: 4 } as const;
  records.add({ ...chosen, selector: ALL_COLUMNS, kept: columns, refine: null });
  records.add({ ...chosen, selector: CUPEL, kept, refine });
  const answers = (forest: string, bayes: string) => ({
    "random forest": { cv: 0.9, right: forest },
    "logistic regression": { cv: 0.5, right: forest },
    "naive Bayes": { cv: 0.5, right: bayes },
  });
  for (const judge of ["scikit-learn", "Cupel's models"] as const) {
    records.add({ kind: "judgement", ...at, judge, kept: columns, answers: answers("1100", "1000") });
    records.add({ kind: "judgement", ...at, judge, kept, answers: answers("1110", "1011") });
  }
  records.add({ kind: "training", ...at, kept, target: 0.65, achieved: 0.66, right: "1110", seconds: 9 });
  const files = { train: "", test: "", outer: "", columns, truth };
  const lines = reportGroup("Drawn", [ALL_COLUMNS, CUPEL], [{ at, files }], records);
  expect(lines).toContain("| Cupel | 1 | 100.0 | 0.0 | 0.0 | 37.5 | 4.0 |");
  expect(lines).toContain("| Cupel | +25.0 | +25.0 | +25.0 | +50.0 |");
  expect(lines).toContain("| drawn | 1 | 8 | 50.0 | 100% / 0%, 3, +25.0 ± 25.0 |");
  expect(lines).toContain("| drawn | 1 | 60.0 | 50.0 | 80.0 | 75.0 | +5.0 | -5.0 | 2 | 65.0 | yes | 4.0 | 150 |");
  expect(lines).toContain(
    "Mean optimism of the best row: +10.0 points before refinement, +5.0 after; of the rows put aside: -5.0. " +
      "The threshold was reached by 100.0% of 1 trainings.",
  );
});
