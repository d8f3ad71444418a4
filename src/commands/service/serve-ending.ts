// How a server ends: running work gets some time to finish, and the process ends within ten seconds in any case.
import { EXIT } from "../../common/exit-codes.ts";
import { within } from "../../jobs/job-run.ts";
import type { Log } from "../../log/log.ts";
import type { Listening } from "../../service/listen.ts";
import type { Service } from "../../service/service.ts";
import type { Console } from "../console.ts";

/** Time for open requests; then uploads and downloads are broken off, and nothing of them is kept. */
const ANSWERING_MS = 3_000;
const BREAKING_MS = 500;
/** Docker, for one, kills ten seconds after it asked. */
const ENDING_MS = 9_500;

interface Serving {
  service: Service;
  listening: Listening;
  backups: { stop(): Promise<void> } | null;
}

/**
 * `asked` resolves at the first request to end. A second request ends the process at once, which is safe: database and
 * journals are consistent at any moment, and interrupted jobs go on at the next start.
 */
export function onEnding(console: Console, log: Log): { asked: Promise<void>; release(): void } {
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    let isAsked = false;
    release = console.onInterrupt(() => {
      if (isAsked) exitNow(log, "asked twice", EXIT.interrupted);
      isAsked = true;
      resolve();
    });
  });
  return { asked, release };
}

/** Accepts no more requests and jobs, and waits a while for those that run. */
export async function endServing({ service, listening, backups }: Serving, log: Log): Promise<void> {
  log.info("service.stopping", { running: service.scheduler.running().length });
  // Unreferenced: it ends a process that something else keeps alive.
  setTimeout(() => exitNow(log, "took too long", EXIT.fault), ENDING_MS).unref();
  const answered = within(ANSWERING_MS, listening.stop()).then(() => within(BREAKING_MS, listening.stop(true)));
  await Promise.all([service.close(answered), backups?.stop()]);
}

function exitNow(log: Log, why: string, exitCode: number): never {
  log.warn("service.cut_off", { why });
  process.exit(exitCode);
}
