// The limits over HTTP: those of the contract, and the time caps that the server was started with.
import { expect } from "bun:test";
import { describeScenarios, startApi } from "../../support/api.ts";

const PATH = "/api/v1/limits";

describeScenarios("the limits", startApi, [
  {
    name: "are those of the contract and of this server",
    method: "GET",
    path: PATH,
    as: "ada",
    expect: {
      status: 200,
      body: {
        timeCaps: {
          ...{ trainingSeconds: 3600, attemptSeconds: 600, refinementSeconds: 7200, predictionSeconds: 1800 },
          fileSeconds: 1800,
        },
        credentials: {
          tokenSeconds: 3600,
          uploadUrlSeconds: 3600,
          loginFailures: { most: 10, windowSeconds: 600 },
        },
        uploads: { signedFileBytes: { least: 10, most: 534773760 }, directFileBytes: { most: 33554432 } },
        refinements: { numberOfBuckets: { choices: [4, 10, 20], default: 20 } },
        datasets: { numberOfBuckets: { least: 4, most: 1000 } },
        training: {
          scalingFactor: { least: 0, most: 499, default: 19 },
          performanceThreshold: { least: 0, most: 1 },
          heldOutShare: 0.2,
          versionsKept: 3,
        },
        paging: { limit: { least: 1, most: 100, default: 20 } },
        liveRows: { rows: { least: 1, most: expect.any(Number) } },
      },
    },
  },
]);
