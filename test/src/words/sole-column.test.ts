// The one column that a model is no better than guessing without: told where shuffling it leaves no more.
import { expect, test } from "bun:test";
import type { ShownDoubt } from "../../../src/summary/verdict.ts";
import { soleColumnWords } from "../../../src/words/sole-column.ts";

const baseline = { label: "no", accuracy: 0.622 };
const estimate = (mean: number) => ({ mean, low: mean - 0.02, high: mean + 0.02 });
const champion = (confirmed: number, ...losses: number[]) => ({
  confirmedPerformance: estimate(confirmed),
  importance: losses.map((loss, at) => ({ name: `c${at}`, ...estimate(loss) })),
});
const facts = { objective: "accuracy", baseline, verdict: { doubts: [] } } as const;

test("is told with what is left, and what guessing reaches", () => {
  expect(soleColumnWords(facts, champion(0.943, 0.33, 0.04))).toBe(
    'Will new rows have "c0" before their label is known? With its values shuffled the model is no better than ' +
      'guessing: 61.3% are right; always answering "no" reaches 62.2%.',
  );
});

test("is not told where other columns know something, or it is not known whether any does", () => {
  expect(soleColumnWords(facts, champion(0.943, 0.32, 0.04))).toBeNull();
  expect(soleColumnWords(facts, champion(0.64, 0.3, 0.04))).toBeNull();
  expect(soleColumnWords(facts, champion(0.943))).toBeNull();
  expect(soleColumnWords(facts, champion(0.943, 0.4))).toBeNull();
  // Two that act together.
  expect(soleColumnWords(facts, champion(0.943, 0.4, 0.39))).toBeNull();
  expect(soleColumnWords(facts, { ...champion(0.943, 0.4, 0.04), confirmedPerformance: null })).toBeNull();
  expect(soleColumnWords({ ...facts, objective: "balanced-accuracy" }, champion(0.943, 0.4, 0.04))).toBeNull();
});

test("is not told where all columns together tell little, as of an honest table with one strong column", () => {
  expect(soleColumnWords(facts, champion(0.78, 0.3, 0.04))).not.toBeNull();
  expect(soleColumnWords(facts, champion(0.77, 0.3, 0.04))).toBeNull();
});

test("is not told where a doubt names the column", () => {
  const doubt = { code: "LEAK_SUSPECT", columns: ["c0"] } as unknown as ShownDoubt;
  expect(soleColumnWords({ ...facts, verdict: { doubts: [doubt] } }, champion(0.943, 0.4, 0.04))).toBeNull();
  const other = { ...doubt, columns: ["c1"] };
  expect(soleColumnWords({ ...facts, verdict: { doubts: [other] } }, champion(0.943, 0.4, 0.04))).not.toBeNull();
});
