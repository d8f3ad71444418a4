// Sending a file to the signed address that a dataset or a refinement has for it.
import type { Connection } from "./connection.ts";
import { CupelProblem } from "./problem.ts";
import { persistently } from "./retry.ts";

export interface UploadWay {
  /** Called with the share that is sent, from 0 to 1. */
  onShare(share: number): void;
  signal: AbortSignal | undefined;
}

/** The `datasetUploadInfo` of a new dataset. */
export interface UploadTarget {
  uploadUrl: string;
  extraHeaders: Readonly<Record<string, string>>;
}

/** @throws CupelProblem, or the signal's reason */
export async function upload(
  connection: Connection,
  { uploadUrl, extraHeaders }: UploadTarget,
  blob: Blob,
  { onShare, signal }: UploadWay,
): Promise<void> {
  const sent = {
    body: blob,
    sizeBytes: blob.size,
    headers: { "content-type": "text/csv", ...extraHeaders },
    signal,
    isOpen: true,
  };
  onShare(0);
  await persistently(connection.patience(signal), async (attempt) => {
    try {
      await connection.once("PUT", connection.pathOf(uploadUrl), sent, (response) => response.text());
    } catch (error) {
      // The file was taken, and the answer was lost: work on it has begun, so that another one is refused.
      const isTaken = attempt > 0 && error instanceof CupelProblem && error.code === "UPLOAD_CLOSED";
      if (!isTaken) throw error;
    }
  });
  onShare(1);
}
