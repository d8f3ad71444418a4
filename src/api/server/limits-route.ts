// The limits of the server as data: sizes, ranges, time caps, paging, rates.

import { type Static, Type } from "@sinclair/typebox";
import { MAX_CELL_BYTES, MAX_COLUMNS } from "../../../engine/csv/limits.ts";
import { MAX_VERSIONS } from "../../../engine/search/ranking.ts";
import { PART_COUNT } from "../../../engine/splits/holdout.ts";
import { FAILURE_WINDOW_SECONDS, MOST_FAILURES } from "../../auth/login-limit.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../../auth/signed-urls.ts";
import { TOKEN_LIFETIME_SECONDS } from "../../auth/tokens.ts";
import {
  DEFAULT_BUCKETS,
  DEFAULT_SCALING_FACTOR,
  FILE_LIMIT_SECONDS,
  LEAST_BUCKETS,
  MOST_BUCKETS,
  MOST_LIVE_ROWS,
  MOST_SCALING_FACTOR,
  REFINEMENT_BUCKETS,
} from "../../common/limits.ts";
import {
  DEFAULT_PAGE_ITEMS,
  LEAST_UPLOAD_BYTES,
  MOST_DIRECT_FILE_BYTES,
  MOST_JSON_BYTES,
  MOST_LIVE_ROWS_BYTES,
  MOST_PAGE_ITEMS,
  MOST_UPLOAD_BYTES,
} from "../../http/limits.ts";
import { Count, named, orNull } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import type { Services } from "../services.ts";

const Range = Type.Object({ least: Type.Number(), most: Type.Number() });
const RangeWithDefault = Type.Object({ least: Type.Number(), most: Type.Number(), default: Type.Number() });

const Most = Type.Object({ most: Count });
named({ Range, RangeWithDefault, Most });

const Limits = Type.Object({
  timeCaps: Type.Object(
    {
      ...{ trainingSeconds: Count, attemptSeconds: Count, refinementSeconds: Count, predictionSeconds: Count },
      fileSeconds: Count,
    },
    {
      description:
        "Longest times of jobs, from their start. An attempt is a part of a training job; " +
        "reading or writing a file is a part of any job, and all of a dataset's.",
      "x-decision": "D35",
    },
  ),
  credentials: Type.Object({
    tokenSeconds: Count,
    uploadUrlSeconds: Count,
    loginFailures: Type.Object(
      { most: Count, windowSeconds: Count },
      { description: "Per address and per user; further attempts have to wait.", "x-decision": "D34" },
    ),
    requestsPerMinute: Type.Integer({
      minimum: 1,
      description: "For one API key, or all logins of one user; as many may come at once, then evenly.",
      "x-decision": "D34",
    }),
  }),
  uploads: Type.Object({
    signedFileBytes: Range,
    directFileBytes: { ...Most, description: "A dataset sent with its creation." },
    predictionFileBytes: Most,
    jsonBytes: { ...Most, description: "JSON bodies, except live rows." },
  }),
  tables: Type.Object({ columns: Most, cellBytes: Most }),
  refinements: Type.Object({ numberOfBuckets: Type.Object({ choices: Type.Array(Count), default: Count }) }),
  datasets: Type.Object({ numberOfBuckets: RangeWithDefault }),
  training: Type.Object({
    scalingFactor: RangeWithDefault,
    performanceThreshold: Range,
    heldOutShare: Type.Number({ description: "Share of the rows that is held out for judging.", "x-decision": "D44" }),
    versionsKept: Count,
  }),
  liveRows: Type.Object({ rows: Range, bytes: Most }, { description: "Rows scored at once." }),
  paging: Type.Object({ limit: RangeWithDefault }, { "x-decision": "D24" }),
  storage: Type.Object(
    {
      keepDeletedDays: orNull(
        Type.Integer({
          minimum: 0,
          description:
            "Days from a delete until the files of a refinement or dataset are removed. Null: a dataset's " +
            "are removed within minutes, a refinement's are kept.",
        }),
      ),
      keepResultsDays: orNull(
        Type.Integer({
          minimum: 0,
          description: "Days from the end of a prediction until its input and result are removed.",
        }),
      ),
      keepAuditDays: orNull(
        Type.Integer({ minimum: 1, description: "Days until an event of the audit trail is removed." }),
      ),
      quotaBytesPerUser: orNull(
        Type.Integer({ minimum: 0, description: "Bytes that the files of one user may take." }),
      ),
      quotaBytes: orNull(Type.Integer({ minimum: 0, description: "Bytes that the files of all users may take." })),
    },
    { description: "Null where there is no such limit.", "x-decision": "D56, D57" },
  ),
  memory: Type.Object(
    {
      budgetBytes: Type.Integer({ description: "Memory for the server with all its jobs." }),
      refinementOrTrainingBytes: Type.Integer({
        description: "The part for one of these, and for all of these at once.",
      }),
      datasetOrPredictionBytes: Type.Integer({
        description: "The part for one of these, and for all jobs at once.",
      }),
    },
    {
      description: "A job that needs more is refused; one that fits waits until there is enough.",
      "x-decision": "D58",
    },
  ),
});
named({ Limits });

