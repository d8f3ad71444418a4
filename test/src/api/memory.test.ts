// Memory over HTTP: what the server gives jobs is published, and work that
// could never begin is refused with both numbers.
import { expect } from "bun:test";
import { truncateSync } from "node:fs";
import { findOwnedModel } from "../../../data/models.ts";
import { listPredictions } from "../../../data/predictions.ts";
import { listTrainingJobs } from "../../../data/training-jobs.ts";
import { divideBudget } from "../../../src/common/memory-budget.ts";
import { describeScenarios, startApi, type TestApi } from "../../support/api.ts";
import { formOf } from "../../support/form.ts";
import { addDatasetIn, addScorer, PENGUINS_CSV } from "./service.ts";

const ALL = { offset: 0, limit: 100 };
/** As support/api.ts has it. */
const { budgetBytes, jobBytes } = divideBudget(8_192);
const inMib = (bytes: number) => Math.ceil(bytes / 2 ** 20);

/** A dataset whose rows alone are more than the budget. */
function giantDataset(api: TestApi): string {
  const { key } = addDatasetIn(api, "ada");
  api.database.client.run("UPDATE datasets SET rowCount = 90000000 WHERE key = ?", [key]);
  return key;
}

/** A model whose file is more than the budget: all of it but the beginning is a hole. */
function giantModel(api: TestApi): string {
  const { modelKey } = addScorer(api, "ada");
  const [champion] = findOwnedModel(api.database, api.ada.key, modelKey)!.versions;
  truncateSync(api.state.locate(champion!.filePath), budgetBytes);
  return modelKey;
}

function csvForm(): FormData {
  const form = formOf({ file: new File([PENGUINS_CSV], "penguins.csv", { type: "text/csv" }) });
  return form;
}

describeScenarios("memory", startApi, [
  {
    name: "is published with the other limits",
    method: "GET",
    path: "/api/v1/limits",
    as: "ada",
    expect: {
      status: 200,
      body: {
        memory: {
          budgetBytes,
          refinementOrTrainingBytes: jobBytes.heavy,
          datasetOrPredictionBytes: jobBytes.light,
        },
      },
    },
  },
  {
    name: "of a training that could never begin is refused, and nothing is started",
    method: "POST",
    path: (api) => `/api/v1/training/datasets/${giantDataset(api)}`,
    as: "ada",
    body: {},
    expect: {
      status: 422,
      code: "MEMORY_BUDGET",
      body: {
        detail: expect.stringMatching(
          new RegExp(`^This takes up to \\d{5,} MiB of memory, and .* may have ${inMib(jobBytes.heavy)} MiB`),
        ),
      },
      effect: (api) => {
        expect(listTrainingJobs(api.database, api.ada.key, ALL).items).toEqual([]);
        expect(api.told).toEqual([]);
      },
    },
  },
  {
    name: "of a prediction that could never begin is refused, and nothing is kept",
    method: "POST",
    path: (api) => `/api/v1/predictions/models/${giantModel(api)}`,
    as: "ada",
    body: csvForm(),
    expect: {
      status: 422,
      code: "MEMORY_BUDGET",
      body: { detail: expect.stringMatching(new RegExp(` may have ${inMib(jobBytes.light)} MiB`)) },
      effect: (api) => {
        expect(listPredictions(api.database, api.ada.key, ALL).items).toEqual([]);
        expect(api.told).toEqual([]);
      },
    },
  },
]);
