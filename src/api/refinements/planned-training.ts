// The training that follows a refinement (D106): planned with it or later, shown with it, cancelled.
import { type Static, Type } from "@sinclair/typebox";
import { isRefinementEnd, PLANNED_STATUSES } from "../../../data/database/states.ts";
import {
  cancelPlannedTraining,
  type PlannedTraining as Plan,
  plannedTrainingsOf,
  planTraining,
} from "../../../data/refinements/planned-trainings.ts";
import { findOwnedRefinement } from "../../../data/refinements/refinements.ts";
import { ApiError, found } from "../../http/problem.ts";
import { named, oneOf, orNull, SCHEMA_NAME, shown } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { ScalingFactor } from "../training/training.ts";
import { noResult } from "./refinement-result.ts";

export const PlanSettings = Type.Object({ scalingFactor: ScalingFactor });

named({ TrainingPlan: PlanSettings });

const PlannedTraining = Type.Object({
  status: oneOf(PLANNED_STATUSES, {
    description:
      "WAITING for the refinement, PREPARING the dataset of the kept columns, STARTED once there is a training job; " +
      "CANCELLED or FAILED where none will be started.",
  }),
  scalingFactor: Type.Integer(),
  sourceDatasetKey: orNull(Type.String({ format: "uuid", description: "The refined dataset; null for two files." })),
  datasetKey: orNull(Type.String({ format: "uuid", description: "The dataset of the kept columns; null before." })),
  trainingJobKey: orNull(Type.String({ format: "uuid", description: "Null until STARTED." })),
  errorReason: orNull(Type.String({ description: "Why no training is started; null where it is, or will be." })),
});
named({ PlannedTraining });
type PlannedTraining = Static<typeof PlannedTraining>;

/** The field of a refinement. */
export const PLANNED_TRAINING = {
  plannedTraining: orNull(
    Type.Object(PlannedTraining.properties, {
      [SCHEMA_NAME]: "PlannedTraining",
      description: "The training that the server starts once there is a result; null where none is planned.",
      "x-decision": "D106",
    }),
  ),
};

export const PLANNED_EXAMPLE = {
  status: "STARTED",
  scalingFactor: 19,
  sourceDatasetKey: null,
  datasetKey: EXAMPLES.datasetKey,
  trainingJobKey: EXAMPLES.trainingJobKey,
  errorReason: null,
} satisfies PlannedTraining;

/** Adds the plans of refinements to them, with one look-up. */
export function withPlans<Run extends { key: string }>(
  { database }: Pick<Services, "database">,
  runs: readonly Run[],
): (Run & { plannedTraining: PlannedTraining | null })[] {
  const plans = plannedTrainingsOf(
    database,
    runs.map(({ key }) => key),
  );
  return runs.map((run) => {
    const plan = plans.get(run.key);
    return { ...run, plannedTraining: plan === undefined ? null : shown(PlannedTraining, plan) };
  });
}

export function plannedTrainingRoutes(services: Services): Route[] {
  return [planRoute(services), cancelRoute(services)];
}

function planRoute(services: Services): Route {
  const { database, now, wake } = services;
  return route({
    method: "POST",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/planned-training",
    operationId: "planTraining",
    tag: "Feature refinement",
    summary: "Train once a refinement is done",
    description:
      "As soon as the refinement has its result, the server makes a dataset of the kept columns, " +
      "and when that is read it starts a training on it, with the dataset's `recommendedThreshold` as target. " +
      "Poll the refinement until `plannedTraining` is STARTED, CANCELLED or FAILED. " +
      "One that was cancelled or failed is planned anew; one that waits or has started stays as it is.",
    decisions: ["D31", "D48", "D106"],
    body: PlanSettings,
    bodyExample: { scalingFactor: 19 },
    answer: { status: 200, description: "The plan.", schema: PlannedTraining, example: PLANNED_EXAMPLE },
    problems: ["NOT_FOUND", "NOT_READY"],
    handle: (call) => {
      const { featureRefinementKey: refinementKey } = call.params;
      const { userKey } = call.caller;
      const run = found("refinement", findOwnedRefinement(database, userKey, refinementKey));
      if (isRefinementEnd(run.state) && run.state !== "REFINEMENT_COMPLETED") throw noResult(run.state);
      const planned = { refinementKey, userKey, sourceDatasetKey: null, ...call.body };
      const plan = audited(
        services,
        call,
        () => planTraining(database, planned, now()),
        ({ status }) => (status === "WAITING" ? { action: "TRAINING_PLANNED", objectKey: refinementKey } : null),
      );
      wake();
      return showPlan(plan);
    },
  });
}

function cancelRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/planned-training",
    operationId: "cancelPlannedTraining",
    tag: "Feature refinement",
    summary: "Do without the training after a refinement",
    description:
      "The refinement goes on, and a dataset that is made already stays. Refused once the training is there: " +
      "cancel that. Where nothing is planned any more, nothing changes.",
    decisions: ["D31", "D48", "D106"],
    answer: { status: 204, description: "No training follows." },
    problems: ["NOT_FOUND", "NOT_CANCELLABLE"],
    handle: (call) => {
      const { featureRefinementKey: refinementKey } = call.params;
      found("refinement", findOwnedRefinement(database, call.caller.userKey, refinementKey));
      const outcome = audited(
        services,
        call,
        () => cancelPlannedTraining(database, refinementKey),
        (done) => (done === "CANCELLED" ? { action: "TRAINING_PLAN_CANCELLED", objectKey: refinementKey } : null),
      );
      if (outcome === "NOT_CANCELLABLE") {
        throw new ApiError("NOT_CANCELLABLE", "The training was started already: cancel that.");
      }
      return undefined;
    },
  });
}

function showPlan(plan: Plan): PlannedTraining {
  return shown(PlannedTraining, plan);
}
