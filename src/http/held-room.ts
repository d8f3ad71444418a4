// Room for a body that is about to be received: asked for by what its headers promise, before anything of it is read.
import type { Quotas } from "../storage/quotas.ts";

/**
 * Receives a body with room kept for all of it until `receive` has ended, by when a row names what came. A body that does not
 * say its length is taken for as large as it may be.
 *
 * @throws QuotaExceeded
 */
export async function withRoom<T>(
  quotas: Pick<Quotas, "hold">,
  userKey: string,
  { headers }: Request,
  mostBytes: number,
  receive: () => Promise<T>,
): Promise<T> {
  const promised = headers.get("content-length");
  const release = quotas.hold(userKey, promised === null ? mostBytes : Number(promised));
  try {
    return await receive();
  } finally {
    release();
  }
}
