// Rows scored at once: a few as JSON, answered in the same request.
import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../data/database.ts";
import { findOwnedChampion } from "../../data/models.ts";
import type { StateFolder } from "../../data/state-folder.ts";
import { ColumnMismatch } from "../../engine/column-mismatch.ts";
import { scoreRows } from "../jobs/live-scoring.ts";
import type { ModelCache } from "../jobs/model-cache.ts";
import { MOST_LIVE_ROWS } from "../limits.ts";
import { readJson } from "./bodies.ts";
import { columnMismatch } from "./column-mismatch.ts";
import { checkValue } from "./fields.ts";
import { noSuch } from "./no-such.ts";
import { inOpenApi } from "./openapi-schema.ts";
import { type Route, route } from "./route.ts";
import { Key } from "./schemas.ts";
import { WarningItem } from "./warning-items.ts";

/** The JSON of the rows. */
export const MOST_LIVE_ROWS_BYTES = 8 * 1024 * 1024;

export interface PredictionRowServices {
  database: Database;
  state: StateFolder;
  modelCache: ModelCache;
}

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Row = Type.Record(Type.String(), Cell, { "x-must-be": "an object of values by column name" });
const Rows = Type.Object({
  rows: Type.Array(Row, {
    minItems: 1,
    maxItems: MOST_LIVE_ROWS,
    description:
      "Values by column name; null for none. Numbers may be numbers, or texts with a decimal point or a decimal comma.",
  }),
});

const Share = Type.Number({ minimum: 0, maximum: 1 });
const ScoredRows = Type.Object({
  modelKey: Key,
  version: Type.Integer({ minimum: 1, maximum: 3, description: "The champion that scored the rows." }),
  predictions: Type.Array(
    Type.Object({
      label: Type.String(),
      confidence: Share,
      probabilities: Type.Record(Type.String(), Share, { description: "By label." }),
    }),
    { description: "One for each row, in the same order." },
  ),
  warnings: Type.Array(WarningItem),
});

export type ScoredRows = Static<typeof ScoredRows>;

const BODY_EXAMPLE = { rows: [{ tenure: 14, plan: "basic", balance: null }] } satisfies Static<typeof Rows>;
const EXAMPLE = {
  modelKey: "c3b7d7a0-2f7f-4a2e-9c5d-9d0a3e1b4c55",
  version: 1,
  predictions: [{ label: "no", confidence: 0.83, probabilities: { no: 0.83, yes: 0.17 } }],
  warnings: [],
} satisfies Static<typeof ScoredRows>;

export function predictionRowRoutes({ database, state, modelCache }: PredictionRowServices): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/predictions/models/{modelKey}/rows",
      operationId: "predictRows",
      tag: "Predictions",
      summary: "Predict a few rows at once",
      description:
        `1 to ${MOST_LIVE_ROWS} rows as JSON, answered in this request by the model's champion; nothing is stored. A row ` +
        "names the feature columns of the training data, in any order.",
      decisions: ["D20", "D30", "D31"],
      scopes: ["predict"],
      rawBodies: [
        {
          contentType: "application/json",
          description: `At most ${MOST_LIVE_ROWS_BYTES} bytes.`,
          schema: { ...inOpenApi(Rows, "request"), example: BODY_EXAMPLE },
        },
      ],
      answer: { status: 200, description: "The scored rows.", schema: ScoredRows, example: EXAMPLE },
      problems: [
        "NOT_FOUND",
        "VALIDATION_FAILED",
        "MALFORMED_JSON",
        "COLUMN_MISMATCH",
        "UNREADABLE_COLUMN",
        "UPLOAD_INTERRUPTED",
        "BODY_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ],
      handle: async ({ params: { modelKey }, caller: { userKey }, request }) => {
        const champion = findOwnedChampion(database, userKey, modelKey);
        if (champion === null) throw noSuch("model");
        const { rows } = checkValue(Rows, await readJson(request, MOST_LIVE_ROWS_BYTES));
        const { version, filePath } = champion;
        try {
          const { scores: predictions, warnings } = scoreRows(modelCache, state.locate(filePath), rows);
          return { modelKey, version, predictions, warnings };
        } catch (error) {
          throw error instanceof ColumnMismatch ? columnMismatch(error, "rows") : error;
        }
      },
    }),
  ];
}
