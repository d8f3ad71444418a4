// Limits failed logins per address and per user (D34).
import { RecentMap } from "../common/recent-map.ts";

export const MOST_FAILURES = 10;
export const FAILURE_WINDOW_SECONDS = 600;

/** Addresses remembered, and as many users: an attack cannot take more than a few MB. */
const REMEMBERED_SUBJECTS = 10_000;
/** Attempts that may wait for earlier ones to end; more are refused for a second. */
const MOST_WAITING = 500;
/** The longest e-mail address that can exist. */
const MOST_NAME_CHARACTERS = 254;

type Admission =
  | { admitted: true; end(outcome: "succeeded" | "failed" | "abandoned"): void }
  | { admitted: false; retryAfterSeconds: number };

export interface LoginLimit {
  /**
   * Whether a login may be tried. If admitted, call `end` exactly once: `failed` counts against
   * address and user, `succeeded` forgets the user's failures, `abandoned` (a fault of ours) does not
   * count. Attempts under way count as failures, so that at most ten passwords are checked however
   * many are sent at once; further attempts wait until one has ended.
   */
  admit(address: string, username: string): Promise<Admission>;
}

/** One address or one user. */
interface Subject {
  /** Times of its latest failures, oldest first; at most MOST_FAILURES. */
  failuresMs: number[];
  underWayCount: number;
}

/** A restart forgets it. `nowMs` must not run backwards. */
export function createLoginLimit(nowMs: () => number): LoginLimit {
  const addresses = new RecentMap<string, Subject>(REMEMBERED_SUBJECTS);
  const users = new RecentMap<string, Subject>(REMEMBERED_SUBJECTS);
  let waiting: (() => void)[] = [];

  return {
    admit: async (address, username) => {
      const network = networkOf(address);
      const name = username.trim().toLowerCase().slice(0, MOST_NAME_CHARACTERS);
      for (;;) {
        const subjects = [subjectOf(addresses, network), subjectOf(users, name)];
        const retryAfterSeconds = Math.max(...subjects.map((subject) => secondsToWait(subject, nowMs())));
        if (retryAfterSeconds > 0) return { admitted: false, retryAfterSeconds };
        if (subjects.every(hasRoom)) return { admitted: true, end: begin(subjects) };
        if (waiting.length >= MOST_WAITING) return { admitted: false, retryAfterSeconds: 1 };
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };

  function begin(subjects: readonly Subject[]) {
    for (const subject of subjects) subject.underWayCount++;
    return (outcome: "succeeded" | "failed" | "abandoned") => {
      for (const subject of subjects) subject.underWayCount--;
      const [, user] = subjects;
      if (outcome === "succeeded" && user) user.failuresMs = [];
      if (outcome === "failed") for (const subject of subjects) subject.failuresMs.push(nowMs());
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    };
  }
}

function subjectOf(subjects: RecentMap<string, Subject>, name: string): Subject {
  const known = subjects.get(name);
  if (known !== undefined) return known;
  const fresh = { failuresMs: [], underWayCount: 0 };
  subjects.set(name, fresh);
  return fresh;
}

/** Forgets failures that have left the window; 0 where fewer than MOST_FAILURES are left in it. */
function secondsToWait(subject: Subject, nowMs: number): number {
  const windowMs = FAILURE_WINDOW_SECONDS * 1_000;
  subject.failuresMs = subject.failuresMs.filter((failedMs) => failedMs + windowMs > nowMs);
  const [oldestMs] = subject.failuresMs;
  if (oldestMs === undefined || subject.failuresMs.length < MOST_FAILURES) return 0;
  return Math.ceil((oldestMs + windowMs - nowMs) / 1_000);
}

function hasRoom({ failuresMs, underWayCount }: Subject): boolean {
  return failuresMs.length + underWayCount < MOST_FAILURES;
}

/**
 * Failures are counted by IPv4 address, also if written as IPv6, or by the first 64
 * bits of an IPv6 address: one customer has all the rest.
 */
function networkOf(address: string): string {
  const [bare = ""] = address.toLowerCase().split("%", 1);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped !== null) return mapped[1]!;
  if (!bare.includes(":")) return bare;
  const [head = "", tail] = bare.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
