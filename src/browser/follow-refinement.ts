// Trains on the columns that a finished refinement kept. Each step first checks whether it was already done, so it can be repeated.
import { datasets, trainings } from "./api.ts";
import { cancelled, Problem } from "./problem.ts";

const LONGEST_NAME = 30;
const MOST_NAMES = 20;
const WAIT_MS = 400;

/** Returns the key of the training. @throws Problem */
export async function trainRefined(
  refinementKey: string,
  datasetName: string,
  scalingFactor: number,
  signal: AbortSignal,
): Promise<string> {
  const datasetKey = await datasetOf(refinementKey, datasetName, signal);
  await untilRead(datasetKey, signal);
  const [known] = (await trainings.ofDataset(datasetKey, { offset: 0, limit: 1 }, signal)).items;
  if (known !== undefined) return known.trainingJobKey;
  return (await trainings.start(datasetKey, { scalingFactor })).trainingJobKey;
}

async function datasetOf(refinementKey: string, datasetName: string, signal: AbortSignal): Promise<string> {
  const base = `${datasetName.slice(0, LONGEST_NAME - " refined 20".length)} refined`;
  const page = await datasets.list({ offset: 0, limit: 100, search: base }, signal);
  const known = page.items.find(({ featureRefinementKey }) => featureRefinementKey === refinementKey);
  if (known !== undefined) return known.datasetKey;
  return (await withFreeName(base, (name) => datasets.createOfRefinement(refinementKey, { name }))).datasetKey;
}

/** Creates something under the first name of `base`, `base 2` and so on that is free. */
export async function withFreeName<T>(base: string, create: (name: string) => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await create(count === 1 ? base : `${base} ${count}`);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "NAME_TAKEN" || count === MOST_NAMES) throw error;
    }
  }
}

async function untilRead(datasetKey: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { status, errorReason } = await datasets.get(datasetKey, signal);
    if (status === "COMPLETED") return;
    if (status === "FAILED") {
      const detail = errorReason ?? "The reduced file cannot be used.";
      throw new Problem({ status: 409, code: "FILE_UNUSABLE", detail, remedy: "Train on all columns instead." });
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (signal.aborted) throw cancelled();
  }
}
