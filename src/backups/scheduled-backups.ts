// The backups that a running server makes of itself, each by a process of its
// own, so that copying gigabytes stalls no request.

import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { BackupOutcome } from "../../data/backup/take-backup.ts";
import { InputError } from "../../engine/input-error.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import type { BackupPlan } from "../service/config.ts";
import { BackupSchedule, type BackupServices, type MadeBackup } from "./schedule.ts";

/** How often the schedule is checked; one timer of many hours would not be exact. */
const LOOK_MS = 60_000;
/** Time for a process that is asked to end to clean up. */
const ENDING_MS = 5_000;

/** The running program, as a command. */
const OWN_PROGRAM = Bun.isStandaloneExecutable
  ? [process.execPath]
  : [process.execPath, fileURLToPath(new URL("../main.ts", import.meta.url))];

/** The answer of `cupel backup --json`. */
export type BackupAnswer = (BackupOutcome & { file: string }) | { error: { code: string; message: string } };

export interface ScheduledBackups {
  /** Begins no more backups; one that runs is ended, and nothing of it stays. */
  stop(): Promise<void>;
}

export function startBackups(
  plan: BackupPlan,
  dataFolder: string,
  listeners: Pick<BackupServices, "onMade" | "onFault">,
): ScheduledBackups {
  let child: Bun.Subprocess<"ignore", "pipe", "ignore"> | null = null;
  let isStopping = false;
  const make = async (file: string) => {
    if (isStopping) throw new Cancelled();
    child = Bun.spawn([...OWN_PROGRAM, "backup", file, "--data", dataFolder, "--json"], {
      env: withoutSettings(process.env),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    lowerPriority(child.pid);
    const printed = await child.stdout.text();
    const exitCode = await child.exited;
    child = null;
    if (isStopping) throw new Cancelled();
    return readAnswer(printed, exitCode);
  };
  const clocks = { now: () => new Date(), elapsedMs: () => performance.now() };
  const schedule = new BackupSchedule(plan, { make, ...clocks, ...listeners });
  schedule.beginIfDue();
  const timer = setInterval(() => schedule.beginIfDue(), LOOK_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      isStopping = true;
      if (child !== null) await endProcess(child);
      await schedule.underWay;
    },
  };
}

async function endProcess(child: Bun.Subprocess<"ignore", "pipe", "ignore">): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), ENDING_MS);
  await child.exited;
  clearTimeout(timer);
}

/** The process gets none of the server's settings, some of which are secret. */
function withoutSettings(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("CUPEL_")));
}

/** Requests and jobs go first. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system has no priorities.
  }
}

function readAnswer(printed: string, exitCode: number): MadeBackup {
  let answer: BackupAnswer;
  try {
    answer = JSON.parse(printed) as BackupAnswer;
  } catch {
    throw new Error(`the backup ended with exit code ${exitCode}`);
  }
  if ("error" in answer) throw new InputError(answer.error.code, answer.error.message);
  return answer;
}