export type Limits = Static<typeof Limits>;

export function limitRoutes(services: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/limits",
      operationId: "getLimits",
      tag: "Server",
      summary: "What the server allows",
      description: "Sizes, ranges, time caps, paging, rate limits, storage and memory, as this server was started.",
      decisions: ["D34", "D35", "D56", "D57", "D58"],
      scopes: ["read", "write", "predict"],
      answer: {
        status: 200,
        description: "The limits.",
        schema: Limits,
        example: limitsOf(services),
      },
      handle: () => limitsOf(services),
    }),
  ];
}

function limitsOf({ timeCaps, requestLimit, quotas, memory }: Services) {
  const { trainingSeconds, attemptSeconds, refinementSeconds, predictionSeconds } = timeCaps;
  const { keepDeletedDays, keepResultsDays, keepAuditDays, quotaBytesPerUser, quotaBytes } = quotas.settings;
  return {
    timeCaps: {
      ...{ trainingSeconds, attemptSeconds, refinementSeconds, predictionSeconds },
      fileSeconds: FILE_LIMIT_SECONDS,
    },
    credentials: {
      tokenSeconds: TOKEN_LIFETIME_SECONDS,
      uploadUrlSeconds: SIGNED_URL_LIFETIME_SECONDS,
      loginFailures: { most: MOST_FAILURES, windowSeconds: FAILURE_WINDOW_SECONDS },
      requestsPerMinute: requestLimit.perMinute,
    },
    uploads: {
      signedFileBytes: { least: LEAST_UPLOAD_BYTES, most: MOST_UPLOAD_BYTES },
      directFileBytes: { most: MOST_DIRECT_FILE_BYTES },
      predictionFileBytes: { most: MOST_UPLOAD_BYTES },
      jsonBytes: { most: MOST_JSON_BYTES },
    },
    tables: { columns: { most: MAX_COLUMNS }, cellBytes: { most: MAX_CELL_BYTES } },
    refinements: { numberOfBuckets: { choices: [...REFINEMENT_BUCKETS], default: DEFAULT_BUCKETS } },
    datasets: { numberOfBuckets: { least: LEAST_BUCKETS, most: MOST_BUCKETS, default: DEFAULT_BUCKETS } },
    training: {
      scalingFactor: { least: 0, most: MOST_SCALING_FACTOR, default: DEFAULT_SCALING_FACTOR },
      performanceThreshold: { least: 0, most: 1 },
      heldOutShare: 1 / PART_COUNT,
      versionsKept: MAX_VERSIONS,
    },
    liveRows: { rows: { least: 1, most: MOST_LIVE_ROWS }, bytes: { most: MOST_LIVE_ROWS_BYTES } },
    paging: { limit: { least: 1, most: MOST_PAGE_ITEMS, default: DEFAULT_PAGE_ITEMS } },
    storage: { keepDeletedDays, keepResultsDays, keepAuditDays, quotaBytesPerUser, quotaBytes },
    memory: {
      budgetBytes: memory.budgetBytes,
      refinementOrTrainingBytes: memory.jobBytes.heavy,
      datasetOrPredictionBytes: memory.jobBytes.light,
    },
  } satisfies Static<typeof Limits>;
}
