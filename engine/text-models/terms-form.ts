// Models linear in terms as a form of model: naive Bayes and logistic regression on texts both end as one.
import { type ModelForm, putArrays, takeArrays } from "../fitting/model-form.ts";
import { type PackedTables, SCORE_TABLES } from "../fitting/score-tables-form.ts";
import { scoreTerms, type TermCounting, type TermsModel } from "./term-weights.ts";

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
