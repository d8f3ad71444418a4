// Making a dataset from a file: created, then sent; removed again if
// sending fails, since it would only occupy its name.
import type { NewDataset } from "../../api/datasets/new-datasets.ts";
import { datasets } from "../../browser/api.ts";
import type { SendingFile } from "./sending.tsx";

export const LONGEST_NAME = 30;

/** Returns the key of the dataset. @throws Problem */
export async function sendDataset(body: NewDataset, file: File, sending: SendingFile): Promise<string> {
  const { datasetKey, datasetUploadInfo } = await datasets.create(body);
  try {
    await sending.send(file, datasetUploadInfo!);
  } catch (error) {
    await datasets.remove(datasetKey);
    throw error;
  }
  return datasetKey;
}

/** The name of a file without its ending, at most as long as names of datasets may be. */
export function nameOf({ name }: File, longest = LONGEST_NAME): string {
  return name
    .replace(/\.[^.]*$/, "")
    .trim()
    .slice(0, longest)
    .trim();
}
