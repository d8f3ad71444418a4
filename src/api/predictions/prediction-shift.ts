// Compares a prediction's file with the rows that its model was trained on.

import { type Static, Type } from "@sinclair/typebox";
import { findShift } from "../../../data/predictions.ts";
import { hasAlarm, type WatchReport } from "../../../engine/watch/watch-report.ts";
import { Count, countOf, Interval, Key, named, oneOf, orNull, Share, shown } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXPECTED_CONDITION } from "../../words/health-words.ts";
import { columnWords } from "../../words/watch-words.ts";
import { judgedShift } from "../models/watch-state.ts";
import type { Services } from "../services.ts";
import { PREDICTION_EXAMPLE, predictionOf, requireCompleted } from "./prediction-files.ts";

const Judged = judgedShift(
  "SHIFTED: more than chance, and by much. SLIGHT: more than chance, by little. UNTOLD: there are too few rows to tell.",
);

const SharePair = Type.Object({
  trained: { ...Share, description: "Of the training rows." },
  file: { ...Share, description: "Of this file." },
});

named({ SharePair, ShiftVerdict: Judged.verdict });

const Between = Type.Object({ from: orNull(Type.Number()), to: orNull(Type.Number()) });

named({ NumberSpan: Between });

const ColumnShift = Type.Object({
  name: Type.String(),
  kind: oneOf(["number", "text", "category", "date"]),
  ...Judged,
  difference: Type.String({ description: "What is different, in words; empty where nothing is." }),
  missing: SharePair,
  unseen: orNull(SharePair),
  range: orNull(
    Type.Object({
      low: Type.Number({ description: "The lowest value of the training rows; of a text, its characters." }),
      high: Type.Number(),
      below: { ...Share, description: "Rows of the file below it." },
      above: Share,
      middle: orNull(
        Type.Object(
          { trained: Between, file: Between },
          { description: "Between which values the middle one lies; null at an end outside the range." },
        ),
      ),
    }),
  ),
});

named({ ColumnShift });

const PredictionShift = Type.Object({
  predictionKey: Key,
  shifted: Type.Boolean({ description: "Whether anything is SHIFTED." }),
  rowCount: Count,
  countedRows: {
    ...Count,
    description: "Rows whose cells were compared: about 2,000 of a larger file, 1,000 of a wide one.",
  },
  trainedRowCount: orNull(Count),
  columns: orNull(
    Type.Array(ColumnShift, { description: "Worst first; null where the model has no counts of its training rows." }),
  ),
  decisions: orNull(
    Type.Object(Judged, {
      description: "Beside held-out rows; null where they cannot be compared, as under another threshold.",
    }),
  ),
  confidence: orNull(
    Type.Object({
      ...Judged,
      isLessSure: Type.Boolean({
        description: "Whether the mean confidence is lower. A shift of the confidence is no alarm.",
      }),
    }),
  ),
  expected: {
    ...orNull(Interval),
    description: `The accuracy to expect with its 95% interval, ${EXPECTED_CONDITION}; null where it is not known, as of models of earlier versions.`,
    "x-decision": "D120",
  },
  labelled: orNull(
    Type.Object(
      {
        rowCount: countOf("Rows with a label that the model knows."),
        accuracy: Interval,
        labels: Type.Array(Type.String()),
        confusion: Type.Array(Type.Array(Count), { description: "By actual label, then by predicted one." }),
      },
      {
        description:
          "Where the file has the label's column. Rows whose label the model does not know are left out; the " +
          "prediction's warning `UNKNOWN_LABELS` counts them.",
      },
    ),
  ),
});
named({ PredictionShift });
export type PredictionShift = Static<typeof PredictionShift>;

const EXAMPLE: PredictionShift = {
  predictionKey: PREDICTION_EXAMPLE.predictionKey,
  shifted: true,
  rowCount: 250,
  countedRows: 250,
  trainedRowCount: 5_000,
  columns: [
    {
      name: "tenure",
      kind: "number",
      verdict: "SHIFTED",
      index: 1.9,
      pValue: 1e-40,
      difference: "62.0% lie above 72, the highest in training",
      missing: { trained: 0, file: 0 },
      unseen: null,
      range: { low: 0, high: 72, below: 0, above: 0.62, middle: null },
    },
  ],
  decisions: { verdict: "ALIKE", index: 0.01, pValue: 0.4 },
  confidence: { verdict: "ALIKE", index: 0, pValue: 0.7, isLessSure: false },
  expected: { mean: 0.81, low: 0.77, high: 0.85 },
  labelled: null,
};

export function predictionShiftRoutes(services: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/predictions/{predictionKey}/shift",
      operationId: "getPredictionShift",
      tag: "Predictions",
      summary: "Hold a prediction's file against the training rows",
      description:
        "What has shifted since the training, worst first. A file with labels is judged by them too. Predictions of earlier versions " +
        "have neither.",
      decisions: ["D31", "D114", "D120"],
      scopes: ["read", "predict"],
      answer: { status: 200, description: "The comparison.", schema: PredictionShift, example: EXAMPLE },
      problems: ["NOT_FOUND", "NOT_READY"],
      handle: (call) => {
        const prediction = predictionOf(call, services);
        requireCompleted(prediction, "can be compared.");
        const report = findShift(services.database, prediction.key);
        return shown(PredictionShift, { predictionKey: prediction.key, ...told(report, prediction.rowCount ?? 0) });
      },
    }),
  ];
}

function told(report: WatchReport | null, rowCount: number): Omit<PredictionShift, "predictionKey"> {
  if (report === null) {
    const nothing = { columns: null, decisions: null, confidence: null, expected: null, labelled: null };
    return { shifted: false, rowCount, countedRows: 0, trainedRowCount: null, ...nothing };
  }
  const columns = report.columns?.map((column) => ({ ...column, difference: columnWords(column) })) ?? null;
  return { ...report, expected: report.expected ?? null, shifted: hasAlarm(report), columns };
}
