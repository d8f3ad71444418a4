// Sends a large file so that it goes on after a broken connection (tus 1.0,
// D116): from what the server has on its disk.
import { onThisServer } from "./address.ts";
import { type Exchange, exchange, type Upload } from "./client.ts";
import { asProblem, cancelled, type Problem } from "./problem.ts";

const TUS = { "tus-resumable": "1.0.0" } as const;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1_000, 30_000];
/** In a row, without a byte that arrived: about twenty minutes. */
const MOST_FAILURES = 45;
/**
 * A connection that says nothing for so long is given up; the server reads a whole file back before its last answer.
 */
const SILENT_MS = 60_000;
/** Refusals that pass: a request that still stands open, a server that starts again, a disk that is full for now. */
const PASSING = [
  "OFFSET_CONFLICT",
  "UPLOAD_BUSY",
  "UPLOAD_INTERRUPTED",
  "REQUEST_TOO_SLOW",
  "STORAGE_FULL",
  "NOT_UNDERSTOOD",
];

/**
 * Sends a file to a signed address; waits and goes on where that may help.
 * @throws Problem; CANCELLED if the signal stops it
 */
export async function sendInPieces({ url, file, onProgress, onPause, signal }: Upload): Promise<void> {
  let place: URL | null = null;
  let [offset, failures] = [0, 0];
  for (;;) {
    try {
      if (place === null) {
        const headers = { ...TUS, "upload-length": String(file.size) };
        place = onThisServer(
          (await send("POST", onThisServer(url), { headers, signal })).getResponseHeader("location")!,
        );
      } else {
        const known = offsetOf(await send("HEAD", place, { headers: TUS, signal }));
        if (known > offset) failures = 1;
        offset = known;
      }
      onPause?.(null);
      if (offset < file.size) offset = await sendFrom(place, offset, { file, onProgress, signal });
      return;
    } catch (error) {
      const problem = asProblem(error);
      // The server no longer knows the upload: it begins anew.
      const isForgotten = place !== null && problem.status === 404;
      if (++failures > MOST_FAILURES || (!isForgotten && !mayPass(problem))) {
        if (place !== null) void send("DELETE", place, { headers: TUS, signal: undefined }).catch(() => undefined);
        throw problem;
      }
      if (isForgotten) [place, offset] = [null, 0];
      onPause?.(problem);
      await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
    }
  }
}

async function sendFrom(
  place: URL,
  offset: number,
  { file, onProgress, signal }: Pick<Upload, "file" | "onProgress" | "signal">,
): Promise<number> {
  const headers = { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
  const onSent = (bytes: number) => onProgress((offset + bytes) / file.size);
  return offsetOf(await send("PATCH", place, { headers, signal, body: file.slice(offset), onSent }));
}

function offsetOf(request: XMLHttpRequest): number {
  return Number(request.getResponseHeader("upload-offset"));
}

function mayPass({ status, code }: Problem): boolean {
  if (code === "CANCELLED") return false;
  return status === 0 || status === 429 || status === 502 || status === 503 || status === 504 || PASSING.includes(code);
}

function send(method: string, address: URL, sent: Omit<Exchange, "silentMs">): Promise<XMLHttpRequest> {
  return exchange(method, address, { ...sent, silentMs: SILENT_MS });
}

/** Ends sooner where the browser finds its network again. @throws Problem CANCELLED */
function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const over = new AbortController();
  const timer = setTimeout(resolve, waitMs);
  addEventListener("online", () => resolve(), { signal: over.signal });
  signal?.addEventListener("abort", () => reject(cancelled()), { signal: over.signal });
  if (signal?.aborted === true) reject(cancelled());
  return promise.finally(() => {
    clearTimeout(timer);
    over.abort();
  });
}
