// The progress and the result of refinements over HTTP: every field at every stage of a run.
import { expect } from "bun:test";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { addRunAt, RESULT_FILES, type Stage } from "./intake.ts";

const RUNS = "/api/v1/feature-refinery";
const SECONDS = 65;
const ENDS = ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"];

const row = (falseDecisions: number, best: boolean) => ({
  ...{ falseDecisions, accuracy: 1 - falseDecisions / 100, f1Score: 0.5, precision: null, recall: 0, best },
});
const NO_ROWS = { baselineTopPerformances: [], currentTopPerformances: [] };
const ROWS = { baselineTopPerformances: [row(20, true), row(21, false)], currentTopPerformances: [row(12, true)] };
const QUIET = { cancelRequested: null, errorReason: null };
const UNKNOWN_PROGRESS = { progressCompleted: null, progressTotal: null };

const WAY = ["SETUP_READING", "SETUP_BUCKETING", "MEASURE_INITIAL_THRESHOLD", "BASELINE_RUN_1", "REFINING_LOOP_1"];

/** What is shown of a run at a stage: all fields, and no other. */
const progressOf: Partial<Record<Stage, { state: string; trail: readonly string[]; fields: object }>> = {
  PENDING: { state: "PENDING", trail: [], fields: { ...QUIET, ...UNKNOWN_PROGRESS, ...NO_ROWS, elapsedSeconds: 0 } },
  QUEUED: { state: "PENDING", trail: [], fields: { ...QUIET, ...UNKNOWN_PROGRESS, ...NO_ROWS, elapsedSeconds: 0 } },
  SETUP_READING: {
    state: "SETUP_READING",
    trail: ["SETUP_READING"],
    fields: { ...QUIET, ...UNKNOWN_PROGRESS, ...NO_ROWS, elapsedSeconds: 100 },
  },
  REFINING_LOOP_1: {
    state: "REFINING_LOOP_1",
    trail: WAY,
    fields: { ...QUIET, progressCompleted: 0, progressTotal: 40, ...ROWS, elapsedSeconds: SECONDS + 100 },
  },
  REFINEMENT_COMPLETED: {
    state: "REFINEMENT_COMPLETED",
    trail: [...WAY, "CREATING_RESULT", "REFINEMENT_COMPLETED"],
    fields: { ...QUIET, progressCompleted: 40, progressTotal: 40, ...ROWS, elapsedSeconds: SECONDS },
  },
  ERROR: {
    state: "ERROR",
    trail: [...WAY, "ERROR"],
    fields: {
      cancelRequested: null,
      errorReason: "Line 3 of TRAIN has too many cells.",
      ...{ progressCompleted: 0, progressTotal: 40, ...ROWS, elapsedSeconds: SECONDS },
    },
  },
  TIMEOUT: {
    state: "TIMEOUT",
    trail: [...WAY, "TIMEOUT"],
    fields: {
      cancelRequested: null,
      errorReason: "The time limit of 7200 s came first.",
      ...{ progressCompleted: 0, progressTotal: 40, ...ROWS, elapsedSeconds: SECONDS },
    },
  },
  CANCELLED: {
    state: "CANCELLED",
    trail: [...WAY, "CANCELLED"],
    fields: {
      ...{ cancelRequested: true, errorReason: null },
      ...{ progressCompleted: 0, progressTotal: 40, ...ROWS, elapsedSeconds: SECONDS },
    },
  },
};

/** Asked 100 s after the run came to its stage. */
function ask(stage: Stage, part: string, expected: Expected): Scenario {
  return {
    name: stage,
    method: "GET",
    path: (api) => {
      const { key } = addRunAt(api, "ada", stage, {}, SECONDS);
      api.pass(100);
      return `${RUNS}/${key}/${part}`;
    },
    as: "ada",
    expect: expected,
  };
}

describeScenarios(
  "the progress of a refinement",
  startApi,
  Object.entries(progressOf).map(([stage, { state, trail, fields }]) =>
    ask(stage as Stage, "progress", {
      status: 200,
      effect: (_api, response, body) => {
        expect(response.headers.get("retry-after")).toBe(ENDS.includes(state) ? null : "10");
        const shown = body as { recentActivities: object[] };
        expect<unknown>(shown).toEqual({
          featureRefinementKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
          state,
          ...(!ENDS.includes(state) && { nextPollAfterSeconds: 10 }),
          createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ...fields,
          recentActivities: ["PENDING", ...trail].map((entered) => ({
            timestamp: expect.stringMatching(/Z$/),
            state: entered,
          })),
        });
      },
    }),
  ),
);

