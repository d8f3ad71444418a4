// The health of a version over time: its rows compared with its training rows, and the accuracy to expect.
import { type Static, Type } from "@sinclair/typebox";
import { findOwnedModel, modelNames } from "../../../data/models.ts";
import { shadowCountsOf } from "../../../data/shadow-counts.ts";
import { findWatchedVersion, type VersionId } from "../../../data/watch-counts.ts";
import { wilsonInterval } from "../../../engine/judging/metrics.ts";
import { MONTHLY_LEVEL, type StretchReport, worstState } from "../../../engine/outcomes/health.ts";
import { sumOf } from "../../../engine/sums.ts";
import {
  Count,
  countOf,
  Instant,
  Interval,
  Key,
  named,
  orNull,
  Share,
  shareOrNull,
  shown,
  Version,
} from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { COLUMNS_TOLD, firstDay, type VersionHealth, versionHealth } from "../../watching/version-health.ts";
import { accuracyBetween, type VersionOutcomes, versionOutcomes } from "../../watching/version-outcomes.ts";
import { EXPECTED_CONDITION, healthSentence } from "../../words/health-words.ts";
import { columnWords } from "../../words/watch-words.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { findVersion, VersionParam } from "./model-files.ts";
import { OUTCOMES_EXAMPLE, toldOutcomes, VERSION_OUTCOMES } from "./outcome-figures.ts";
import { judgedShift, WATCH_STATE } from "./watch-state.ts";

const MOST_MONTHS = 13;

const JUDGED = judgedShift(
  "As of a prediction's file; UNTOLD also where the stretch is not over, SLIGHT also where its rows differ as those of " +
    "the same days a week before did, and those of all seven days do not (D187).",
);
const DAY = Type.String({ format: "date", description: "By UTC." });

const WatchedStretch = Type.Object({
  from: DAY,
  to: DAY,
  isOver: Type.Boolean({ description: "False where rows may still be added: it is judged once, when it is over." }),
  isShifted: orNull(Type.Boolean({ description: "Whether it raised an alarm; null where it was not judged." })),
  rowCount: Count,
  countedRows: {
    ...Count,
    description: "Rows whose cells were counted: about 2,000 of a larger file, 1,000 of a wide one.",
  },
  shiftedColumns: countOf("Columns that are SHIFTED."),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      ...JUDGED,
      difference: Type.String({ description: "What is different, in words; empty where nothing is." }),
    }),
    { description: `The worst ${COLUMNS_TOLD} columns; none where the model has no counts of its training rows.` },
  ),
  decisions: Type.Array(
    Type.Object({ label: Type.String(), count: Count, trained: shareOrNull("Share of the held-out rows.") }),
    { description: "Rows by predicted label." },
  ),
  decisionShift: orNull(
    Type.Object(JUDGED, { description: "Beside held-out rows; null where they cannot be compared." }),
  ),
  meanConfidence: Share,
  expected: {
    ...orNull(Interval),
    description: `The accuracy to expect with its 95% interval, ${EXPECTED_CONDITION}; null where it is not known, as of models of earlier versions.`,
  },
  real: {
    ...orNull(Type.Object({ ...Interval.properties, rowCount: countOf("Rows with a label.") })),
    description:
      "The accuracy by labels that came later for rows of files that were scored in the stretch, with its 95% interval; null without labels.",
    "x-decision": "D132",
  },
});

const ShadowAgreement = Type.Object({
  modelKey: Key,
  version: Version,
  name: orNull(Type.String()),
  from: DAY,
  to: DAY,
  rowCount: countOf("Rows that both decided."),
  agreedCount: countOf("Rows that both decided alike."),
  agreement: orNull(Interval),
  unansweredCount: countOf("Rows that the shadow could not take."),
});

const ModelHealth = Type.Object({
  modelKey: Key,
  version: Version,
  state: WATCH_STATE,
  message: Type.String({ description: "The state in words." }),
  isCounting: Type.Boolean({ description: "Whether the server counts what models are given.", "x-decision": "D120" }),
  rowCount: countOf("Rows that were counted since counting began."),
  lastUsedOn: orNull(Instant),
  falseAlarmsPerMonth: {
    ...Share,
    description:
      "The chance that a month of rows like the training rows raises an alarm, however many stretches it has: each has a share by its days.",
  },
  alarmShare: shareOrNull("Share of the judged stretches that raised an alarm; null where none was judged."),
  condition: Type.String({ description: "What has to hold for an expected accuracy." }),
  outcomes: VERSION_OUTCOMES,
  shadows: Type.Array(ShadowAgreement, {
    description:
      "Models that decided the rows over the API too, without answering, in these months; the one with the newest rows first.",
    "x-decision": "D130",
  }),
  stretches: Type.Array(WatchedStretch, {
    description:
      "Oldest first. A stretch ends with the day on which 100 counted rows have come, or with the month: a day, or more days where these " +
      "have few rows.",
  }),
});
named({ ShadowAgreement, WatchedStretch, ModelHealth });
export type ModelHealth = Static<typeof ModelHealth>;

