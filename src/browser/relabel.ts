// Gives a dataset another label and waits until the server has read the file with it.
import { datasets } from "./api.ts";
import { cancelled } from "./problem.ts";

/** A small file is read within the first of these waits. */
const FIRST_WAIT_MS = 80;
const LONGEST_WAIT_MS = 2_000;

/** Resolves once the dataset is COMPLETED or FAILED. @throws Problem; CANCELLED once the signal says so */
export async function relabelAndRead(datasetKey: string, labelColumn: string, signal: AbortSignal): Promise<void> {
  await datasets.relabel(datasetKey, labelColumn);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 1.5)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (signal.aborted) throw cancelled();
    const { status } = await datasets.get(datasetKey, signal);
    if (status !== "PROCESSING") return;
  }
}
