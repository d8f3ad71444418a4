// Training jobs: start, list, get, cancel, and choose the champion among the versions (contract 4.4).

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "@sinclair/typebox";
import type { ColumnSettings } from "../../../data/database/records.ts";
import { type Dataset, findOwnedDataset } from "../../../data/datasets.ts";
import { findOwnedModel, moveChampion } from "../../../data/models.ts";
import {
  cancelTrainingJob,
  findOwnedTrainingJob,
  insertTrainingJob,
  listTrainingJobs,
  type TrainingJob,
  trainingStatus,
} from "../../../data/training-jobs.ts";
import { DEFAULT_SCALING_FACTOR, MOST_SCALING_FACTOR, SEED } from "../../common/limits.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { ApiError, found, noSuch, refuse, wrongField } from "../../http/problem.ts";
import { Instant, Key, named, orNull, shown, Version } from "../../http/schemas.ts";
import { requireRoomForTraining } from "../../jobs/job-need.ts";
import { type Call, type Route, route } from "../../routing/route.ts";
import { audited, created } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import { KEY_ANSWER, keySettings, NO_KEYS, OWN_KEY_SETTINGS, requireColumnsOf } from "../key-columns.ts";
import { MODEL_EXAMPLE, ModelDetail, showModel } from "../models/models.ts";
import {
  FOR_ACCURACY,
  OBJECTIVE_ANSWER,
  OBJECTIVE_SETTINGS,
  objectiveSettings,
  requireNoTarget,
} from "../objective-settings.ts";
import type { Services } from "../services.ts";
import { TrainingStatus } from "../statuses.ts";
import { EXPECTED_LABEL, requireExpectedLabel } from "../table-settings.ts";
import { VERDICT_EXAMPLE, Verdict } from "../verdict.ts";

export const ScalingFactor = Type.Integer({
  minimum: 0,
  maximum: MOST_SCALING_FACTOR,
  default: DEFAULT_SCALING_FACTOR,
  description: "Width of the search: one attempt more than this is planned, and at least one per family.",
  "x-decision": "D37",
});

const NewTraining = Type.Object({
  scalingFactor: ScalingFactor,
  performanceThreshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Accuracy that each attempt aims for, and at which the job is COMPLETED. " +
        "The default is the dataset's `recommendedThreshold`, unless the job is judged by other columns or " +
        "leaves other columns out than the dataset: that figure was reached otherwise. " +
        "Without a target, or if always answering the most frequent label reaches it, " +
        "the job goes through its whole plan. It goes with the objective `accuracy` alone. " +
        "No job is COMPLETED whose champion is no better than that answer.",
      "x-decision": "D73",
    }),
  ),
  ...OBJECTIVE_SETTINGS,
  ...OWN_KEY_SETTINGS,
  ...EXPECTED_LABEL,
});

named({ NewTraining });

export type NewTraining = Static<typeof NewTraining>;

const StartedTraining = Type.Object({
  trainingJobKey: Key,
  datasetKey: Key,
  status: TrainingStatus,
  targetPerformance: orNull(Type.Number({ description: "Null where the job has no target." })),
  scalingFactor: Type.Integer(),
  createdOn: Instant,
});
named({ StartedTraining });

export type StartedTraining = Static<typeof StartedTraining>;

const Performance = (description: string) =>
  orNull(Type.Number({ minimum: 0, maximum: 1, description, "x-decision": "D41" }));

export const Training = Type.Object({
  ...StartedTraining.properties,
  achievedPerformance: Performance("The figure compared with the target: the champion's `testPerformance`."),
  trainingPerformance: Performance("The champion's accuracy on the 80% used for training."),
  testPerformance: Performance("The champion's accuracy on the 20% held out."),
  modelKey: orNull(Key),
  ...OBJECTIVE_ANSWER,
  ...KEY_ANSWER,
});
named({ TrainingJob: Training });

export type Training = Static<typeof Training>;

const TrainingDetail = Type.Object({
  ...Training.properties,
  verdict: Verdict("Null until the rows were looked at, and for jobs of earlier versions; complete at the job's end."),
});
named({ TrainingJobDetail: TrainingDetail });

export type TrainingDetail = Static<typeof TrainingDetail>;

export const TRAINING_EXAMPLE = {
  trainingJobKey: EXAMPLES.trainingJobKey,
  datasetKey: EXAMPLES.datasetKey,
  status: "COMPLETED",
  targetPerformance: 0.9,
  scalingFactor: 19,
  createdOn: EXAMPLES.createdOn,
  achievedPerformance: 0.914,
  trainingPerformance: 0.958,
  testPerformance: 0.914,
  modelKey: MODEL_EXAMPLE.modelKey,
  ...FOR_ACCURACY,
  ...NO_KEYS,
} as const satisfies Static<typeof Training>;

