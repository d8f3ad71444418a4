// A successor as clients see it: its step, the rows that it learned from, and its comparison with the champion.
import { type Static, Type } from "@sinclair/typebox";
import { PROMOTION_RULES, SUCCESSOR_STATUSES } from "../../../data/database/states.ts";
import { findLine } from "../../../data/model-lines.ts";
import { isEnded, type Successor as Row } from "../../../data/successors.ts";
import { findModelTraining } from "../../../data/training-jobs.ts";
import { findWatchedVersion } from "../../../data/watch-counts.ts";
import { BETTER_LEVEL } from "../../../engine/successor/paired-decisions.ts";
import {
  Count,
  countOf,
  Instant,
  Interval,
  Key,
  NumberInterval,
  named,
  oneOf,
  orNull,
  Share,
  shown,
  Version,
} from "../../http/schemas.ts";
import { judgeSuccession, olderRowsStatement, successionStatements } from "../../verdict/succession.ts";
import { EXAMPLES } from "../examples.ts";
import { NextPoll, nextPoll, secondsSince } from "../polling.ts";
import type { Services } from "../services.ts";
import { ObjectiveName } from "../statuses.ts";

const VersionOf = Type.Object({ modelKey: Key, version: Version });
const Matrix = Type.Array(Type.Array(Count), { description: "By actual label, then by predicted one." });
const countOrNull = (description: string) => orNull(countOf(description));

export const PROMOTION_RULE = oneOf(PROMOTION_RULES, {
  default: "BY_HAND",
  description:
    "When it becomes the one that answers. WHEN_BETTER: " +
    `as soon as it is compared, if the comparison's test finds it better at ${100 * BETTER_LEVEL}% ` +
    "and nobody chose another model meanwhile. Better is what the champion's objective says: right more often, or " +
    "the better score. It does not go with groups or times, whose rows are wrong together.",
});

const scoreOf = (who: string) =>
  Type.Optional(
    Type.Number({
      description: `How the ${who} meets the \`objective\`: a share, or the mean cost of a decision, negated.`,
    }),
  );

const SuccessorComparison = Type.Object({
  rowCount: countOf("Kept rows."),
  championAccuracy: Interval,
  challengerAccuracy: Interval,
  objective: Type.Optional({
    ...ObjectiveName,
    description:
      "The champion's objective, by which `difference`, `pValue` and `outcome` go. " +
      "Left out where they go by right decisions: for `accuracy`, and where an earlier version compared.",
  }),
  championScore: scoreOf("champion"),
  challengerScore: scoreOf("challenger"),
  difference: {
    ...NumberInterval,
    description:
      "The challenger's accuracy less the champion's, of the same rows; where there is an `objective`, the challenger's " +
      "score less the champion's.",
  },
  championAlone: countOf("Rows that the champion alone decides right."),
  challengerAlone: countOf("Rows that the challenger alone decides right."),
  seenRows: countOrNull(
    "Kept rows that the champion's dataset has too, alike in label and in all columns that it uses: they flatter a model " +
      "that learned from them. Null where that was not counted: the dataset is deleted, or an earlier version compared.",
  ),
  pValue: {
    ...Share,
    description:
      "Two-sided: of McNemar's exact test; where there is an `objective`, of bets on what each row gains, " +
      "which hold for every distribution.",
  },
  outcome: oneOf(["CHALLENGER_BETTER", "CHAMPION_BETTER", "WITHIN_CHANCE"], { description: "At 5%." }),
  labels: Type.Array(Type.String(), { description: "In the order of both matrices." }),
  championConfusion: Matrix,
  challengerConfusion: Matrix,
  statements: Type.Array(Type.String(), { description: "What can be said of it, and what cannot, in sentences." }),
});

const SuccessorSource = Type.Object({
  predictionKey: Key,
  fileName: orNull(Type.String()),
  fromRow: countOf("Rows of the file before it were learned from by the champion already, or an earlier model."),
  learnedRows: countOrNull("Labelled rows that joined the training rows."),
  keptRows: countOrNull("Labelled rows that were kept aside."),
  sameAs: orNull(
    Type.String({
      format: "uuid",
      description: "An earlier one with the same file, whose rows count once; else null.",
    }),
  ),
});

export const Successor = Type.Object({
  successorKey: Key,
  firstModelKey: { ...Key, description: "The model at whose address the line answers." },
  status: oneOf(SUCCESSOR_STATUSES, {
    description:
      "JOINING the rows, READING the dataset of them, TRAINING, COMPARING both models on the kept rows; " +
      "then COMPLETED, FAILED or CANCELLED.",
  }),
  promote: PROMOTION_RULE,
  createdOn: Instant,
  finishedOn: orNull(Instant),
  champion: VersionOf,
  challenger: { ...orNull(VersionOf), description: "The model that it trained; null before." },
  sourceDatasetKey: { ...Key, description: "What the champion was trained on." },
  datasetKey: orNull(Type.String({ format: "uuid", description: "The training rows and the older labelled rows." })),
  trainingJobKey: orNull(Key),
  oldRows: countOrNull("How many of the champion's rows were asked for; null for all."),
  trainRows: countOrNull("Rows of the champion's dataset that are used, those without a label too."),
  learnedRows: countOrNull("Labelled rows that joined them."),
  keptRows: countOrNull("The newest labelled rows, which were kept aside to compare both models by."),
  sources: Type.Array(SuccessorSource, { description: "Oldest first." }),
  comparison: orNull(SuccessorComparison),
  promotedOn: orNull(Type.String({ format: "date-time", description: "When its rule made it the one that answers." })),
  isAnswering: Type.Boolean({ description: "Whether its model answers at the line's address now." }),
  errorReason: orNull(Type.String()),
  nextPollAfterSeconds: NextPoll(""),
});
named({ VersionKey: VersionOf, SuccessorComparison, SuccessorSource, Successor });
export type Successor = Static<typeof Successor>;

