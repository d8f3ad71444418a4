// Changes a dataset and waits until the server has read the file with the changes.
import type { ChangedDataset } from "../../api/datasets/change-dataset.ts";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { datasets } from "../api.ts";
import { cancelled } from "../problem.ts";

/** A small file is read within the first of these waits. */
const FIRST_WAIT_MS = 80;
const LONGEST_WAIT_MS = 2_000;

/** Resolves to COMPLETED or FAILED, once the dataset is that. @throws Problem; CANCELLED once the signal says so */
export async function changeAndRead(
  datasetKey: string,
  changes: ChangedDataset,
  signal: AbortSignal,
): Promise<DatasetRecord["status"]> {
  await datasets.change(datasetKey, changes);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 1.5)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (signal.aborted) throw cancelled();
    const { status } = await datasets.get(datasetKey, signal);
    if (status !== "PROCESSING") return status;
  }
}