const notReady: Expected = { status: 409, code: "NOT_READY" };
const UNFINISHED = ["PENDING", "QUEUED", "REFINING_LOOP_1", "ERROR", "TIMEOUT", "CANCELLED"] as const;

const result = (state: string, partial: boolean): Expected => ({
  status: 200,
  effect: (_api, response, body) => {
    const key = (body as { featureRefinementKey: string }).featureRefinementKey;
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      featureRefinementKey: key,
      state,
      partial,
      reachedTarget: 0.88,
      baselineTarget: 0.8,
      recommendedThreshold: 0.88,
      keptAccuracy: 0.9,
      holdoutEstimate: { mean: 0.9, low: 0.85, high: 0.95 },
      columns: [
        {
          ...{ name: "tenure", position: 0, kind: "number", decision: "KEEP", reason: "SIGNAL_FOREST", with: null },
          ...{ flags: ["TARGET_LEAK_SUSPECT"], importance: 0.8, stability: 1 },
        },
        {
          ...{
            name: "plan",
            position: 1,
            kind: "category",
            decision: "REMOVE",
            reason: "DUPLICATE_OF",
            with: "tenure",
          },
          ...{ flags: [], importance: null, stability: null },
        },
      ],
      keptColumns: ["tenure"],
      removedColumns: ["plan"],
      files: (["TRAIN", "TEST"] as const).map((kind) => ({
        kind,
        url: `http://localhost${RUNS}/${key}/files/${kind}`,
        sizeBytes: RESULT_FILES[kind].length,
      })),
      warnings: [{ code: "ROW_OVERLAP", message: "One of the TEST rows also stands in TRAIN.", count: 1 }],
    });
  },
});

describeScenarios("the result of a refinement", startApi, [
  ...UNFINISHED.map((stage) => ask(stage, "result", notReady)),
  ask("REFINEMENT_COMPLETED", "result", result("REFINEMENT_COMPLETED", false)),
  ask("PARTIAL", "result", result("TIMEOUT", true)),
]);

function download(name: string, part: string, headers: Record<string, string>, expected: Expected): Scenario {
  return { ...ask("REFINEMENT_COMPLETED", part, expected), name, headers };
}

const text = (wanted: string) => async (_api: TestApi, response: Response) =>
  expect(await response.text()).toBe(wanted);

describeScenarios("the files of a refinement", startApi, [
  ...UNFINISHED.map((stage) => ask(stage, "files/TRAIN", notReady)),
  ask("PARTIAL", "files/TEST", { status: 200, effect: text(RESULT_FILES.TEST) }),
  download(
    "TRAIN",
    "files/TRAIN",
    {},
    {
      status: 200,
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": /^attachment; filename="refinement-[0-9a-f-]{36}-train\.csv"$/,
        "cache-control": "private",
        "accept-ranges": "bytes",
        etag: /^"[0-9a-f]{64}"$/,
      },
      effect: text(RESULT_FILES.TRAIN),
    },
  ),
  download(
    "a range of it",
    "files/TRAIN",
    { range: "bytes=0-5" },
    {
      status: 206,
      headers: { "content-range": `bytes 0-5/${RESULT_FILES.TRAIN.length}` },
      effect: text("tenure"),
    },
  ),
  download(
    "a range outside it",
    "files/TRAIN",
    { range: "bytes=9000-" },
    {
      status: 416,
      code: "RANGE_NOT_SATISFIABLE",
      headers: { "content-range": `bytes */${RESULT_FILES.TRAIN.length}` },
    },
  ),
  download("what the client has", "files/TRAIN", { "if-none-match": "*" }, { status: 304, effect: text("") }),
  download("as JSON", "files/TRAIN", { accept: "application/json" }, { status: 406, code: "NOT_ACCEPTABLE" }),
  download("another kind", "files/OTHER", {}, { status: 400, code: "VALIDATION_FAILED", fields: ["kind"] }),
  download("a kind in small letters", "files/train", {}, { status: 400, code: "VALIDATION_FAILED", fields: ["kind"] }),
]);
