// The evidence behind a refinement's result: every column, the models compared, each reading of the blind test (D64).
import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import { findOwnedRefinement, findRefinementResult } from "../../../data/refinements/refinements.ts";
import { NOT_SHUFFLED } from "../../../engine/refinement/decision.ts";
import { ApiError, found } from "../../http/problem.ts";
import { ClassCount, countOf, Key, named, oneOf, orNull, shown } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { Histograms, histogramsOf } from "../datasets/dataset-preview.ts";
import { noResult } from "./refinement-result.ts";
import { EXAMPLE_KEY } from "./refinement-state.ts";

const figure = (description: string) => orNull(Type.Number({ description }));

const NotShuffled = oneOf(NOT_SHUFFLED, {
  description:
    "Why a judged column was not shuffled: a screen before the forests left it out, " +
    "its group gained too little in them and nothing else spoke for it, or time was up. " +
    "Null otherwise, and for runs of earlier versions.",
  "x-decision": "D64",
});
named({ NotShuffled });

const Row = Type.Object({
  family: Type.String(),
  falseDecisions: countOf("Wrong decisions on the blind test."),
  accuracy: figure("Null when undefined, like the others."),
  f1Score: figure("As in the progress."),
  precision: figure("As in the progress."),
  recall: figure("As in the progress."),
  best: Type.Boolean(),
});

named({ FamilyPerformance: Row });

const Evidence = Type.Object({
  name: Type.String(),
  position: Type.Integer({ minimum: 0 }),
  pValue: figure("Test of independence of the label, on all learning rows."),
  mutualInformation: figure("With the label, in nats."),
  strength: figure(
    "Accuracy that the best rule on this column alone adds to the majority, as a share; 1 is all of it.",
  ),
  hits: figure("Rounds in which forests gained more by the column than by the best of its shadows."),
  rounds: figure("The number of rounds."),
  gain: figure("Mean share of the forests' gain."),
  shadowGain: figure("The same for the best shadow, a shuffled copy."),
  permutationZ: figure(
    "z-score of what predictions on unseen rows lose when the column is shuffled together with its near copies.",
  ),
  probabilityLoss: figure("Mean fall in the true class's probability after shuffling."),
  accuracyLoss: figure("Accuracy lost after shuffling."),
  notShuffled: orNull(NotShuffled),
  accuracyEffect: figure(
    "Cross-validated accuracy before less after the step that removed the " +
      "column, with all columns removed in that step.",
  ),
});

named({ ColumnEvidence: Evidence });

const RefinementEvidence = Type.Object({
  featureRefinementKey: Key,
  labelColumn: Type.String(),
  majority: Type.Object(
    { label: Type.String(), falseDecisions: countOf("On the blind test."), accuracy: Type.Number() },
    { description: "Always answering the most frequent label." },
  ),
  trainRowCount: countOf("Rows that the decisions are based on."),
  testRowCount: countOf("Rows of the blind test."),
  baselinePerformances: Type.Array(Row, { description: "The best models on all columns." }),
  keptPerformances: Type.Array(Row, { description: "The best models on the kept columns." }),
  currentPerformances: Type.Array(Row, { description: "The best of the run, on any columns." }),
  checkpoints: Type.Array(
    Type.Object({
      proposal: Type.String({ description: "The columns, in words." }),
      columnCount: countOf("Number of columns."),
      falseDecisions: countOf("Wrong decisions of its best model."),
      worseBy: Type.Number({ description: "How many standard errors more than the best before." }),
      accepted: Type.Boolean(),
    }),
    { description: "Each reading of the blind test after the baseline, with refused proposals." },
  ),
  classes: Type.Array(ClassCount),
  evidence: Type.Array(Evidence, { description: "For every column but the label; null where not measured." }),
  read: Type.Array(
    Type.Object({ name: Type.String(), kind: Type.String(), missing: Type.Integer(), distinct: Type.Integer() }),
    { description: "Every column as read, with the label." },
  ),
  distributions: Histograms,
});
named({ RefinementEvidence });

export type RefinementEvidence = Static<typeof RefinementEvidence>;

const NONE = {
  mutualInformation: null,
  strength: null,
  probabilityLoss: null,
  accuracyLoss: null,
  notShuffled: null,
  accuracyEffect: null,
};
const EXAMPLE_ROW = {
  ...{ family: "random forest", falseDecisions: 86, accuracy: 0.914, f1Score: 0.81 },
  ...{ precision: 0.84, recall: 0.782, best: true },
};

const EXAMPLE = {
  featureRefinementKey: EXAMPLE_KEY,
  labelColumn: "left",
  majority: { label: "no", falseDecisions: 145, accuracy: 0.855 },
  trainRowCount: 3_000,
  testRowCount: 1_000,
  baselinePerformances: [{ ...EXAMPLE_ROW, falseDecisions: 91, accuracy: 0.909 }],
  keptPerformances: [EXAMPLE_ROW],
  currentPerformances: [EXAMPLE_ROW],
  checkpoints: [
    { proposal: "columns with a signal", columnCount: 14, falseDecisions: 86, worseBy: -0.4, accepted: true },
  ],
  classes: [
    { label: "no", count: 2_565 },
    { label: "yes", count: 435 },
  ],
  evidence: [
    {
      ...{ name: "tenure", position: 0, pValue: 1e-12, hits: 20, rounds: 20, gain: 0.31, shadowGain: 0.02 },
      ...{ permutationZ: 8.4, ...NONE },
    },
  ],
  read: [{ name: "tenure", kind: "number", missing: 0, distinct: 72 }],
  distributions: [],
} satisfies Static<typeof RefinementEvidence>;

export function refinementEvidenceRoute({ database }: { database: Database }): Route {
  return route({
    method: "GET",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/evidence",
    operationId: "getRefinementEvidence",
    tag: "Feature refinement",
    summary: "The evidence behind a refinement's result",
    description: "Available with the result; runs of earlier versions have none.",
    decisions: ["D31", "D64"],
    answer: { status: 200, description: "The evidence.", schema: RefinementEvidence, example: EXAMPLE },
    problems: ["NOT_FOUND", "NOT_READY", "FILE_REMOVED"],
    handle: ({ params: { featureRefinementKey: key }, caller: { userKey } }) => {
      const run = found("refinement", findOwnedRefinement(database, userKey, key));
      const result = findRefinementResult(database, userKey, key);
      if (result === null) throw noResult(run.state);
      const { grounds, columns } = result;
      if (grounds === undefined) throw new ApiError("FILE_REMOVED", "This run is of a version that kept no evidence.");
      return shown(RefinementEvidence, {
        ...grounds,
        featureRefinementKey: key,
        baselinePerformances: run.baselineRows,
        keptPerformances: grounds.keptRows,
        currentPerformances: run.currentRows,
        evidence: columns.map(({ evidence, ...column }) => ({ notShuffled: null, ...column, ...evidence })),
        read: grounds.columns,
        distributions: histogramsOf(grounds.columns),
      });
    },
  });
}
