// Large bodies of rows: received within bounds, then scored on a thread of their own, one at a time. On the main thread
// ten of them would block everybody for seconds, and parsing a hostile one takes twenty times its size in memory.

import { formatByteLimit } from "../../common/format.ts";
import {
  LIVE_ROWS_BODY_SECONDS,
  LIVE_ROWS_SECONDS,
  MOST_LIVE_ROWS_BYTES,
  MOST_LIVE_ROWS_BYTES_AT_ONCE,
} from "../../http/limits.ts";
import { ApiError } from "../../http/problem.ts";
import { announcedBytes } from "../../receiving/bodies.ts";
import { type BodyWatch, eachChunk } from "../../receiving/body-stream.ts";
import { RequestThread, soonAgain } from "../request-thread.ts";
import type { LargeRows } from "../services.ts";

const BUSY = "Too many large bodies of rows are under way; wait a moment, or send the rows as a file.";
const FAILED = "These rows could not be scored now. Send them again in a while, or as a file.";

export function createLargeRows(
  spawnWorker: () => Worker,
  mostBytesAtOnce: number = MOST_LIVE_ROWS_BYTES_AT_ONCE,
): LargeRows {
  const thread = new RequestThread(spawnWorker);
  let bytesUnderWay = 0;
  return {
    receive: async (request, keepAlive, use) => {
      const reservedBytes = announcedBytes(request) ?? MOST_LIVE_ROWS_BYTES;
      if (reservedBytes > MOST_LIVE_ROWS_BYTES) throw rowsTooLarge();
      if (bytesUnderWay + reservedBytes > mostBytesAtOnce) throw soonAgain("BUSY", BUSY);
      bytesUnderWay += reservedBytes;
      try {
        return await use(await receive(request, reservedBytes, keepAlive));
      } finally {
        bytesUnderWay -= reservedBytes;
      }
    },
    score: (body) => thread.run("scoreRows", body, FAILED, LIVE_ROWS_SECONDS),
    close: () => thread.close(),
  };
}

async function receive({ body }: Request, mostBytes: number, keepAlive: BodyWatch["keepAlive"]): Promise<Uint8Array> {
  const bytes = new Uint8Array(mostBytes);
  let size = 0;
  if (body !== null) {
    await eachChunk(body, { keepAlive, mostSeconds: LIVE_ROWS_BODY_SECONDS }, async (chunk) => {
      if (size + chunk.length > mostBytes) throw rowsTooLarge();
      bytes.set(chunk, size);
      size += chunk.length;
    });
  }
  return bytes.subarray(0, size);
}

function rowsTooLarge(): ApiError {
  const detail =
    `The body may have at most ${formatByteLimit(MOST_LIVE_ROWS_BYTES)}. ` +
    "Send more rows as a file, or in several requests.";
  return new ApiError("BODY_TOO_LARGE", detail);
}
