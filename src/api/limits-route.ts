// What the server allows, as data: sizes, ranges, time caps, paging, rate limits.

import { type Static, Type } from "@sinclair/typebox";
import { MAX_CELL_BYTES, MAX_COLUMNS } from "../../engine/csv/limits.ts";
import { MAX_VERSIONS } from "../../engine/search/ranking.ts";
import { PART_COUNT } from "../../engine/splits/holdout.ts";
import { FAILURE_WINDOW_SECONDS, MOST_FAILURES } from "../auth/login-limit.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../auth/signed-urls.ts";
import { TOKEN_LIFETIME_SECONDS } from "../auth/tokens.ts";
import {
  DEFAULT_PAGE_ITEMS,
  LEAST_UPLOAD_BYTES,
  MOST_DIRECT_FILE_BYTES,
  MOST_JSON_BYTES,
  MOST_LIVE_ROWS_BYTES,
  MOST_PAGE_ITEMS,
  MOST_UPLOAD_BYTES,
} from "../http/limits.ts";
import { type Route, route } from "../http/route.ts";
import { Count, orNull } from "../http/schemas.ts";
import {
  DEFAULT_BUCKETS,
  DEFAULT_SCALING_FACTOR,
  FILE_LIMIT_SECONDS,
  LEAST_BUCKETS,
  MOST_BUCKETS,
  MOST_LIVE_ROWS,
  MOST_SCALING_FACTOR,
  REFINEMENT_BUCKETS,
} from "../limits.ts";
import type { Services } from "./services.ts";

const Range = Type.Object({ least: Type.Number(), most: Type.Number() });
const RangeWithDefault = Type.Object({ least: Type.Number(), most: Type.Number(), default: Type.Number() });

const Limits = Type.Object({
  timeCaps: Type.Object(
    {
      ...{ trainingSeconds: Count, attemptSeconds: Count, refinementSeconds: Count, predictionSeconds: Count },
      fileSeconds: Count,
    },
    {
      description:
        "Longest times of jobs, from their start; an attempt is a part of a training job, and so is reading or writing a " +
        "file a part of any job, or all of a dataset's.",
      "x-decision": "D35",
    },
  ),
  credentials: Type.Object({
    tokenSeconds: Count,
    uploadUrlSeconds: Count,
    loginFailures: Type.Object(
      { most: Count, windowSeconds: Count },
      { description: "Per address and per user; further tries have to wait.", "x-decision": "D34" },
    ),
    requestsPerMinute: Type.Integer({
      minimum: 1,
      description: "Of one API key, or of all logins of one user; as many may come at once, and then evenly.",
      "x-decision": "D34",
    }),
  }),
  uploads: Type.Object({
    signedFileBytes: Range,
    directFileBytes: Type.Object({ most: Count }, { description: "A dataset sent with its creation." }),
    predictionFileBytes: Type.Object({ most: Count }),
    jsonBytes: Type.Object({ most: Count }, { description: "JSON bodies, but for live rows." }),
  }),
  tables: Type.Object({ columns: Type.Object({ most: Count }), cellBytes: Type.Object({ most: Count }) }),
  refinements: Type.Object({ numberOfBuckets: Type.Object({ choices: Type.Array(Count), default: Count }) }),
  datasets: Type.Object({ numberOfBuckets: RangeWithDefault }),
  training: Type.Object({
    scalingFactor: RangeWithDefault,
    performanceThreshold: Range,
    heldOutShare: Type.Number({ description: "Of the rows, kept aside for judging.", "x-decision": "D44" }),
    versionsKept: Count,
  }),
  liveRows: Type.Object({ rows: Range, bytes: Type.Object({ most: Count }) }, { description: "Rows scored at once." }),
  paging: Type.Object({ limit: RangeWithDefault }, { "x-decision": "D24" }),
  storage: Type.Object(
    {
      keepDeletedDays: orNull(
        Type.Integer({ minimum: 0, description: "From a delete until the files of a refinement or dataset go." }),
      ),
      keepResultsDays: orNull(
        Type.Integer({ minimum: 0, description: "From the end of a prediction until its input and its result go." }),
      ),
      keepAuditDays: orNull(Type.Integer({ minimum: 1, description: "Until an event of the audit trail goes." })),
      quotaBytesPerUser: orNull(Type.Integer({ minimum: 0, description: "What the files of one user may take." })),
      quotaBytes: orNull(Type.Integer({ minimum: 0, description: "What the files of all users may take." })),
    },
    { description: "Null where there is no such limit.", "x-decision": "D56, D57" },
  ),
  memory: Type.Object(
    {
      budgetBytes: Type.Integer({ description: "What the server with all its jobs means to keep to." }),
      refinementOrTrainingBytes: Type.Integer({ description: "Of it, what one of these, and all at once, may take." }),
      datasetOrPredictionBytes: Type.Integer({
        description: "Of it, what one of these, and all jobs at once, may take.",
      }),
    },
    {
      description: "Jobs that would take more are refused, and those that must wait for others do.",
      "x-decision": "D58",
    },
  ),
});

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
