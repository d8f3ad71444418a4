// A large body, chunk by chunk, from a client that must not stand still or crawl.
import { LEAST_UPLOAD_BYTES_PER_SECOND, UPLOAD_IDLE_SECONDS } from "./limits.ts";
import { ApiError } from "./problem.ts";

/** Between two looks at a body; the process itself was paused where it is more. */
const [LOOK_MS, STANDSTILL_MS] = [1_000, 5_000];

export interface BodyWatch {
  /** Lets the connection live on; the runtime would end it in the middle of a slow body, though data flows. */
  keepAlive(seconds: number): void;
  /** How long nothing may arrive; an average pace is asked for once this long has passed. */
  idleSeconds?: number;
  /** How long the whole body may take; as long as it keeps the pace by default. */
  mostSeconds?: number;
}

/**
 * Gives each chunk of the body to `take` and waits for it, so that no more is held than one chunk. Where it throws, the rest
 * of the body is left unread, for whoever sees the refusal out.
 *
 * @throws ApiError UPLOAD_INTERRUPTED where the connection broke, REQUEST_TOO_SLOW where the body stood still or crawled
 */
export async function eachChunk(
  body: ReadableStream<Uint8Array>,
  { keepAlive, idleSeconds = UPLOAD_IDLE_SECONDS, mostSeconds = Number.POSITIVE_INFINITY }: BodyWatch,
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
      // The process stood still, and what the client sent meanwhile is read only after this.
      startMs += gapMs;
      lastMs += gapMs;
    }
    const seconds = (nowMs - startMs) / 1_000;
    const crawls = seconds > idleSeconds && seenBytes < seconds * LEAST_UPLOAD_BYTES_PER_SECOND;
    // While a chunk is being written it is the disk that is slow, not the client.
    isTooSlow = isWaiting && (crawls || seconds > mostSeconds || nowMs - lastMs > idleSeconds * 1_000);
    // Ends the read under way.
    if (isTooSlow) reader.releaseLock();
    else keepAlive(idleSeconds * 2);
  }, LOOK_MS);
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
      lastMs = performance.now();
    }
  } finally {
    clearInterval(timer);
    reader.releaseLock();
  }
}

function interrupted(): ApiError {
  const detail = "The connection broke before the whole body had arrived; nothing was kept.";
  return new ApiError("UPLOAD_INTERRUPTED", detail, { headers: { connection: "close" } });
}

function tooSlow(): ApiError {
  return new ApiError("REQUEST_TOO_SLOW", "The body stood still, or came too slowly; nothing was kept.");
}
