// The steps of a successor between its own work (D128): the dataset of the joined rows is read, then a training learns
// from it. Each is one transaction, so that a kill between two leaves the next to take, and nothing is made twice.
import { rmSync } from "node:fs";
import { findOwnedDataset } from "../../data/datasets.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { joinLine } from "../../data/model-lines.ts";
import { findOwnedModel } from "../../data/models.ts";
import {
  dueSuccessors,
  findSuccessor,
  type Successor,
  type SuccessorStep,
  stepSuccessor,
} from "../../data/successors.ts";
import { findOwnedTrainingJob } from "../../data/training-jobs.ts";
import { storageFault } from "../storage/storage-fault.ts";
import { requireRoomForTraining } from "./job-need.ts";
import { beginTraining } from "./owner-work.ts";
import type { PlanServices } from "./planned-trainings.ts";
import { reasonOf } from "./reason.ts";

interface SuccessionServices extends PlanServices {
  state: Pick<StateFolder, "locate">;
}

const DATASET_DELETED = "The dataset of the joined rows was deleted before its training could start.";
const MODEL_DELETED = "The model was deleted before it could be compared.";
const NO_MODEL = "The training left no model.";

/** Takes every step that is due. If the disk is full, a step stays due. */
export function stepSuccessors(services: SuccessionServices): void {
  const { database, state, report } = services;
  for (const key of dueSuccessors(database)) {
    const name = `successor ${key}`;
    const successor = findSuccessor(database, key)!;
    try {
      database.write(() => {
        const step = nextStep(successor, services);
        if (step !== null) stepSuccessor(database, successor, step, new Date());
      });
    } catch (error) {
      if (storageFault(error) !== null) {
        report(error, name);
        continue;
      }
      const failed = { status: "FAILED", errorReason: reasonOf(error, name, services) } as const;
      stepSuccessor(database, successor, failed, new Date());
    }
    if (findSuccessor(database, key)?.keptPath === null && successor.keptPath !== null) {
      rmSync(state.locate(successor.keptPath), { force: true });
    }
  }
}

function nextStep(successor: Successor, services: SuccessionServices): SuccessorStep | null {
  return successor.status === "READING" ? afterReading(successor, services) : afterTraining(successor, services);
}

/** Starts a training with the settings of the champion's. @throws MemoryExceeded, QuotaExceeded */
function afterReading(successor: Successor, services: SuccessionServices): SuccessorStep | null {
  const { database, timeCaps } = services;
  const { userKey, championKey } = successor;
  const dataset = findOwnedDataset(database, userKey, successor.datasetKey!);
  if (dataset === null) return { status: "CANCELLED", errorReason: DATASET_DELETED };
  if (dataset.status === "FAILED") return { status: "FAILED", errorReason: dataset.errorReason };
  if (dataset.status !== "COMPLETED") return null;
  const champion = findOwnedModel(database, userKey, championKey)?.model ?? null;
  const job = champion === null ? null : findOwnedTrainingJob(database, userKey, champion.trainingJobKey);
  if (job === null) return { status: "FAILED", errorReason: MODEL_DELETED };
  const { scalingFactor, targetPerformance, seed, objective, costs } = job;
  const { groupColumn, timeColumn } = dataset;
  requireRoomForTraining(dataset, { scalingFactor, targetPerformance, groupColumn, timeColumn }, services);
  const timeLimitSeconds = Math.min(job.timeLimitSeconds, timeCaps.trainingSeconds);
  const training = { scalingFactor, targetPerformance, seed, objective, costs, timeLimitSeconds };
  return { status: "TRAINING", trainingJobKey: beginTraining(database, dataset, training, "SUCCESSOR") };
}

/** The model joins the champion's line. */
function afterTraining(successor: Successor, { database }: SuccessionServices): SuccessorStep | null {
  const { userKey, firstModelKey } = successor;
  const job = findOwnedTrainingJob(database, userKey, successor.trainingJobKey!);
  if (job === null || job.status === "PENDING" || job.status === "RUNNING") return null;
  if (job.status === "CANCELLED") return { status: "CANCELLED", errorReason: "Its training was cancelled." };
  if (job.modelKey === null) return { status: "FAILED", errorReason: job.errorReason ?? NO_MODEL };
  const model = findOwnedModel(database, userKey, job.modelKey)?.model ?? null;
  if (model === null) return { status: "FAILED", errorReason: MODEL_DELETED };
  joinLine(database, model.key, firstModelKey);
  return { status: "COMPARING", challengerKey: model.key, challengerVersion: model.championVersion };
}
