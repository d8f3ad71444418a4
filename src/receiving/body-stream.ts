// Reads a large body chunk by chunk, from a client that must not stall or crawl.
import { LEAST_UPLOAD_BYTES_PER_SECOND, UPLOAD_IDLE_SECONDS } from "../http/limits.ts";
import { ApiError } from "../http/problem.ts";

/** A body is checked every LOOK_MS; a gap above STANDSTILL_MS means that the process itself was paused. */
const [LOOK_MS, STANDSTILL_MS] = [1_000, 5_000];

export interface BodyWatch {
  /** Keeps the connection open, which the runtime would end in the middle of a slow body. */
  keepAlive(seconds: number): void;
  /** Longest pause; after this time the body must also keep an average pace. */
  idleSeconds?: number;
  /** Longest time for the whole body. */
  mostSeconds?: number;
  /** Ends the reading, as if the connection had broken. */
  signal?: AbortSignal;
}

/**
 * Passes each chunk to `take` and waits for it, so that only one chunk is in memory; `take` must copy what it keeps. If
 * it throws, the rest of the body stays unread; see refused-body.ts.
 *
 * @throws ApiError UPLOAD_INTERRUPTED if the connection broke, REQUEST_TOO_SLOW if the body stalled or crawled
 */
export async function eachChunk(
  body: ReadableStream<Uint8Array>,
  { keepAlive, idleSeconds = UPLOAD_IDLE_SECONDS, mostSeconds = Number.POSITIVE_INFINITY, signal }: BodyWatch,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const reader = body.getReader();
  let startMs = performance.now();
  let lastMs = startMs;
  let seenBytes = 0;
  let tickMs = startMs;
  let isTooSlow = false;
  let isWaiting = false;
  keepAlive(idleSeconds * 2);
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const gapMs = nowMs - tickMs;
    tickMs = nowMs;
    if (gapMs > STANDSTILL_MS) {
      // The process was paused, not the client.
      startMs += gapMs;
      lastMs += gapMs;
    }
    const seconds = (nowMs - startMs) / 1_000;
    const crawls = seconds > idleSeconds && seenBytes < seconds * LEAST_UPLOAD_BYTES_PER_SECOND;
    // While a chunk is being written the disk is slow, not the client.
    isTooSlow = isWaiting && (crawls || seconds > mostSeconds || nowMs - lastMs > idleSeconds * 1_000);
    // Ends the read under way.
    if (isTooSlow) reader.releaseLock();
    else keepAlive(idleSeconds * 2);
  }, LOOK_MS);
  const stop = () => reader.releaseLock();
  signal?.addEventListener("abort", stop);
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await reader.read().catch(() => {
        throw isTooSlow ? tooSlow() : interrupted();
      });
      isWaiting = false;
      if (done) return;
      lastMs = performance.now();
      seenBytes += value.length;
      await take(value);
      free(value);
      lastMs = performance.now();
    }
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
    reader.releaseLock();
  }
}

/**
 * Gives a chunk's memory back now (D127): a large body has thousands, and the collector would wait for many of them.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}

function interrupted(): ApiError {
  const detail = "The connection broke before the whole body had arrived; nothing was kept.";
  return new ApiError("UPLOAD_INTERRUPTED", detail, { headers: { connection: "close" } });
}

function tooSlow(): ApiError {
  return new ApiError("REQUEST_TOO_SLOW", "The body stood still, or came too slowly; nothing was kept.");
}
