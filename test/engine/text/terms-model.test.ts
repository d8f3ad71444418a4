// Models of terms: their answers against the definition, what they learn, their files and their explanations.
import { describe, expect, test } from "bun:test";
import type { StoredArray } from "../../../engine/arrays/array-file.ts";
import { explainerOf } from "../../../engine/explain/explanations.ts";
import { totals } from "../../../engine/explain/log-shares.ts";
import { formOf, scoreModel } from "../../../engine/families/algorithms.ts";
import { type BaseSettings, fitBase } from "../../../engine/families/base-algorithms.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { judge } from "../../../engine/judging/metrics.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { type CodedView, codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import { selectTermRows } from "../../../engine/text/term-rows.ts";
import type { TermsModel } from "../../../engine/text-models/term-weights.ts";
import { shelfOf } from "../../support/map-shelf.ts";
import { drawTable, everyRow } from "../../support/tables.ts";
import { drawTexts, textTable } from "../../support/text-tables.ts";

const ALGORITHMS: readonly BaseSettings[] = [
  { algorithm: "logistic regression of terms", terms: "all", scaling: "tf-idf", l2: 0.1 },
  { algorithm: "logistic regression of terms", terms: "words", scaling: "tf-idf", l2: 0.1 },
  { algorithm: "logistic regression of terms", terms: "words", scaling: "ratios", l2: 1 },
  { algorithm: "naive Bayes of terms", variant: "multinomial", smoothing: 1 },
  { algorithm: "naive Bayes of terms", variant: "complement", smoothing: 0.3 },
];

interface Problem extends FitInput {
  view: CodedView;
  judging: Uint32Array;
}

/** The first four fifths of drawn texts, with a table's columns beside them that say nothing of these labels. */
function problem(classCount: number): Problem {
  const { texts, labels } = drawTexts(500, classCount, classCount);
  const table = textTable(texts, labels, [Array.from(drawTable(500, 2, 9).levels[0]!, Number)]);
  const rows = everyRow(table).subarray(0, 400);
  const view = codeTable(table, fitBuckets(table, rows, 10));
  return {
    view,
    rows,
    judging: everyRow(table).subarray(400),
    classes: table.classes,
    classCount,
    seed: 1,
    stop: neverStop,
  };
}

describe.each(ALGORITHMS.map((settings): [string, BaseSettings] => [JSON.stringify(settings), settings]))(
  "%s",
  (_, settings) => {
    test.each([2, 3, 6])("learns %d classes from the texts of other rows", (classCount) => {
      const input = problem(classCount);
      const model = fitBase(settings, input);
      const { accuracy } = judge(scoreModel(model, input.view, input.judging), {
        rows: input.judging,
        classes: input.classes,
        classCount,
      });
      // A third of the texts have no word of their class.
      expect(accuracy).toBeGreaterThan(1 / classCount + 0.15);
    });

    test("the same input gives the same model", () => {
      expect(fitBase(settings, problem(3))).toEqual(fitBase(settings, problem(3)));
    });

    test.each([2, 3])("reasons add up to the answer, %d classes", (classCount) => {
      const input = problem(classCount);
      const model = fitBase(settings, input);
      const explain = explainerOf(model);
      for (const row of input.judging.subarray(0, 20)) {
        const terms = input.view.texts!.map((text) => selectTermRows(text, Uint32Array.of(row)));
        const { base, contributions } = explain(
          input.view.features.map(({ codes }) => codes[row]!),
          terms,
        );
        const scores = totals(base, contributions).map(Math.exp);
        const sum = scores.reduce((all, own) => all + own, 0);
        const expected = scoreModel(model, input.view, Uint32Array.of(row));
        for (let k = 0; k < classCount; k++) expect(scores[k]! / sum).toBeCloseTo(expected[k]!, 6);
      }
    });

    test("packed and unpacked it says the same; with parts of another text it is refused", () => {
      const input = problem(3);
      const model = fitBase(settings, input);
      const arrays = new Map<string, StoredArray>();
      const shelf = shelfOf(arrays);
      const packed = formOf(model).pack(model, shelf, "m.");
      const codeCounts = input.view.features.map(({ codeCount }) => codeCount);
      const termCounts = input.view.texts!.map(({ termCount }) => termCount);
      const again = formOf(model).unpack(JSON.parse(JSON.stringify(packed)), codeCounts, shelf, "m.", termCounts)!;
      expect(scoreModel(again, input.view, input.judging)).toEqual(scoreModel(model, input.view, input.judging));
      const unpackWith = (counts: number[]) => formOf(model).unpack(packed, codeCounts, shelf, "m.", counts);
      expect(unpackWith([termCounts[0]! + 1])).toBeNull();
      expect(unpackWith([])).toBeNull();
    });
  },
);

/** score_k = table_k + Σ count value × scale / length × weight, for words and pieces apart. */
function slowScores({ tables, texts }: TermsModel, view: CodedView, row: number): number[] {
  const { outputCount } = tables;
  const scores = [...tables.intercepts];
  tables.tables.forEach((table, index) => {
    for (let k = 0; k < outputCount && table !== null; k++)
      scores[k]! += table[view.features[index]!.codes[row]! * outputCount + k]!;
  });
  texts.forEach(({ counting, isNormalised, scales, weights }, index) => {
    const { starts, terms, counts, plainCount } = view.texts![index]!;
    const entries = Array.from({ length: starts[row + 1]! - starts[row]! }, (_, i) => starts[row]! + i).map((at) => ({
      term: terms[at]!,
      value: (counting === "once" ? 1 : 1 + Math.log(counts[at]!)) * scales[terms[at]!]!,
    }));
    for (const part of [
      entries.filter(({ term }) => term < plainCount),
      entries.filter(({ term }) => term >= plainCount),
    ]) {
      const length = isNormalised ? Math.hypot(...part.map(({ value }) => value)) || 1 : 1;
      for (const { term, value } of part) {
        for (let k = 0; k < outputCount; k++) scores[k]! += (value / length) * weights[term * outputCount + k]!;
      }
    }
  });
  return scores;
}

test.each([2, 3])("answers are those of the definition, %d classes", (classCount) => {
  const input = problem(classCount);
  for (const settings of ALGORITHMS) {
    const model = fitBase(settings, input) as TermsModel;
    const answers = scoreModel(model, input.view, input.judging);
    input.judging.subarray(0, 10).forEach((row, at) => {
      const scores = slowScores(model, input.view, row);
      const weights = (classCount === 2 ? [0, scores[0]!] : scores).map(Math.exp);
      const sum = weights.reduce((all, own) => all + own, 0);
      for (let k = 0; k < classCount; k++) expect(answers[at * classCount + k]).toBeCloseTo(weights[k]! / sum, 5);
    });
  }
});

test("terms that fewer than two of the rows have weigh nothing, whatever other rows have", () => {
  const labels = ["a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b"];
  const texts = labels.map((label, row) =>
    row < 10 ? `plain words ${label === "a" ? "apple" : "berry"}` : `late ${label} words`,
  );
  const table = textTable(texts, labels);
  const rows = everyRow(table).subarray(0, 10);
  const view = codeTable(table, fitBuckets(table, rows, 10));
  const model = fitBase(ALGORITHMS[0]!, {
    view,
    rows,
    classes: table.classes,
    classCount: 2,
    seed: 1,
    stop: neverStop,
  }) as TermsModel;
  const { starts, terms } = table.texts![0]!;
  const known = new Set(terms.subarray(0, starts[10]));
  model.texts[0]!.weights.forEach((weight, term) => {
    if (!known.has(term)) expect(weight).toBe(0);
  });
  expect(model.texts[0]!.weights.some((weight) => weight !== 0)).toBe(true);
});
