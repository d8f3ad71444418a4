// A large body, chunk by chunk, from a client that must not stand still or crawl.
import { LEAST_UPLOAD_BYTES_PER_SECOND, UPLOAD_IDLE_SECONDS } from "./limits.ts";
import { ApiError } from "./problem.ts";

/** A body is checked every LOOK_MS; a gap above STANDSTILL_MS means that the process itself was paused. */
const [LOOK_MS, STANDSTILL_MS] = [1_000, 5_000];

export interface BodyWatch {
  /** Keeps the connection open; the runtime would end it in the middle of a slow body, though data flows. */
  keepAlive(seconds: number): void;
  /** Longest pause; once this long has passed, the body must keep an average pace too. */
  idleSeconds?: number;
  /** Longest time for the whole body; without it, any time at which the body keeps the pace. */
  mostSeconds?: number;
}

/**
 * Gives each chunk of the body to `take` and waits for it, so that only one chunk is held. Where `take` throws, the rest of
 * the body stays unread; refused-body.ts deals with it.
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
      // The process was paused; what the client sent meanwhile is read only after this.
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
