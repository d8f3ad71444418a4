// Sending a file: how much of it has left, and a button to stop it.
import { useRef, useState } from "preact/hooks";
import type { CreatedDataset } from "../../api/datasets/created-dataset.ts";
import { upload, type Way } from "../../browser/client.ts";
import { Progress } from "../progress.tsx";

type UploadInfo = NonNullable<CreatedDataset["datasetUploadInfo"]>;

export interface SendingFile {
  /** The share sent so far, and since when; null while nothing is being sent. */
  sent: { name: string; share: number; sinceMs: number } | null;
  /** Sends to a signed address. @throws Problem; CANCELLED if it was stopped */
  send(file: File, info: UploadInfo): Promise<void>;
  /** Sends by any other way. */
  sendBy<T>(file: File, transfer: (way: Way) => Promise<T>): Promise<T>;
  stop(): void;
}

export function useSending(): SendingFile {
  const [sent, setSent] = useState<SendingFile["sent"]>(null);
  const abort = useRef<AbortController>(undefined);
  const sendBy = async <T,>({ name }: File, transfer: (way: Way) => Promise<T>): Promise<T> => {
    const sinceMs = Date.now();
    abort.current = new AbortController();
    const onProgress = (share: number) => setSent({ name, share, sinceMs });
    onProgress(0);
    try {
      return await transfer({ onProgress, signal: abort.current.signal });
    } finally {
      setSent(null);
    }
  };
  return {
    sent,
    send: (file, { uploadUrl, extraHeaders }) =>
      sendBy(file, (way) => upload({ url: uploadUrl, headers: extraHeaders, file, ...way })),
    sendBy,
    stop: () => abort.current?.abort(),
  };
}

/** Shown only while something is being sent. */
export function Sending({ sent, stop }: SendingFile) {
  if (sent === null) return null;
  const elapsedSeconds = (Date.now() - sent.sinceMs) / 1_000;
  return (
    <div class="sending">
      <Progress label={`Sending ${sent.name}`} share={sent.share} elapsedSeconds={elapsedSeconds} />
      <button type="button" class="small" onClick={stop}>
        Cancel
      </button>
    </div>
  );
}
