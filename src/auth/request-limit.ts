// A token bucket limits the requests of one credential, so that a runaway client leaves room for others (D34).
import { RecentMap } from "../common/recent-map.ts";

/** Far above what polling needs, and below what would slow down others. */
export const DEFAULT_REQUESTS_PER_MINUTE = 120_000;
const MOST_CREDENTIALS = 10_000;
const MINUTE_MS = 60_000;

export interface RequestLimit {
  readonly perMinute: number;
  /** Counts a request of a credential. Null if it may go on, else the seconds to wait. */
  admit(credentialKey: string): number | null;
}

interface Bucket {
  /** Requests that may come at once. */
  left: number;
  atMs: number;
}

/** A minute's worth may come at once, then evenly. Forgets the least recently used credentials. */
export function createRequestLimit(nowMs: () => number, perMinute: number): RequestLimit {
  const buckets = new RecentMap<string, Bucket>(MOST_CREDENTIALS);
  return {
    perMinute,
    admit: (credentialKey) => {
      const atMs = nowMs();
      const known = buckets.get(credentialKey) ?? { left: perMinute, atMs };
      const refilled = known.left + (Math.max(0, atMs - known.atMs) * perMinute) / MINUTE_MS;
      const tokensLeft = Math.min(perMinute, refilled);
      const isAdmitted = tokensLeft >= 1;
      buckets.set(credentialKey, { left: isAdmitted ? tokensLeft - 1 : tokensLeft, atMs });
      return isAdmitted ? null : Math.max(1, Math.ceil(((1 - tokensLeft) * MINUTE_MS) / perMinute / 1000));
    },
  };
}
