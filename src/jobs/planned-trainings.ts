// The steps between a refinement and the training that follows it (D106). Each is one transaction, so that a kill
// between two leaves the next to take, and nothing is made twice.
import { randomUUID } from "node:crypto";
import type { Database } from "../../data/database/database.ts";
import { isRefinementEnd } from "../../data/database/states.ts";
import { findDataset, findOwnedDataset, insertDataset } from "../../data/datasets.ts";
import { freeDatasetName, refinedDatasetOf } from "../../data/refined-datasets.ts";
import {
  duePlannedTrainings,
  findPlannedTraining,
  type PlannedTraining,
  type PlanStep,
  stepPlannedTraining,
} from "../../data/refinements/planned-trainings.ts";
import { findOwnedRefinement, type Refinement } from "../../data/refinements/refinements.ts";
import { SEED } from "../common/limits.ts";
import type { MemoryLimits } from "../common/memory-budget.ts";
import { storageFault } from "../storage/storage-fault.ts";
import { requireRoomForTraining } from "./job-need.ts";
import type { JobServices } from "./job-run.ts";
import { auditAsOwner, beginTraining } from "./owner-work.ts";
import { reasonOf } from "./reason.ts";

export interface PlanServices extends Pick<JobServices, "database" | "quotas" | "timeCaps" | "report"> {
  memory: Pick<MemoryLimits, "jobBytes">;
  workers: number;
}

const REFINEMENT_DELETED = "The refinement was deleted before its training could start.";
const REFINEMENT_CANCELLED = "The refinement was cancelled.";
const DATASET_DELETED = "The dataset of the kept columns was deleted before its training could start.";

/** Takes every step that is due. If the disk is full, a step stays due. */
export function stepPlannedTrainings(services: PlanServices): void {
  const { database } = services;
  for (const refinementKey of duePlannedTrainings(database)) {
    const name = `planned training ${refinementKey}`;
    for (let goesOn = true; goesOn; ) {
      const plan = findPlannedTraining(database, refinementKey)!;
      try {
        goesOn = database.write(() => takeStep(plan, services));
      } catch (error) {
        goesOn = false;
        if (storageFault(error) === null) fail(database, plan, reasonOf(error, name, services));
        else services.report(error, name);
      }
    }
  }
}

/** False if there is nothing to do, yet or any more. */
function takeStep(plan: PlannedTraining, services: PlanServices): boolean {
  const step =
    plan.status === "WAITING"
      ? afterRefinement(plan, services)
      : plan.status === "PREPARING"
        ? afterReading(plan, services)
        : null;
  return step !== null && stepPlannedTraining(services.database, plan, step);
}

function fail(database: Database, plan: PlannedTraining, errorReason: string): void {
  stepPlannedTraining(database, plan, { status: "FAILED", errorReason });
}

/** Makes the dataset of the kept columns. */
function afterRefinement(plan: PlannedTraining, { database }: PlanServices): PlanStep | null {
  const { refinementKey, userKey, sourceDatasetKey, datasetKey } = plan;
  const run = findOwnedRefinement(database, userKey, refinementKey);
  if (run === null) return { status: "CANCELLED", errorReason: REFINEMENT_DELETED };
  if (!isRefinementEnd(run.state)) return null;
  if (run.state === "CANCELLED") return { status: "CANCELLED", errorReason: REFINEMENT_CANCELLED };
  const settings = refinedDatasetOf(database, run);
  if (settings === null) return { status: "FAILED", errorReason: reasonWithoutResult(run) };
  // An earlier try may have made the dataset and failed later.
  const known = datasetKey === null ? null : findOwnedDataset(database, userKey, datasetKey);
  if (known !== null && known.status !== "FAILED") return { status: "PREPARING", datasetKey: known.key };
  const source = sourceDatasetKey === null ? null : findDataset(database, sourceDatasetKey);
  const name = freeDatasetName(database, userKey, source?.name ?? run.name);
  const now = new Date();
  const dataset = insertDataset(database, { ...settings, key: randomUUID(), userKey, name, description: null }, now)!;
  const { key, source: detail } = dataset;
  auditAsOwner(database, userKey, { action: "DATASET_CREATED", objectKey: key, detail }, now);
  return { status: "PREPARING", datasetKey: key };
}

function reasonWithoutResult({ state, errorReason }: Refinement): string {
  const what = state === "TIMEOUT" ? "The refinement was stopped at its time limit." : "The refinement failed.";
  return errorReason === null ? what : `${what} ${errorReason}`;
}

/** @throws MemoryExceeded, QuotaExceeded */
function afterReading(plan: PlannedTraining, services: PlanServices): PlanStep | null {
  const { database, timeCaps } = services;
  const { userKey, scalingFactor } = plan;
  const dataset = findOwnedDataset(database, userKey, plan.datasetKey!);
  if (dataset === null) return { status: "CANCELLED", errorReason: DATASET_DELETED };
  if (dataset.status === "FAILED") return { status: "FAILED", errorReason: dataset.errorReason };
  if (dataset.status !== "COMPLETED") return null;
  const { recommendedThreshold: targetPerformance, groupColumn, timeColumn } = dataset;
  requireRoomForTraining(dataset, { scalingFactor, targetPerformance, groupColumn, timeColumn }, services);
  const training = { scalingFactor, targetPerformance, seed: SEED, timeLimitSeconds: timeCaps.trainingSeconds };
  return { status: "STARTED", trainingJobKey: beginTraining(database, dataset, training, null) };
}
