// Planning a training after a refinement: with it or later, shown with it, cancelled; by whom, and when it is too late.
import { expect } from "bun:test";
import { findPlannedTraining, planTraining, stepPlannedTraining } from "../../../data/refinements/planned-trainings.ts";
import { listRefinements } from "../../../data/refinements/refinements.ts";
import { NOON } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetAt, addRunAt, type Stage } from "./intake.ts";

const keys = new WeakMap<TestApi, string>();
const keyOf = (api: TestApi) => keys.get(api)!;
const planOf = (api: TestApi) => findPlannedTraining(api.database, keyOf(api));
const pathOf = (api: TestApi) => `/api/v1/feature-refinery/${keyOf(api)}/planned-training`;

/** A run of ada's in a state, with a plan in another. */
const addRun = (stage: Stage, plan?: "WAITING" | "CANCELLED" | "FAILED") => (api: TestApi) => {
  const { key } = addRunAt(api, "ada", stage);
  keys.set(api, key);
  if (plan === undefined) return;
  const userKey = api.ada.key;
  const waiting = planTraining(
    api.database,
    { refinementKey: key, userKey, sourceDatasetKey: null, scalingFactor: 3 },
    NOON,
  );
  if (plan !== "WAITING") stepPlannedTraining(api.database, waiting, { status: plan, errorReason: "No room." });
};

const WAITING = {
  ...{ status: "WAITING", sourceDatasetKey: null, datasetKey: null, trainingJobKey: null, errorReason: null },
};

function plan(name: string, stage: Stage, expect: Expected, changes: Partial<Scenario> = {}): Scenario {
  const base = { method: "POST", path: pathOf, as: "ada", body: { scalingFactor: 7 } } as const;
  return { name, ...base, before: addRun(stage), expect, ...changes };
}

const planned = (scalingFactor: number): Expected => ({
  status: 200,
  body: { ...WAITING, scalingFactor },
  effect: (api) => {
    expect(planOf(api)).toMatchObject({ status: "WAITING", scalingFactor, userKey: api.ada.key });
    expect(api.told).toEqual(["wake"]);
  },
});
const unplanned: Pick<Expected, "effect"> = { effect: (api) => expect(planOf(api)).toBeNull() };

describeScenarios("planning a training", startApi, [
  ...(["PENDING", "QUEUED", "REFINING_LOOP_1", "REFINEMENT_COMPLETED"] as const).map((stage) =>
    plan(`after a run that is ${stage}`, stage, planned(7)),
  ),
  ...(["ERROR", "TIMEOUT", "PARTIAL", "CANCELLED"] as const).map((stage) =>
    plan(`not after one that is ${stage}`, stage, { status: 409, code: "NOT_READY", ...unplanned }),
  ),
  plan("again changes nothing while it waits", "QUEUED", planned(3), { before: addRun("QUEUED", "WAITING") }),
  ...(["CANCELLED", "FAILED"] as const).map((before) =>
    plan(`anew where it was ${before}`, "QUEUED", planned(7), { before: addRun("QUEUED", before) }),
  ),
  plan("takes its default", "QUEUED", planned(19), { body: {} }),
  ...[-1, 500, "5"].map((scalingFactor) =>
    plan(
      `refuses scalingFactor ${JSON.stringify(scalingFactor)}`,
      "QUEUED",
      { status: 400, code: "VALIDATION_FAILED", fields: ["scalingFactor"], ...unplanned },
      { body: { scalingFactor } },
    ),
  ),
]);

const without = (name: string, before: Scenario["before"], expected: Expected): Scenario => ({
  ...{ name, method: "DELETE", path: pathOf, as: "ada", expect: expected },
  ...(before !== undefined && { before }),
});

describeScenarios("doing without a planned training", startApi, [
  without("while it waits", addRun("QUEUED", "WAITING"), {
    status: 204,
    effect: (api) => expect(planOf(api)).toMatchObject({ status: "CANCELLED", errorReason: null }),
  }),
  without("where it has failed, changes nothing", addRun("QUEUED", "FAILED"), {
    status: 204,
    effect: (api) => expect(planOf(api)).toMatchObject({ status: "FAILED", errorReason: "No room." }),
  }),
  without("where none was planned", addRun("QUEUED"), { status: 204, ...unplanned }),
]);

const refine = (name: string, body: object, expected: Expected): Scenario => ({
  ...{ name, method: "POST", as: "ada", body, expect: expected },
  path: (api) => `/api/v1/feature-refinery/datasets/${keyOf(api)}`,
  before: (api) => void keys.set(api, addDatasetAt(api, "ada", "COMPLETED").key),
});

describeScenarios("refining a dataset, then training", startApi, [
  refine(
    "is one request",
    { thenTrain: { scalingFactor: 4 } },
    {
      status: 201,
      effect: (api, _response, body) => {
        const { featureRefinementKey: key } = body as { featureRefinementKey: string };
        expect(findPlannedTraining(api.database, key)).toMatchObject({
          ...{ status: "WAITING", scalingFactor: 4, userKey: api.ada.key, sourceDatasetKey: keyOf(api) },
        });
      },
    },
  ),
  refine(
    "plans nothing where nothing is asked for",
    {},
    {
      status: 201,
      effect: (api, _response, body) => {
        const { featureRefinementKey: key } = body as { featureRefinementKey: string };
        expect(findPlannedTraining(api.database, key)).toBeNull();
      },
    },
  ),
  refine(
    "refuses a width that is none",
    { thenTrain: { scalingFactor: 1_000 } },
    {
      ...{ status: 400, code: "VALIDATION_FAILED", fields: ["thenTrain.scalingFactor"] },
      effect: (api) => expect(listRefinements(api.database, api.ada.key, { offset: 0, limit: 1 }).total).toBe(0),
    },
  ),
]);

describeScenarios("a refinement that a training follows", startApi, [
  {
    name: "says so",
    method: "GET",
    path: (api) => `/api/v1/feature-refinery/${keyOf(api)}`,
    as: "ada",
    before: addRun("QUEUED", "FAILED"),
    expect: {
      status: 200,
      body: { plannedTraining: { ...WAITING, status: "FAILED", scalingFactor: 3, errorReason: "No room." } },
    },
  },
]);
