// Waits for a disk or a quota: a job's result is not lost because there is no room for it for a while.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { writeWhole } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { formatCount } from "../common/format.ts";
import { MIB } from "../common/memory-budget.ts";
import { QuotaExceeded } from "../storage/quotas.ts";
import { STORAGE_WORDS, type StorageFault, storageFault } from "../storage/storage-fault.ts";
import { isCancelledRun, type JobRun, type JobServices } from "./job-run.ts";

const RETRY_MS = 2_000;
/** Least space to wait for where the size of the result is not known; most models are smaller. */
const TRIAL_BYTES = MIB;
/** Most that is written to see whether the disk takes it: a limit of the system shows only so. */
const MOST_TRIAL_BYTES = 64 * MIB;

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
 * True once the disk accepts `neededBytes` again; false if the program ends first or the user cancels. Meanwhile the
 * run tells why it waits. Rejects with any fault that is none of the disk.
 */
export async function hasRoom(
  run: JobRun,
  { state, room }: Pick<JobServices, "state" | "room">,
  neededBytes: number,
  fault: StorageFault,
): Promise<boolean> {
  const bytes = Math.max(TRIAL_BYTES, neededBytes);
  const path = state.locate(statePaths.file(randomUUID()));
  run.waitingReason = waitingText(fault, bytes);
  try {
    while (!run.isSuspended && !isCancelledRun(run)) {
      await Bun.sleep(RETRY_MS);
      try {
        room.require(bytes);
        if (state.freeBytes() < bytes) continue;
        await writeWhole(path, new Uint8Array(Math.min(bytes, MOST_TRIAL_BYTES)));
        await rm(path);
        return !run.isSuspended && !isCancelledRun(run);
      } catch (error) {
        if (storageFault(error) === null) throw error;
      }
    }
    return false;
  } finally {
    run.waitingReason = null;
  }
}

/**
 * Reserves room for the files of a job that has done its work, once there is some; the returned function frees it.
 * Meanwhile the run tells why it waits, and needs no memory. `isOver` ends the wait, as the end of the program does.
 *
 * @throws Cancelled where the wait ends without room
 */
export async function heldRoom(
  run: JobRun,
  { quotas }: Pick<JobServices, "quotas">,
  { userKey, bytes, isOver }: { userKey: string; bytes: number; isOver: () => boolean },
): Promise<() => void> {
  try {
    for (;;) {
      try {
        return quotas.hold(userKey, bytes);
      } catch (error) {
        run.waitingReason = noRoomText(error, bytes);
      }
      run.memory.release();
      await Bun.sleep(RETRY_MS);
      if (run.isSuspended || isOver()) throw new Cancelled();
    }
  } finally {
    run.waitingReason = null;
  }
}

/** @throws `error` where it is about no room */
function noRoomText(error: unknown, bytes: number): string {
  if (error instanceof QuotaExceeded) {
    return `QUOTA_EXCEEDED: ${error.message} The job has done its work and waits for that room.`;
  }
  const fault = storageFault(error);
  if (fault === null) throw error;
  return waitingText(fault, bytes);
}

function waitingText(fault: StorageFault, bytes: number): string {
  const words = STORAGE_WORDS[fault];
  if (fault !== "STORAGE_FULL") return `${fault}: ${words} The job ends once its result can be written.`;
  return `${fault}: ${words} The job waits for room: ${formatCount(Math.ceil(bytes / MIB))} MiB. Delete what nobody needs.`;
}
