// Waits for a disk or a quota: a job's result is not lost because there is no room for it for a while.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { writeWhole } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { MIB } from "../memory-budget.ts";
import { QuotaExceeded } from "../storage/quotas.ts";
import { STORAGE_WORDS, type StorageFault, storageFault } from "../storage/storage-fault.ts";
import type { JobRun, JobServices } from "./job-run.ts";

const RETRY_MS = 2_000;
/** Least space to wait for where the size of the model is not known; most models are smaller. */
const TRIAL_BYTES = MIB;

/**
 * Retries `write` until the disk accepts it and returns its result. Reports the first failure, and the run tells why it
 * waits. Null if the program ends first: the job continues at the next start. Rejects with any other fault.
 */
export async function untilWritten<T>(
  run: JobRun,
  job: string,
  { report, database }: Pick<JobServices, "report" | "database">,
  write: () => T,
): Promise<T | null> {
  for (;;) {
    try {
      return database.write(write);
    } catch (error) {
      const fault = storageFault(error);
      if (fault === null) throw error;
      if (run.waitingReason === null) report(error, job);
      run.waitingReason = waitingText(fault, TRIAL_BYTES);
    }
    if (run.isSuspended) return null;
    await Bun.sleep(RETRY_MS);
  }
}

/**
 * True once the disk accepts `neededBytes` again; false if the program ends first, the user cancels, or `endMs` of the
 * monotonic clock comes. Meanwhile the run tells why it waits.
 */
export async function hasRoom(
  run: JobRun,
  { state, room }: Pick<JobServices, "state" | "room">,
  { endMs, neededBytes, fault }: { endMs: number; neededBytes: number; fault: StorageFault },
): Promise<boolean> {
  const bytes = Math.max(TRIAL_BYTES, neededBytes);
  const path = state.locate(statePaths.file(randomUUID()));
  const { attemptsFlag } = run.control;
  run.waitingReason = waitingText(fault, bytes);
  try {
    do {
      await Bun.sleep(RETRY_MS);
      try {
        room.require(bytes);
        await writeWhole(path, new Uint8Array(bytes));
        await rm(path);
        return !run.isSuspended;
      } catch {
        // Not yet.
      }
    } while (!run.isSuspended && attemptsFlag[0] === 0 && performance.now() < endMs);
    return false;
  } finally {
    run.waitingReason = null;
  }
}

/**
 * Reserves room in the quotas for files, once there is some; the returned function frees it. Meanwhile the run tells
 * why it waits. `isOver` ends the wait, as the end of the program does.
 *
 * @throws QuotaExceeded where the wait ends without room, or the fault of a full disk
 */
export async function heldInQuota(
  run: JobRun,
  { quotas }: Pick<JobServices, "quotas">,
  { userKey, bytes, isOver }: { userKey: string; bytes: number; isOver: () => boolean },
): Promise<() => void> {
  try {
    for (;;) {
      try {
        return quotas.hold(userKey, bytes);
      } catch (error) {
        if (!(error instanceof QuotaExceeded) || run.isSuspended || isOver()) throw error;
        run.waitingReason = `QUOTA_EXCEEDED: ${error.message} The job has done its work and waits for that room.`;
      }
      await Bun.sleep(RETRY_MS);
    }
  } finally {
    run.waitingReason = null;
  }
}

function waitingText(fault: StorageFault, bytes: number): string {
  const words = STORAGE_WORDS[fault];
  if (fault !== "STORAGE_FULL") return `${fault}: ${words} The job ends once its result can be written.`;
  return `${fault}: ${words} The job waits for room: ${Math.ceil(bytes / MIB)} MiB. Delete what nobody needs.`;
}
