// When to poll again: the field and the header of every progress, with one rule for all of them.
import { Type } from "@sinclair/typebox";

/** Seconds between two polls: a tenth of the time that the work has taken so far, within these bounds. */
const SHORTEST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 10;
const WAIT_SHARE = 0.1;

/** The field of a progress. `description` says what else its absence means. */
export function NextPoll(description: string) {
  return Type.Optional(
    Type.Integer({
      minimum: SHORTEST_WAIT_SECONDS,
      maximum: LONGEST_WAIT_SECONDS,
      description: `How long to wait before the next poll; absent once there is nothing more to wait for. ${description}`,
      "x-decision": "D115",
    }),
  );
}

/** For `answer.headers` of a route that gives the field. */
export const RETRY_AFTER = { "Retry-After": "The same as `nextPollAfterSeconds`; absent where that is." } as const;

/**
 * The wait for work that has taken this long, also as `Retry-After`; null, without the header, for work that has ended.
 *
 * @param elapsedSeconds null where the work has ended
 */
export function nextPoll(headers: Headers, elapsedSeconds: number | null): number | null {
  if (elapsedSeconds === null) return null;
  const wait = Math.ceil(elapsedSeconds * WAIT_SHARE);
  const seconds = Math.max(SHORTEST_WAIT_SECONDS, Math.min(LONGEST_WAIT_SECONDS, wait));
  headers.set("retry-after", String(seconds));
  return seconds;
}

/** Seconds since an instant of the database. */
export function secondsSince(instant: string, now: Date): number {
  return (now.getTime() - Date.parse(instant)) / 1_000;
}