export const SUCCESSOR_EXAMPLE: Successor = {
  successorKey: "9f2d4c1e-7a60-4b57-9a3b-1c2f9f7f1f42",
  firstModelKey: EXAMPLES.modelKey,
  ...{ status: "COMPLETED", promote: "BY_HAND", createdOn: EXAMPLES.createdOn, finishedOn: EXAMPLES.createdOn },
  champion: { modelKey: EXAMPLES.modelKey, version: 1 },
  challenger: { modelKey: "4a1c7d20-9b3e-4f7a-8c5d-2e6f1a9b7c33", version: 1 },
  sourceDatasetKey: EXAMPLES.datasetKey,
  datasetKey: "1e8d6b52-2c1f-4c57-8a3b-5f2f9f7f1f77",
  trainingJobKey: EXAMPLES.trainingJobKey,
  ...{ oldRows: null, trainRows: 3_000, learnedRows: 280, keptRows: 120 },
  sources: [
    {
      ...{ predictionKey: "8a0d5c1a-52b0-4c57-8a3b-5f2f9f7f1f10", fileName: "may.csv", fromRow: 0 },
      ...{ learnedRows: 280, keptRows: 120, sameAs: null },
    },
  ],
  comparison: {
    ...{
      rowCount: 120,
      championAlone: 5,
      challengerAlone: 20,
      seenRows: 0,
      pValue: 0.004,
      outcome: "CHALLENGER_BETTER",
    },
    championAccuracy: { mean: 0.75, low: 0.666, high: 0.819 },
    challengerAccuracy: { mean: 0.875, low: 0.804, high: 0.923 },
    difference: { mean: 0.125, low: 0.042, high: 0.204 },
    labels: ["no", "yes"],
    championConfusion: [
      [70, 10],
      [20, 20],
    ],
    challengerConfusion: [
      [75, 5],
      [10, 30],
    ],
    statements: ["The challenger alone decides 20 of them right, the champion alone 5."],
  },
  ...{ promotedOn: null, isAnswering: false, errorReason: null },
};

export function showSuccessor(
  row: Row,
  { database, now }: Pick<Services, "database" | "now">,
  headers: Headers | null,
): Successor {
  const { key: successorKey, championKey, championVersion, challengerKey, challengerVersion, sources, createdOn } = row;
  const isJoined = row.trainRows !== null;
  const sum = (field: "learnedRows" | "keptRows") =>
    isJoined ? sources.reduce((total, source) => total + (source[field] ?? 0), 0) : null;
  const isUnderWay = headers !== null && !isEnded(row);
  return shown(Successor, {
    ...row,
    successorKey,
    champion: { modelKey: championKey, version: championVersion },
    challenger: challengerKey === null ? null : { modelKey: challengerKey, version: challengerVersion! },
    ...{ learnedRows: sum("learnedRows"), keptRows: sum("keptRows") },
    comparison: showComparison(row, sum("learnedRows") ?? 0, database),
    isAnswering:
      challengerKey !== null && findLine(database, row.userKey, challengerKey)?.answeringKey === challengerKey,
    nextPollAfterSeconds: isUnderWay ? nextPoll(headers, secondsSince(createdOn, now())) : null,
  });
}

function showComparison(row: Row, learnedRows: number, database: Services["database"]): Successor["comparison"] {
  const { comparison, championKey, championVersion: version, trainRows } = row;
  if (comparison === null) return null;
  const { labels, champion, challenger, championAlone, challengerAlone, seenRows = null } = comparison;
  const {
    objective = "accuracy",
    costs = null,
    groupColumn = null,
    timeColumn = null,
  } = findModelTraining(database, championKey) ?? {};
  const aim = { objective, costs, isDependent: groupColumn !== null || timeColumn !== null };
  const { byObjective, ...verdict } = judgeSuccession(comparison, aim);
  const isWorse = findWatchedVersion(database, { modelKey: championKey, version })?.state === "WORSE_THAN_PROMISED";
  const { champion: championAccuracy, challenger: challengerAccuracy } = verdict;
  return {
    ...verdict,
    ...{ labels: [...labels], championAccuracy, challengerAccuracy, championAlone, challengerAlone, seenRows },
    ...(byObjective !== null && {
      objective: byObjective.objective,
      championScore: byObjective.champion,
      challengerScore: byObjective.challenger,
    }),
    championConfusion: champion.map((counts) => [...counts]),
    challengerConfusion: challenger.map((counts) => [...counts]),
    statements: [
      ...successionStatements(comparison, { byObjective, ...verdict }, aim),
      ...(isWorse && trainRows !== null && trainRows > 0 ? [olderRowsStatement(trainRows, learnedRows)] : []),
    ],
  };
}
