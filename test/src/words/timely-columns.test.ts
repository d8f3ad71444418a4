// The one column that a model is no better than guessing without, told where shuffling it leaves no more; and the few
// that tell nearly the whole label.
import { expect, test } from "bun:test";
import type { DoubtRecord } from "../../../data/database/records.ts";
import { timelyColumnsWords } from "../../../src/words/timely-columns.ts";

const baseline = { label: "no", accuracy: 0.622 };
const estimate = (mean: number) => ({ mean, low: mean - 0.02, high: mean + 0.02 });
const champion = (confirmed: number, ...losses: number[]) => ({
  confirmedPerformance: estimate(confirmed),
  importance: losses.map((loss, at) => ({ name: `c${at}`, ...estimate(loss) })),
});
const facts = { objective: "accuracy", baseline, verdict: { doubts: [] } } as const;

test("is told with what is left, and what guessing reaches", () => {
  expect(timelyColumnsWords(facts, champion(0.943, 0.33, 0.04))).toBe(
    'Will new rows have "c0" before their label is known? With its values shuffled the model is no better than ' +
      'guessing: 61.3% are right; always answering "no" reaches 62.2%.',
  );
});

test("is not told where other columns know something, or it is not known whether any does", () => {
  expect(timelyColumnsWords(facts, champion(0.943, 0.32, 0.04))).toBeNull();
  expect(timelyColumnsWords(facts, champion(0.64, 0.3, 0.04))).toBeNull();
  expect(timelyColumnsWords(facts, champion(0.943))).toBeNull();
  expect(timelyColumnsWords(facts, champion(0.943, 0.4))).toBeNull();
  // Two that act together.
  expect(timelyColumnsWords(facts, champion(0.943, 0.4, 0.39))).toBeNull();
  expect(timelyColumnsWords(facts, { ...champion(0.943, 0.4, 0.04), confirmedPerformance: null })).toBeNull();
  expect(timelyColumnsWords({ ...facts, objective: "balanced-accuracy" }, champion(0.943, 0.4, 0.04))).toBeNull();
});

test("is not told where all columns together tell little, as of an honest table with one strong column", () => {
  expect(timelyColumnsWords(facts, champion(0.78, 0.3, 0.04))).not.toBeNull();
  expect(timelyColumnsWords(facts, champion(0.77, 0.3, 0.04))).toBeNull();
});

test("is not told where a doubt names the column", () => {
  const doubt = { code: "LEAK_SUSPECT", columns: ["c0"] } as unknown as DoubtRecord;
  expect(timelyColumnsWords({ ...facts, verdict: { doubts: [doubt] } }, champion(0.943, 0.4, 0.04))).toBeNull();
  const other = { ...doubt, columns: ["c1"] };
  expect(timelyColumnsWords({ ...facts, verdict: { doubts: [other] } }, champion(0.943, 0.4, 0.04))).not.toBeNull();
});

test("the few columns that tell nearly the whole label are told together", () => {
  expect(timelyColumnsWords(facts, champion(0.99, 0.36, 0.2, 0.08, 0.003))).toBe(
    'Is the label worked out from "c0", "c1", "c2", and will new rows have these before it is known? They tell nearly the ' +
      "whole label, and the other columns add nothing: 99.0% are right.",
  );
});

test("few columns are not told where they tell less, others add something, or a doubt names all", () => {
  expect(timelyColumnsWords(facts, champion(0.98, 0.36, 0.2, 0.003))).toBeNull();
  expect(timelyColumnsWords(facts, champion(0.99, 0.36, 0.2, 0.02))).toBeNull();
  expect(timelyColumnsWords(facts, champion(0.99, 0.3, 0.05, 0.001))).toBeNull();
  expect(timelyColumnsWords(facts, champion(0.99, 0.3, 0.3, 0.3, 0.3, 0))).toBeNull();
  const doubt = { code: "LEAK_SUSPECT", columns: ["c1", "c0"] } as unknown as DoubtRecord;
  expect(timelyColumnsWords({ ...facts, verdict: { doubts: [doubt] } }, champion(0.99, 0.36, 0.2, 0))).toBeNull();
  const ofOne = { ...doubt, columns: ["c1"] };
  expect(timelyColumnsWords({ ...facts, verdict: { doubts: [ofOne] } }, champion(0.99, 0.36, 0.2, 0))).not.toBeNull();
});
