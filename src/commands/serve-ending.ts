// How a server ends: what is under way gets its time, and the process ends within ten seconds whatever becomes of it.
import { EXIT } from "../exit-codes.ts";
import type { Listening } from "../listen.ts";
import type { Log } from "../log/log.ts";
import type { Service } from "../service.ts";
import type { Console } from "./console.ts";

/** For requests under way; what is still being received or sent then is broken off, and nothing of it kept. */
const ANSWERING_MS = 3_000;
const BREAKING_MS = 500;
/** Supervisors kill after ten seconds. */
const ENDING_MS = 9_500;

interface Serving {
  service: Service;
  listening: Listening;
  backups: { stop(): Promise<void> } | null;
}

/**
 * `asked` resolves at the first request to end. The second ends the process at once: the database and the journals are whole
 * at any moment, and what was under way goes on at the next start.
 */
export function hearEnding(console: Console, log: Log): { asked: Promise<void>; release(): void } {
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    let isAsked = false;
    release = console.onInterrupt(() => {
      if (isAsked) leave(log, "asked twice", EXIT.interrupted);
      isAsked = true;
      resolve();
    });
  });
  return { asked, release };
}

/** Takes no more requests and no more jobs; those under way have their time side by side. */
export async function endServing({ service, listening, backups }: Serving, log: Log): Promise<void> {
  log.info("service.stopping", { running: service.scheduler.running().length });
  // Does not keep the process: it is for what does.
  setTimeout(() => leave(log, "took too long", EXIT.fault), ENDING_MS).unref();
  const answered = within(ANSWERING_MS, listening.stop()).then(() => within(BREAKING_MS, listening.stop(true)));
  await Promise.all([service.close(answered), backups?.stop()]);
}

function leave(log: Log, why: string, exitCode: number): never {
  log.warn("service.cut_off", { why });
  process.exit(exitCode);
}

/** Resolves with the work, or after so long. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, tooLate]);
  clearTimeout(timer);
}