export function trainingRoutes(services: Services): Route[] {
  return [
    startRoute(services),
    listRoute(services),
    getRoute(services),
    cancelRoute(services),
    championRoute(services),
  ];
}

function startRoute(services: Services): Route {
  const { database, now, timeCaps, wake } = services;
  const timeLimitSeconds = timeCaps.trainingSeconds;
  return route({
    method: "POST",
    path: "/api/v1/training/datasets/{datasetKey}",
    operationId: "startTraining",
    tag: "Training",
    summary: "Train models on a dataset",
    description: "Answers at once; poll the job's progress. The dataset must be COMPLETED.",
    decisions: ["D08", "D29", "D31", "D37", "D44", "D48", "D58", "D73", "D93", "D95", "D107", "D108"],
    body: NewTraining,
    bodyExample: { scalingFactor: 19, performanceThreshold: 0.9 },
    answer: {
      status: 201,
      description: "The job, waiting for its turn.",
      schema: StartedTraining,
      example: {
        trainingJobKey: TRAINING_EXAMPLE.trainingJobKey,
        datasetKey: TRAINING_EXAMPLE.datasetKey,
        status: "PENDING",
        targetPerformance: TRAINING_EXAMPLE.targetPerformance,
        scalingFactor: TRAINING_EXAMPLE.scalingFactor,
        createdOn: TRAINING_EXAMPLE.createdOn,
      },
      headers: { location: "The job." },
    },
    problems: ["NOT_FOUND", "DATASET_NOT_READY", "LABEL_CHANGED", "QUOTA_EXCEEDED", "MEMORY_BUDGET"],
    handle: (call) => {
      const { datasetKey } = call.params;
      const { scalingFactor, performanceThreshold } = call.body;
      const { userKey } = call.caller;
      const dataset = found("dataset", findOwnedDataset(database, userKey, datasetKey));
      requireExpectedLabel(dataset, call.body.labelColumn);
      const keys = keySettings(call.body, dataset);
      if (dataset.status === "COMPLETED") requireColumnsOf(dataset, keys);
      const labels = dataset.classes?.map(({ label }) => label) ?? null;
      const aim = objectiveSettings(call.body, labels);
      requireNoTarget(aim.objective, performanceThreshold);
      const isForAccuracy = aim.objective === "accuracy";
      const targetPerformance = isForAccuracy ? (performanceThreshold ?? recommendedFor(keys, dataset)) : null;
      requireRoomForTraining(dataset, { scalingFactor, targetPerformance, ...keys }, services);
      const job = { key: randomUUID(), userKey, datasetKey, targetPerformance, scalingFactor, ...aim, ...keys };
      const answer = created(
        services,
        call,
        () =>
          insertTrainingJob(database, { ...job, seed: SEED, timeLimitSeconds }, now()) ??
          refuse(datasetNotReady(dataset)),
        (made) => ({ action: "TRAINING_STARTED", objectKey: made.key }),
        (made) => showStarted(call, made),
      );
      wake();
      return answer;
    },
  });
}

function showStarted({ headers, url }: Pick<Call, "headers" | "url">, job: TrainingJob): StartedTraining {
  headers.set("location", url(`/api/v1/training/${job.key}`));
  return shown(StartedTraining, listedTraining(job));
}

/** The dataset's target, where the job is judged as the refinement was that reached it. */
function recommendedFor(keys: ColumnSettings, dataset: Dataset): number | null {
  return isDeepStrictEqual(keys, keySettings({}, dataset)) ? dataset.recommendedThreshold : null;
}

function listRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/training/datasets/{datasetKey}",
    operationId: "listTrainingJobs",
    tag: "Training",
    summary: "List the training jobs of a dataset",
    description: "Newest first. The jobs of a deleted dataset are still listed.",
    decisions: ["D24", "D31", "D49"],
    query: pageQuery(),
    answer: pageOf("trainingJobs", Training, TRAINING_EXAMPLE, "A page of jobs."),
    problems: ["NOT_FOUND"],
    handle: ({ params: { datasetKey }, query, caller: { userKey } }) => {
      const jobs = listTrainingJobs(database, userKey, query, datasetKey);
      if (jobs.total === 0 && findOwnedDataset(database, userKey, datasetKey) === null) throw noSuch("dataset");
      return pageAnswer("trainingJobs", jobs, query, (job) => shown(Training, listedTraining(job)));
    },
  });
}

function getRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/training/{trainingJobKey}",
    operationId: "getTrainingJob",
    tag: "Training",
    summary: "Look at a training job",
    description: "Null where not known yet. Jobs that ended without reaching the target keep their best models.",
    decisions: ["D08", "D09", "D31", "D41", "D96"],
    answer: {
      status: 200,
      description: "The job.",
      schema: TrainingDetail,
      example: { ...TRAINING_EXAMPLE, verdict: VERDICT_EXAMPLE },
    },
    problems: ["NOT_FOUND"],
    handle: ({ params: { trainingJobKey }, caller: { userKey } }) => {
      const job = found("training job", findOwnedTrainingJob(database, userKey, trainingJobKey));
      return shown(TrainingDetail, listedTraining(job));
    },
  });
}

function cancelRoute(services: Services): Route {
  const { database, now, elapsedMs, stopFlow } = services;
  return route({
    method: "PATCH",
    path: "/api/v1/training/{trainingJobKey}/cancel",
    operationId: "cancelTraining",
    tag: "Training",
    summary: "Cancel a training job",
    description:
      "No body. The job is CANCELLED from now on; if attempts had finished, the best three still become a model, " +
      "whose `modelKey` the job shows once its progress has no `nextPollAfterSeconds`. Cancelling a cancelled job " +
      "succeeds and changes nothing.",
    decisions: ["D09", "D27", "D31", "D87"],
    answer: {
      status: 200,
      description: "The job is cancelled.",
      schema: Type.Object({ status: Type.Literal("CANCELLED") }),
      example: { status: "CANCELLED" },
    },
    problems: ["NOT_FOUND", "NOT_CANCELLABLE"],
    handle: (call) => {
      const { trainingJobKey } = call.params;
      const { userKey } = call.caller;
      const cancelled = { action: "TRAINING_CANCELLED", objectKey: trainingJobKey } as const;
      const outcome = audited(
        services,
        call,
        () => cancelTrainingJob(database, userKey, trainingJobKey, now(), elapsedMs(trainingJobKey)),
        (done) => (done === "CANCELLED" || done === "CLOSING" ? cancelled : null),
      );
      if (outcome === "NOT_FOUND") throw noSuch("training job");
      if (outcome === "NOT_CANCELLABLE") {
        throw notCancellable(findOwnedTrainingJob(database, userKey, trainingJobKey)!);
      }
      if (outcome === "CLOSING") stopFlow(trainingJobKey);
      return { status: "CANCELLED" as const };
    },
  });
}

function championRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "POST",
    path: "/api/v1/training/{trainingJobKey}/champion",
    operationId: "moveChampion",
    tag: "Training",
    summary: "Choose the champion among a job's versions",
    description: "New predictions use the champion; earlier ones keep their version. Idempotent.",
    decisions: ["D03", "D20", "D31", "D41", "D48"],
    body: Type.Object({ version: Version }),
    bodyExample: { version: 2 },
    answer: { status: 200, description: "The model.", schema: ModelDetail, example: MODEL_EXAMPLE },
    problems: ["NOT_FOUND", "NO_MODEL", "VERSION_NOT_KEPT"],
    handle: (call) => {
      const { trainingJobKey } = call.params;
      const { version } = call.body;
      const { userKey } = call.caller;
      const moved = audited(
        services,
        call,
        () => moveChampion(database, userKey, trainingJobKey, version),
        ({ outcome }) =>
          outcome === "MOVED" ? { action: "CHAMPION_MOVED", objectKey: trainingJobKey, detail: `v${version}` } : null,
      );
      switch (moved.outcome) {
        case "NOT_FOUND":
          throw noSuch("training job");
        case "NO_MODEL":
          throw new ApiError("NO_MODEL", "This training job has no model.");
        case "NO_VERSION":
          throw new ApiError("VERSION_NOT_KEPT", `This training job did not keep a version ${version}.`, {
            errors: [{ field: "version", code: "VERSION_NOT_KEPT", message: `There is no version ${version}.` }],
          });
        case "MOVED":
          return showModel(findOwnedModel(database, userKey, moved.modelKey)!);
      }
    },
  });
}

/** A row with the field names of the schemas. */
export function listedTraining<Job extends TrainingJob>(job: Job) {
  return { ...job, trainingJobKey: job.key, status: trainingStatus(job) };
}

function datasetNotReady({ status }: Dataset): ApiError {
  const message = `The dataset is ${status}; only a COMPLETED one can be trained on.`;
  return wrongField("status", status, message, "DATASET_NOT_READY");
}

function notCancellable(job: TrainingJob): ApiError {
  const status = trainingStatus(job);
  const message = `The training job is ${status}; only a PENDING or RUNNING one can be cancelled.`;
  return wrongField("status", status, message, "NOT_CANCELLABLE");
}