const EXAMPLE: ModelHealth = {
  modelKey: EXAMPLES.modelKey,
  version: 1,
  state: "WORSE_THAN_PROMISED",
  message: healthSentence(
    "WORSE_THAN_PROMISED",
    { state: "SHIFTED", newest: { from: "2031-05-05", to: "2031-05-05", shiftedColumns: 1 } },
    OUTCOMES_EXAMPLE.message,
  ),
  isCounting: true,
  rowCount: 52_000,
  lastUsedOn: "2031-05-05T16:20:00.000Z",
  falseAlarmsPerMonth: MONTHLY_LEVEL,
  alarmShare: 0.2,
  condition: EXPECTED_CONDITION,
  outcomes: OUTCOMES_EXAMPLE,
  shadows: [
    {
      ...{ modelKey: "4a1c7d20-9b3e-4f7a-8c5d-2e6f1a9b7c33", version: 1, name: null },
      ...{ from: "2031-05-04", to: "2031-05-05", rowCount: 400, agreedCount: 380, unansweredCount: 0 },
      agreement: { mean: 0.95, low: 0.924, high: 0.967 },
    },
  ],
  stretches: [
    {
      ...{ from: "2031-05-05", to: "2031-05-05", isOver: true, isShifted: true, rowCount: 400, countedRows: 400 },
      shiftedColumns: 1,
      columns: [
        {
          ...{ name: "tenure", verdict: "SHIFTED", index: 1.9, pValue: 1e-40 },
          difference: "62.0% lie above 72, the highest in training",
        },
      ],
      decisions: [
        { label: "no", count: 290, trained: 0.76 },
        { label: "yes", count: 110, trained: 0.24 },
      ],
      decisionShift: { verdict: "SLIGHT", index: 0.01, pValue: 0.0001 },
      meanConfidence: 0.83,
      expected: { mean: 0.81, low: 0.77, high: 0.85 },
      real: { mean: 0.79, low: 0.724, high: 0.844, rowCount: 180 },
    },
  ],
};

export function modelHealthRoutes({ database, state, now, rowCounts }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/models/{modelKey}/versions/{version}/health",
      params: { version: VersionParam },
      operationId: "getModelHealth",
      tag: "Models",
      summary: "How a version does over time",
      description:
        "What the version was given, in predictions and rows over the API, stretch by stretch of days beside its training rows; what it " +
        "answered, what accuracy to expect without labels, and what labels that came later say.",
      decisions: ["D31", "D114", "D120", "D121"],
      scopes: ["read", "predict"],
      query: {
        months: Type.Integer({
          ...{ minimum: 1, maximum: MOST_MONTHS, default: 3 },
          description: "Calendar months to look back, this one among them.",
        }),
      },
      answer: { status: 200, description: "The state, and the stretches.", schema: ModelHealth, example: EXAMPLE },
      problems: ["NOT_FOUND"],
      handle: async ({ params: { modelKey, version }, query: { months }, caller: { userKey } }) => {
        const { filePath } = findVersion(database, userKey, modelKey, version);
        const { createdOn } = findOwnedModel(database, userKey, modelKey)!.model;
        // Includes the rows scored a moment ago.
        rowCounts?.flush();
        const id = { modelKey, version };
        const watched = findWatchedVersion(database, id);
        const health = await versionHealth({ database, state }, { ...id, filePath, createdOn }, now(), months);
        const isWatched = rowCounts !== null;
        const ofRows = isWatched ? health.state : "NOT_WATCHED";
        const outcomes = versionOutcomes(database, id, health.model);
        const newest = health.stretches.findLast(({ isShifted }) => isShifted !== null) ?? null;
        const ofLabels = toldOutcomes(outcomes);
        const worst = worstState(ofRows, ofLabels.state, ofLabels.rowCount);
        return shown(ModelHealth, {
          ...id,
          state: worst,
          message: healthSentence(worst, { state: ofRows, newest }, ofLabels.message),
          isCounting: isWatched,
          rowCount: watched?.rowCount ?? 0,
          lastUsedOn: watched?.lastUsedOn ?? null,
          falseAlarmsPerMonth: MONTHLY_LEVEL,
          alarmShare: health.alarmShare,
          condition: EXPECTED_CONDITION,
          shadows: showShadows(database, id, firstDay(now(), months)),
          outcomes: ofLabels,
          stretches: health.stretches.map((stretch) => told(stretch, health, outcomes)),
        });
      },
    }),
  ];
}

function showShadows(database: Services["database"], id: VersionId, from: string) {
  const counts = shadowCountsOf(database, id, from);
  const names = modelNames(
    database,
    counts.map(({ shadowKey }) => shadowKey),
  );
  return counts.map(({ shadowKey: modelKey, shadowVersion, ...counts }) => ({
    ...{ ...counts, modelKey, version: shadowVersion, name: names.get(modelKey) ?? null },
    agreement: counts.rowCount === 0 ? null : wilsonInterval(counts.agreedCount, counts.rowCount),
  }));
}

function told(
  stretch: StretchReport,
  { model: { labels, heldOut } }: VersionHealth,
  { scored }: VersionOutcomes,
): Static<typeof WatchedStretch> {
  const { columns, decisions, decisionCounts, expected = null } = stretch;
  const heldOutRows = sumOf(heldOut?.decisions ?? []);
  return {
    ...stretch,
    expected,
    real: accuracyBetween(scored, stretch.from, stretch.to),
    columns: (columns ?? []).map((column) => ({ ...column, difference: columnWords(column) })),
    decisions: labels.map((label, code) => ({
      label,
      count: decisionCounts[code]!,
      trained: heldOut === undefined || heldOutRows === 0 ? null : heldOut.decisions[code]! / heldOutRows,
    })),
    decisionShift: decisions,
  };
}
