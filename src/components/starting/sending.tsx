// Sending a file: how much of it has left, and a button to stop it.
import { useRef, useState } from "preact/hooks";
import type { CreatedDataset } from "../../api/datasets/created-dataset.ts";
import { type UploadOptions, upload } from "../../browser/client.ts";
import type { Problem } from "../../browser/problem.ts";
import { Progress } from "../progress.tsx";

/** From here on a file goes on after a broken connection, which takes a few more requests. */
export const RESUMABLE_BYTES = 8_000_000;

type UploadInfo = NonNullable<CreatedDataset["datasetUploadInfo"]>;

export interface SendingFile {
  /** The share sent so far, and since when; null while nothing is being sent. */
  sent: { name: string; share: number; sinceMs: number } | null;
  /** The problem that interrupted it, while it waits to go on by itself. */
  paused: Problem | null;
  /** Sends to a signed address. @throws Problem; CANCELLED if it was stopped */
  send(file: File, info: UploadInfo): Promise<void>;
  /** Sends by any other way. */
  sendBy<T>(file: File, transfer: (way: UploadOptions) => Promise<T>): Promise<T>;
  stop(): void;
}

export function useSending(): SendingFile {
  const [sent, setSent] = useState<SendingFile["sent"]>(null);
  const [paused, setPaused] = useState<Problem | null>(null);
  const abort = useRef<AbortController>(undefined);
  const sendBy = async <T,>({ name }: File, transfer: (way: UploadOptions) => Promise<T>): Promise<T> => {
    const sinceMs = Date.now();
    abort.current = new AbortController();
    const onProgress = (share: number) => setSent({ name, share, sinceMs });
    onProgress(0);
    try {
      return await transfer({ onProgress, onPause: setPaused, signal: abort.current.signal });
    } finally {
      setPaused(null);
      setSent(null);
    }
  };
  return {
    sent,
    paused,
    send: (file, { uploadUrl: url, extraHeaders: headers }) =>
      sendBy(file, async (way) => {
        const isLarge = file.size >= RESUMABLE_BYTES;
        const send = isLarge ? (await import("../../browser/resumable.ts")).sendInPieces : upload;
        return send({ url, headers, file, ...way });
      }),
    sendBy,
    stop: () => abort.current?.abort(),
  };
}

/** Shown only while something is being sent. */
export function Sending({ sent, paused, stop }: SendingFile) {
  if (sent === null) return null;
  const elapsedSeconds = (Date.now() - sent.sinceMs) / 1_000;
  return (
    <div class="sending">
      <Progress label={`Sending ${sent.name}`} share={sent.share} elapsedSeconds={elapsedSeconds} />
      <p role="status" class="note">
        {paused !== null && `${pauseWords(paused)} Sending goes on by itself, from what has arrived.`}
      </p>
      <button type="button" class="small" onClick={stop}>
        Cancel
      </button>
    </div>
  );
}

function pauseWords({ status, message }: Problem): string {
  return status === 0 ? "The connection broke." : message;
}
