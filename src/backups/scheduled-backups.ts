// The backups that a running server makes of itself.
import type { BackupPlan } from "../config.ts";
import { backupProcesses } from "./backup-process.ts";
import { BackupSchedule, type BackupServices } from "./schedule.ts";

/** How often the schedule is looked at; a timer of days would not count them right. */
const LOOK_MS = 60_000;

export interface ScheduledBackups {
  /** No more are begun, and nothing stays of one under way. */
  stop(): Promise<void>;
}

export function startBackups(
  plan: BackupPlan,
  dataFolder: string,
  { onMade, onFault }: Pick<BackupServices, "onMade" | "onFault">,
): ScheduledBackups {
  const processes = backupProcesses(dataFolder);
  const schedule = new BackupSchedule(plan, {
    make: processes.make,
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    onMade,
    onFault,
  });
  schedule.look();
  const timer = setInterval(() => schedule.look(), LOOK_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await processes.stop();
      await schedule.underWay;
    },
  };
}
