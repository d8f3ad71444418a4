// `cupel serve` as a process whose jobs may take seconds only: each ends at its cap, and says so over HTTP.
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Random } from "../../engine/random.ts";
import { testFolder } from "../support/folders.ts";
import { formOf } from "../support/form.ts";
import { type HeardLog, hearLog } from "../support/heard-log.ts";
import { endAll, FROM_SOURCE, type Server, serve, startRefinement } from "../support/server.ts";

const ROOT = testFolder(endAll);
const CLASS_COUNT = 100;
/** Each gets a line of a hundred probabilities: far more than a second's work. */
const PREDICTED_ROWS = 400_000;

let server: Server;
let log: HeardLog;

beforeAll(async () => {
  server = await serve(FROM_SOURCE, join(ROOT, "state"), {
    CUPEL_TRAINING_TIME_CAP: "5",
    CUPEL_ATTEMPT_TIME_CAP: "4",
    CUPEL_REFINEMENT_TIME_CAP: "1",
    CUPEL_PREDICTION_TIME_CAP: "1",
    CUPEL_LOG_FORMAT: "json",
  });
  log = hearLog(server.child.stderr);
});

/** Rows of noise; with a label each, as many of every class. */
function noise(rowCount: number, hasLabel: boolean): string {
  const random = new Random(rowCount);
  const lines = [hasLabel ? "a,b,label" : "a,b"];
  for (let row = 0; row < rowCount; row++) {
    const cells = [random.nextBelow(1_000), random.nextBelow(50)];
    lines.push([...cells, ...(hasLabel ? [`class ${row % CLASS_COUNT}`] : [])].join(","));
  }
  return `${lines.join("\n")}\n`;
}

describe("a server with short time caps", () => {
  test("publishes them", async () => {
    expect(await server.call<object>("GET", "/api/v1/limits")).toMatchObject({
      timeCaps: { trainingSeconds: 5, attemptSeconds: 4, refinementSeconds: 1, predictionSeconds: 1 },
    });
  });

  test("ends a refinement in TIMEOUT", async () => {
    const { featureRefinementKey: key, progressUrl } = await startRefinement(server, "long", 6_000);
    expect(await log.ended(key)).toBe("TIMEOUT");
    expect(await server.call<object>("GET", progressUrl)).toMatchObject({
      state: "TIMEOUT",
      errorReason: expect.stringContaining("The time limit of 1 s came first."),
    });
  });

  test("ends a training in TIMED_OUT with its best so far, and a prediction by it in TIMEOUT", async () => {
    const { call } = server;
    const table = { name: "noise", numberOfBuckets: "10", file: new File([noise(2_000, true)], "noise.csv") };
    const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", formOf(table));
    expect(await log.ended(datasetKey)).toBe("COMPLETED");

    const asked = { scalingFactor: 499, performanceThreshold: 1 };
    const started = await call<{ trainingJobKey: string }>("POST", `/api/v1/training/datasets/${datasetKey}`, asked);
    const path = `/api/v1/training/${started.trainingJobKey}`;
    expect(await log.ended(started.trainingJobKey)).toBe("TIMED_OUT");
    const progress = await call<object>("GET", `${path}/progress`);
    expect(progress).toMatchObject({ status: "TIMED_OUT", timeLimitSeconds: 5 });
    expect(progress).toMatchObject({ errorReason: expect.stringContaining("The time limit of 5 s came") });
    const { modelKey } = await call<{ modelKey: string }>("GET", path);
    expect((await call<{ versions: object[] }>("GET", `/api/v1/models/${modelKey}`)).versions).not.toBeEmpty();

    const file = formOf({ file: new File([noise(PREDICTED_ROWS, false)], "new.csv") });
    const { predictionKey } = await call<{ predictionKey: string }>(
      "POST",
      `/api/v1/predictions/models/${modelKey}`,
      file,
    );
    expect(await log.ended(predictionKey)).toBe("TIMEOUT");
    expect(await call<object>("GET", `/api/v1/predictions/${predictionKey}`)).toMatchObject({
      status: "TIMEOUT",
      errorReason: expect.stringContaining("the time limit of 1 s"),
      predictionResultUrl: null,
    });
  });
});
