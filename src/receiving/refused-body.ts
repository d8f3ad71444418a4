// Reads and discards the rest of a refused request's body, within bounds, so that the answer arrives: a connection that
// is closed while the client still sends is reset, and most clients then never read the answer.

import {
  LINGER_IDLE_SECONDS,
  LINGER_SECONDS,
  MOST_DISCARDED_BYTES,
  MOST_LINGERING,
  REFUSAL_WAIT_MS,
} from "../http/limits.ts";
import { eachChunk } from "./body-stream.ts";

export interface Bounds {
  /** Bytes that are discarded. */
  mostBytes: number;
  /** Longest pause between bytes; after this long the least pace of uploads applies too. */
  idleSeconds: number;
  mostSeconds: number;
  /** Bodies discarded at once; for others the connection is closed after the answer. */
  mostAtOnce: number;
}

const BOUNDS: Bounds = {
  mostBytes: MOST_DISCARDED_BYTES,
  idleSeconds: LINGER_IDLE_SECONDS,
  mostSeconds: LINGER_SECONDS,
  mostAtOnce: MOST_LINGERING,
};

/** Returns the response to send for a refusal. For `keepAlive` see `eachChunk`. */
export type SeeRefusalOut = (
  request: Request,
  response: Response,
  keepAlive: (seconds: number) => void,
) => Promise<Response>;

/**
 * A body that ends soon is read to its end, and the response is sent as it is. Otherwise the response goes out at once,
 * and its connection lingers: it is closed when the body has ended or a bound is reached. Never throws.
 */
export function createRefusals(bounds: Bounds = BOUNDS): SeeRefusalOut {
  let underWay = 0;
  return async (request, response, keepAlive) => {
    const { body } = request;
    if (body === null || body.locked) return response;
    if (underWay >= bounds.mostAtOnce) {
      response.headers.set("connection", "close");
      return response;
    }
    underWay++;
    const discarded = discard(body, bounds, keepAlive).finally(() => {
      underWay--;
    });
    if (await endsSoon(discarded)) return response;
    response.headers.set("connection", "close");
    return lingering(response, discarded);
  };
}

/** Resolves to whether all of the body came. */
async function discard(
  body: ReadableStream<Uint8Array>,
  { mostBytes, idleSeconds, mostSeconds }: Bounds,
  keepAlive: (seconds: number) => void,
): Promise<boolean> {
  let bytes = 0;
  try {
    await eachChunk(body, { keepAlive, idleSeconds, mostSeconds }, async (chunk) => {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error("enough");
    });
    return true;
  } catch {
    return false;
  }
}

async function endsSoon(discarded: Promise<boolean>): Promise<boolean> {
  const soon = Promise.withResolvers<boolean>();
  const timer = setTimeout(soon.resolve, REFUSAL_WAIT_MS, false);
  const isWhole = await Promise.race([discarded, soon.promise]);
  clearTimeout(timer);
  return isWhole;
}

/** The same answer, which ends after `until`: the runtime closes the connection at its end. */
function lingering(response: Response, until: Promise<boolean>): Response {
  const { status, headers, body } = response;
  const slow = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      if (body !== null) for await (const chunk of body) controller.enqueue(chunk);
      await until;
      // The client may have gone meanwhile.
      try {
        controller.close();
      } catch {}
    },
  });
  return new Response(slow, { status, headers });
}
