// Scores rows of a JSON body in the request itself.

import { type Static, Type } from "@sinclair/typebox";
import { findAnswering } from "../../../data/model-lines.ts";
import { findOwnedChampion } from "../../../data/models.ts";
import type { FileCounts } from "../../../engine/watch/file-counts.ts";
import { MOST_REASONS } from "../../../workers/scoring/model-cache.ts";
import { RowsRefused, scoreBody } from "../../../workers/scoring/rows-body.ts";
import { MOST_LIVE_ROWS } from "../../common/limits.ts";
import { MOST_JSON_BYTES, MOST_JSON_LEVELS, MOST_LIVE_ROWS_BYTES } from "../../http/limits.ts";
import { ApiError, found } from "../../http/problem.ts";
import { Key, named, oneOf, SCHEMA_NAME, Share, Version, WarningItem } from "../../http/schemas.ts";
import { announcedBytes, readBytes, requireContentType } from "../../receiving/bodies.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import { DATE_PARTS_SAID, TEXT_PARTS_SAID } from "../part-names.ts";
import type { Services } from "../services.ts";
import { countBeside, decideBeside, shadowOf } from "./shadow.ts";

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Row = Type.Record(Type.String(), Cell, { "x-must-be": "an object of values by column name" });
export const Rows = Type.Object({
  rows: Type.Array(Row, {
    minItems: 1,
    maxItems: MOST_LIVE_ROWS,
    description:
      "Values by column name; null for none. Numbers may be numbers, or texts with a decimal point or a decimal comma.",
  }),
});

named({ RowsToPredict: Rows });

const BOUNDS = { mostRows: MOST_LIVE_ROWS, mostLevels: MOST_JSON_LEVELS };

const Effect = Type.Number({
  description:
    "What it added to the log-odds of the label against the most probable other one: " +
    "above 0 for the label, below 0 against it.",
});
const WordEffect = Type.Object({ word: Type.String(), effect: Effect });
const PartEffect = Type.Object({
  part: Type.String({ description: DATE_PARTS_SAID + TEXT_PARTS_SAID }),
  effect: Effect,
});
const RowReason = Type.Object({
  column: Type.String(),
  minus: Type.Optional(
    Type.String({ description: "The column that is taken off; only where the difference of both is the reason." }),
  ),
  effect: Effect,
  words: Type.Optional(
    Type.Array(WordEffect, {
      description:
        "Of a column that is read as text: at most three words or pairs of words of the row with the largest part; " +
        "`#` stands for any digit.",
    }),
  ),
  parts: Type.Optional(
    Type.Array(PartEffect, {
      description: "Of a column of dates or one that is read as text: at most three parts with the largest part in it.",
    }),
  ),
});
named({ WordEffect, PartEffect, RowReason });
const ODD_CODES = ["NOT_READ", "UNSEEN_CATEGORY", "NO_KNOWN_TERM", "NEW_MISSING"] as const;
const ROWS_QUERY = {
  reasons: Type.Integer({
    minimum: 0,
    maximum: MOST_REASONS,
    default: 0,
    description:
      "Columns, and differences of two, named for each row that moved its decision the most. " +
      "Where a model's trees are too large for that, there are none, and the warning `REASONS_TOO_LARGE` says so.",
  }),
  counted: Type.Boolean({
    default: true,
    description:
      "Whether the rows count as given to the model. " +
      "`false` for rows that were counted before, such as those of a result that is looked at: " +
      "no shadow decides them either.",
    "x-decision": "D120",
  }),
};

const OddCell = Type.Object({ column: Type.String(), code: oneOf(ODD_CODES) });
named({ OddCell });

const ScoredRows = Type.Object({
  modelKey: Key,
  version: { ...Version, description: "The version that scored the rows." },
  predictions: Type.Array(
    Type.Object(
      {
        label: Type.String(),
        confidence: Share,
        probabilities: Type.Record(Type.String(), Share, { description: "By label." }),
        reasons: Type.Optional(
          Type.Array(RowReason, { description: "The strongest first; left out where none were asked for." }),
        ),
        oddCells: Type.Optional(
          Type.Array(OddCell, {
            description:
              "At most 100 cells of the row that the model could not take as they stand, " +
              "left out where there are none: text that is no number or date of the column (`NOT_READ`, " +
              "taken as missing), a category (`UNSEEN_CATEGORY`) or a text (`NO_KNOWN_TERM`) that training did " +
              "not have, no value where every training row had one (`NEW_MISSING`).",
            "x-decision": "D111",
          }),
        ),
      },
      { [SCHEMA_NAME]: "ScoredRow" },
    ),
    { description: "One for each row, in the same order." },
  ),
  warnings: Type.Array(WarningItem),
});
named({ ScoredRows });

