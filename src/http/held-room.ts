// Reserves quota for a body by its announced length, before any of it is read.
import type { Quotas } from "../storage/quotas.ts";

/**
 * Reserves room for a body while `receive` runs; after that a row names the file, and the quota counts the row. A body of
 * unknown length counts as `mostBytes`.
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
