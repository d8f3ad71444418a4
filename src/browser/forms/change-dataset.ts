// Changes a dataset and waits until the server has read the file with the changes.
import type { ChangedDataset } from "../../api/datasets/change-dataset.ts";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { datasets } from "../api.ts";
import { pause } from "../loading.ts";
import { cancelled } from "../problem.ts";

/** Resolves to COMPLETED or FAILED, once the dataset is that. @throws Problem; CANCELLED once the signal says so */
export async function changeAndRead(
  datasetKey: string,
  changes: ChangedDataset,
  signal: AbortSignal,
): Promise<DatasetRecord["status"]> {
  await datasets.change(datasetKey, changes);
  for (let round = 0; ; round++) {
    await new Promise((resolve) => setTimeout(resolve, pause(round)));
    if (signal.aborted) throw cancelled();
    const { status } = await datasets.get(datasetKey, signal);
    if (status !== "PROCESSING") return status;
  }
}