export type ScoredRows = Static<typeof ScoredRows>;

const BODY_EXAMPLE = { rows: [{ tenure: 14, plan: "basic", balance: null }] } satisfies Static<typeof Rows>;
const EXAMPLE = {
  modelKey: EXAMPLES.modelKey,
  version: 1,
  predictions: [
    {
      label: "no",
      confidence: 0.83,
      probabilities: { no: 0.83, yes: 0.17 },
      reasons: [
        { column: "tenure", effect: 0.91 },
        { column: "complaint", effect: -0.24, words: [{ word: "still waiting", effect: -0.31 }] },
      ],
      oddCells: [{ column: "balance", code: "NEW_MISSING" }],
    },
  ],
  warnings: [],
} satisfies Static<typeof ScoredRows>;

export function predictionRowRoutes(services: Services): Route[] {
  const { database, state, modelCache, largeRows } = services;
  return [
    route({
      method: "POST",
      path: "/api/v1/predictions/models/{modelKey}/rows",
      operationId: "predictRows",
      tag: "Predictions",
      summary: "Predict a few rows at once",
      description:
        `1 to ${MOST_LIVE_ROWS} rows as JSON, scored in this request by the model's champion, ` +
        "or that of the model that answers at its address. No row is stored; what comes in is counted. " +
        "A row names the feature columns of the training data, in any order.",
      decisions: ["D20", "D30", "D31", "D80", "D111", "D120", "D129", "D130"],
      scopes: ["predict"],
      query: ROWS_QUERY,
      rawBodies: [
        {
          contentType: "application/json",
          description: `At most ${MOST_LIVE_ROWS_BYTES} bytes.`,
          schema: Rows,
          example: BODY_EXAMPLE,
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
        "REQUEST_TOO_SLOW",
        "BUSY",
        "UNAVAILABLE",
      ],
      handle: async ({ params, query: { reasons, counted }, caller: { userKey }, request, keepAlive }) => {
        const { modelKey, shadowKey } = found("model", findAnswering(database, userKey, params.modelKey));
        const champion = found("model", findOwnedChampion(database, userKey, modelKey));
        requireContentType(request, "application/json");
        const head = { modelKey, version: champion.version };
        const modelPath = state.locate(champion.filePath);
        const rowCounts = counted ? services.rowCounts : null;
        const shadow = counted ? shadowOf(services, userKey, head, shadowKey) : null;
        const bodyOf = (bytes: Uint8Array) => ({ ...BOUNDS, bytes, modelPath, reasonCount: reasons });
        // Reasons take longer than scores, and the scorers of this thread count every row that they score.
        const mostHere = reasons === 0 && counted ? MOST_JSON_BYTES : 0;
        const scoreHere = (bytes: Uint8Array) => {
          const follow = (counts: FileCounts) => rowCounts?.follow(head, counts);
          const body = bodyOf(bytes);
          const { scores, warnings } = scoreBody(modelCache, body, follow);
          if (shadow !== null) decideBeside(services, shadow, body, scores);
          return { ...head, predictions: scores, warnings };
        };
        const sizeBytes = announcedBytes(request);
        try {
          if (sizeBytes !== null && sizeBytes <= mostHere) {
            return scoreHere(await readBytes(request, mostHere));
          }
          return await largeRows.receive(request, keepAlive, async (bytes) => {
            if (bytes.length <= mostHere) return scoreHere(bytes);
            const answer = await largeRows.score({ ...bodyOf(bytes), head, shadowPath: shadow?.path ?? null });
            if ("refusal" in answer) throw new RowsRefused(answer.refusal);
            if (answer.counts !== null) rowCounts?.add(head, answer.counts);
            if (shadow !== null) countBeside(services, shadow, answer.shadow);
            return new Response(answer.bytes, { headers: { "content-type": "application/json" } });
          });
        } catch (error) {
          if (!(error instanceof RowsRefused)) throw error;
          const { code, message, errors } = error.refusal;
          throw new ApiError(code, message, { errors });
        }
      },
    }),
  ];
}
