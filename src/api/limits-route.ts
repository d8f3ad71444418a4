// What the server allows, as data: sizes, ranges, time caps, paging, rate limits.
import { type Static, Type } from "@sinclair/typebox";
import { MAX_CELL_BYTES, MAX_COLUMNS } from "../../engine/csv/limits.ts";
import { PART_COUNT } from "../../engine/holdout.ts";
import { MAX_VERSIONS } from "../../engine/ranking.ts";
import { FAILURE_WINDOW_SECONDS, MOST_FAILURES } from "../auth/login-limit.ts";
import type { RequestLimit } from "../auth/request-limit.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../auth/signed-urls.ts";
import { TOKEN_LIFETIME_SECONDS } from "../auth/tokens.ts";
import {
  DEFAULT_BUCKETS,
  DEFAULT_SCALING_FACTOR,
  LEAST_BUCKETS,
  MOST_BUCKETS,
  MOST_LIVE_ROWS,
  MOST_SCALING_FACTOR,
  REFINEMENT_BUCKETS,
} from "../limits.ts";
import {
  DEFAULT_PAGE_ITEMS,
  LEAST_UPLOAD_BYTES,
  MOST_DIRECT_FILE_BYTES,
  MOST_JSON_BYTES,
  MOST_PAGE_ITEMS,
  MOST_UPLOAD_BYTES,
} from "./limits.ts";
import { MOST_LIVE_ROWS_BYTES } from "./prediction-rows.ts";
import { type Route, route } from "./route.ts";

/** Longest times that jobs may take, as the server was started with. */
interface TimeCaps {
  trainingSeconds: number;
  attemptSeconds: number;
  refinementSeconds: number;
  predictionSeconds: number;
}

export interface LimitServices {
  timeCaps: TimeCaps;
  requestLimit: Pick<RequestLimit, "perMinute">;
}

const Count = Type.Integer({ minimum: 0 });
const Range = Type.Object({ least: Type.Number(), most: Type.Number() });
const RangeWithDefault = Type.Object({ least: Type.Number(), most: Type.Number(), default: Type.Number() });

const Limits = Type.Object({
  timeCaps: Type.Object(
    { trainingSeconds: Count, attemptSeconds: Count, refinementSeconds: Count, predictionSeconds: Count },
    {
      description: "Longest times of jobs, from their start; an attempt is a part of a training job.",
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
      description: "Of one credential; as many may come at once, and then evenly.",
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
});

export function limitRoutes({ timeCaps, requestLimit }: LimitServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/limits",
      operationId: "getLimits",
      tag: "Server",
      summary: "What the server allows",
      description: "Sizes, ranges, time caps, paging and rate limits, as this server was started.",
      decisions: ["D34", "D35"],
      scopes: ["read", "write", "predict"],
      answer: {
        status: 200,
        description: "The limits.",
        schema: Limits,
        example: limitsOf(timeCaps, requestLimit.perMinute),
      },
      handle: () => limitsOf(timeCaps, requestLimit.perMinute),
    }),
  ];
}

function limitsOf(
  { trainingSeconds, attemptSeconds, refinementSeconds, predictionSeconds }: TimeCaps,
  requestsPerMinute: number,
) {
  return {
    timeCaps: { trainingSeconds, attemptSeconds, refinementSeconds, predictionSeconds },
    credentials: {
      tokenSeconds: TOKEN_LIFETIME_SECONDS,
      uploadUrlSeconds: SIGNED_URL_LIFETIME_SECONDS,
      loginFailures: { most: MOST_FAILURES, windowSeconds: FAILURE_WINDOW_SECONDS },
      requestsPerMinute,
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
  } satisfies Static<typeof Limits>;
}
