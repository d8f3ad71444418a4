// Models linear in terms as a form of model: naive Bayes and logistic regression on texts both end as one.
import { addOutputs, baseOf, contributionsOf } from "../explain/contributions.ts";
import { tableSpreads } from "../explain/feature-use.ts";
import { type Contributions, onLogScale } from "../explain/log-shares.ts";
import { type ModelForm, putArrays, takeArrays } from "../families/model-form.ts";
import { type PackedTables, SCORE_TABLES } from "../families/score-tables-form.ts";
import type { TermRows } from "./term-rows.ts";
import { countSlots } from "./term-slots.ts";
import { RowValues, scoreTerms, type TermCounting, type TermsModel } from "./term-weights.ts";

interface PackedTerms {
  kind: "terms";
  classCount: number;
  tables: PackedTables;
  texts: readonly { counting: TermCounting; isNormalised: boolean }[];
}

/** `scales` and `termWeights` of each text. */
const ARRAYS = { scales: Float32Array, termWeights: Float32Array };

export const TERMS: ModelForm<TermsModel, PackedTerms> = {
  kind: "terms",
  arrays: { ...ARRAYS, ...SCORE_TABLES.arrays },
  score: scoreTerms,
  explainer: (model, least) => (codes, texts) => onLogScale(explain(model, codes, texts ?? []), least),
  featureUse: ({ tables }) => tableSpreads(tables),
  pack: ({ kind, classCount, tables, texts }, shelf, prefix) => {
    texts.forEach(({ scales, weights }, index) => {
      putArrays(ARRAYS, { scales, termWeights: weights }, shelf, `${prefix}text.${index}.`);
    });
    return {
      kind,
      classCount,
      tables: SCORE_TABLES.pack(tables, shelf, `${prefix}tables.`),
      texts: texts.map(({ counting, isNormalised }) => ({ counting, isNormalised })),
    };
  },
  unpack: ({ kind, classCount, tables, texts }, codeCounts, shelf, prefix, termCounts = []) => {
    const dense =
      tables.classCount === classCount ? SCORE_TABLES.unpack(tables, codeCounts, shelf, `${prefix}tables.`) : null;
    if (dense === null || texts.length !== termCounts.length) return null;
    const unpacked = texts.map(({ counting, isNormalised }, index) => {
      const { scales, termWeights: weights } = takeArrays(ARRAYS, shelf, `${prefix}text.${index}.`);
      return { counting, isNormalised, scales, weights };
    });
    const isSound = unpacked.every(
      ({ counting, isNormalised, scales, weights }, index) =>
        (counting === "log" || counting === "once") &&
        typeof isNormalised === "boolean" &&
        scales.length === termCounts[index] &&
        weights.length === scales.length * dense.outputCount,
    );
    return isSound ? { kind, classCount, tables: dense, texts: unpacked } : null;
  },
};

/** Exact in sum; the slots of each text come behind the features, in their order. */
function explain({ tables, texts }: TermsModel, codes: ArrayLike<number>, rows: readonly TermRows[]): Contributions {
  const { classCount, outputCount } = tables;
  const slotCounts = rows.map(countSlots);
  const itemCount = slotCounts.reduce((sum, count) => sum + count, codes.length);
  const contributions = new Float64Array(itemCount * classCount);
  contributions.set(contributionsOf(tables, codes));
  let firstSlot = codes.length;
  texts.forEach((own, index) => {
    const { terms } = rows[index]!;
    const lastSlot = slotCounts[index]! - 1;
    const reader = new RowValues(rows[index]!, own);
    reader.turnTo(0);
    for (let at = reader.first; at < reader.end; at++) {
      const slot = firstSlot + Math.min(at - reader.first, lastSlot);
      const value = reader.values[at - reader.first]!;
      if (value !== 0) addOutputs(contributions, slot, own.weights, terms[at]! * outputCount, classCount, value);
    }
    firstSlot += lastSlot + 1;
  });
  return { base: baseOf(tables), contributions };
}
