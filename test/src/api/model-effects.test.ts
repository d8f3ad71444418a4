// What a version learned of its columns, over HTTP.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { describeScenarios, startApi, type TestApi } from "../../support/api.ts";
import { effectsOf } from "../../support/effects.ts";
import { binarySummary } from "../../support/summaries.ts";
import { addJobIn, addScorer } from "./service.ts";

const NOT_FOUND = { status: 404, code: "NOT_FOUND" } as const;
const EFFECTS = effectsOf(["yes"]);

/** Of a model whose second version has curves. */
function effectsPath(version: number) {
  return (api: TestApi) => {
    const { modelKey } = addScorer(api, "ada");
    const summary = binarySummary();
    const versions = summary.versions.map(({ effects: _, ...own }) =>
      own.version === 2 ? { ...own, effects: EFFECTS } : own,
    );
    writeFileSync(api.state.locate(statePaths.modelSummary(modelKey)), JSON.stringify({ ...summary, versions }));
    return `/api/v1/models/${modelKey}/versions/${version}/effects`;
  };
}

describeScenarios("what a version learned", startApi, [
  {
    name: "is what its run measured",
    method: "GET",
    path: effectsPath(2),
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) => expect(body).toEqual({ modelKey: expect.any(String), version: 2, columns: EFFECTS }),
    },
  },
  {
    name: "is empty where an earlier version of the program trained it",
    method: "GET",
    path: effectsPath(1),
    as: "ada",
    expect: { status: 200, effect: (_, __, body) => expect(body).toMatchObject({ version: 1, columns: [] }) },
  },
  {
    name: "is empty without a summary",
    method: "GET",
    path: (api) => `/api/v1/models/${addScorer(api, "ada").modelKey}/versions/1/effects`,
    as: "ada",
    expect: { status: 200, effect: (_, __, body) => expect(body).toMatchObject({ columns: [] }) },
  },
  {
    name: "of a version that was not kept",
    method: "GET",
    path: async (api) => {
      const job = await api.request("GET", `/api/v1/training/${addJobIn(api, "ada", "COMPLETED", 2).key}`, {
        as: "ada",
      });
      const { modelKey } = (await job.json()) as { modelKey: string };
      return `/api/v1/models/${modelKey}/versions/3/effects`;
    },
    as: "ada",
    expect: NOT_FOUND,
  },
]);
