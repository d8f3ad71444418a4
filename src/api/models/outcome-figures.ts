// Figures from labels that came later, as several answers have them.
import { type Static, Type } from "@sinclair/typebox";
import { rightCount } from "../../../engine/judging/metrics.ts";
import { accuracyOfOutcomes, judgedCount, type OutcomeCounts } from "../../../engine/outcomes/outcomes.ts";
import { FALSE_CALL_LEVEL } from "../../../engine/outcomes/worse-than-promised.ts";
import {
  Count,
  countOf,
  Interval,
  NumberInterval,
  named,
  oneOf,
  orNull,
  SCHEMA_NAME,
  Share,
} from "../../http/schemas.ts";
import type { VersionOutcomes } from "../../watching/version-outcomes.ts";
import { PROMISE_CONDITION, promiseSentence } from "../../words/outcome-words.ts";
import { ObjectiveName } from "../statuses.ts";

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
  objective: ObjectiveName,
  score: orNull({
    ...NumberInterval,
    description: "How the labels say that the objective is met: a share, or the mean cost of a decision, negated.",
  }),
  confirmed: orNull({ ...NumberInterval, description: "The score that training confirmed." }),
  changedLabel: orNull(
    Type.Object(
      { label: Type.String(), trained: Share, later: Share },
      {
        [SCHEMA_NAME]: "ChangedLabel",
        description:
          "The label whose share grew most, with its shares of the training rows and of the labels that came later; " +
          "null where these have the shares of the training rows, or came for chosen rows.",
      },
    ),
  ),
  state: oneOf(["AS_PROMISED", "WORSE_THAN_PROMISED", "TOO_FEW", "NO_PROMISE"], {
    description:
      "WORSE_THAN_PROMISED: decisions serve the objective worse than the worse end of the confirmed figure's " +
      "interval, beyond chance. TOO_FEW: even ten points, or half as much cost again, would hardly show. " +
      "NO_PROMISE: no figure was confirmed, other thresholds than the trained one decided, or the labels came for rows " +
      "that were chosen by their decisions.",
    "x-decision": "D121",
  }),
  message: Type.String({
    description: "The state in words; how many labels the model does not know, where these are more than a twentieth.",
  }),
  since: orNull(Type.String({ format: "date", description: "The day of the labels that showed it, by UTC." })),
  promised: orNull(Type.Number({ description: "The score that the version is held to." })),
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
    accuracy: accuracyOfOutcomes(counts),
  };
}

export function toldOutcomes({
  predictionCount,
  counts,
  ...labelled
}: VersionOutcomes): Static<typeof VERSION_OUTCOMES> {
  const { objective, score, confirmed, changedLabel, verdict } = labelled;
  const { state, promised, evidence, since } = verdict;
  const counted = countedOutcomes(counts);
  return {
    ...{ predictionCount, ...counted, objective, score, confirmed, changedLabel, state },
    message: promiseSentence({ objective, verdict, ...counted }),
    ...{ since, promised, evidence, falseCallLevel: FALSE_CALL_LEVEL, condition: PROMISE_CONDITION },
  };
}

const EXAMPLE_CONFUSION = [
  [600, 120],
  [88, 190],
];
const EXAMPLE_ACCURACY = { mean: 0.79, low: 0.764, high: 0.814 };

export const OUTCOMES_EXAMPLE: Static<typeof VERSION_OUTCOMES> = {
  ...{ predictionCount: 4, rowCount: 1_000, rightCount: 790, accuracy: EXAMPLE_ACCURACY },
  ...{ unknownLabels: 2, withoutLabel: 30, unmatched: 0, confusion: EXAMPLE_CONFUSION },
  ...{ objective: "accuracy", score: EXAMPLE_ACCURACY },
  confirmed: { mean: 0.85, low: 0.83, high: 0.87 },
  changedLabel: { label: "yes", trained: 0.2, later: 0.278 },
  state: "WORSE_THAN_PROMISED",
  message: promiseSentence({
    objective: "accuracy",
    verdict: { state: "WORSE_THAN_PROMISED", promised: 0.83, since: "2031-05-05", otherThreshold: false, chosen: null },
    ...{ rowCount: 1_000, unknownLabels: 2 },
  }),
  ...{ since: "2031-05-05", promised: 0.83, evidence: 640, falseCallLevel: FALSE_CALL_LEVEL },
  condition: PROMISE_CONDITION,
};
