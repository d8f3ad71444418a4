// Figures from labels that came later, as several answers have them.
import { type Static, Type } from "@sinclair/typebox";
import { rightCount } from "../../../engine/judging/metrics.ts";
import { accuracyOf, judgedCount, type OutcomeCounts } from "../../../engine/watch/outcomes.ts";
import { FALSE_CALL_LEVEL } from "../../../engine/watch/worse-than-promised.ts";
import { Count, countOf, Interval, named, oneOf, orNull, Share, shareOrNull } from "../../http/schemas.ts";
import type { VersionOutcomes } from "../../watching/version-outcomes.ts";
import { PROMISE_CONDITION, promiseSentence } from "../../words/outcome-words.ts";

/** Counts of labels beside decisions. */
export const OUTCOME_COUNTS = {
  rowCount: countOf("Rows with a label."),
  rightCount: Count,
  accuracy: orNull(Interval),
  unknownLabels: countOf(
    "Rows whose label the model does not know: each decision counts as wrong, and stands in no matrix.",
  ),
  withoutLabel: countOf("Predicted rows without a label so far."),
  unmatched: countOf("Labels whose key no predicted row has."),
  confusion: Type.Array(Type.Array(Count), { description: "By actual label, then by predicted one." }),
};

export const VERSION_OUTCOMES = Type.Object({
  predictionCount: countOf("Predictions with labels."),
  ...OUTCOME_COUNTS,
  confirmed: orNull(Interval),
  state: oneOf(["AS_PROMISED", "WORSE_THAN_PROMISED", "TOO_FEW", "NO_PROMISE"], {
    description:
      "WORSE_THAN_PROMISED: more decisions are wrong than the upper end of the confirmed figure's interval, " +
      "beyond chance. TOO_FEW: even ten points more would hardly show. NO_PROMISE: " +
      "no figure was confirmed, or other thresholds than the trained one decided.",
    "x-decision": "D121",
  }),
  message: Type.String({
    description: "The state in words; how many labels the model does not know, where these are more than a twentieth.",
  }),
  since: orNull(Type.String({ format: "date", description: "The day of the labels that showed it, by UTC." })),
  promisedWrong: shareOrNull("The share of wrong decisions that the version is held to."),
  evidence: orNull(
    Type.Number({ minimum: 0, description: "The e-value after the last labels; at 100 a version is called worse." }),
  ),
  falseCallLevel: { ...Share, description: "The chance that a version as good as promised is ever called worse." },
  condition: Type.String({ description: "What has to hold for the state." }),
});

named({ VersionOutcomes: VERSION_OUTCOMES });

export function countedOutcomes(counts: OutcomeCounts) {
  return {
    ...counts,
    rowCount: judgedCount(counts),
    rightCount: rightCount(counts.confusion),
    accuracy: accuracyOf(counts),
  };
}

export function toldOutcomes({
  predictionCount,
  counts,
  confirmed,
  verdict,
}: VersionOutcomes): Static<typeof VERSION_OUTCOMES> {
  const { state, promised, evidence, since } = verdict;
  const counted = countedOutcomes(counts);
  return {
    ...{ predictionCount, ...counted, confirmed, state },
    message: promiseSentence({ verdict, ...counted }),
    ...{ since, promisedWrong: promised, evidence, falseCallLevel: FALSE_CALL_LEVEL, condition: PROMISE_CONDITION },
  };
}

export const OUTCOMES_EXAMPLE: Static<typeof VERSION_OUTCOMES> = {
  ...{ predictionCount: 4, rowCount: 1_000, rightCount: 790, accuracy: { mean: 0.79, low: 0.764, high: 0.814 } },
  ...{ unknownLabels: 2, withoutLabel: 30, unmatched: 0 },
  confusion: [
    [600, 120],
    [88, 190],
  ],
  confirmed: { mean: 0.85, low: 0.83, high: 0.87 },
  state: "WORSE_THAN_PROMISED",
  message: promiseSentence({
    verdict: { state: "WORSE_THAN_PROMISED", promised: 0.17, since: "2031-05-05" },
    ...{ rowCount: 1_000, unknownLabels: 2 },
  }),
  ...{ since: "2031-05-05", promisedWrong: 0.17, evidence: 640, falseCallLevel: FALSE_CALL_LEVEL },
  condition: PROMISE_CONDITION,
};
