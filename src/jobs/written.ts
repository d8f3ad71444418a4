// Waiting for a disk: what a job came to is not lost because nothing can be written at that moment.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { writeWhole } from "../../data/file-store.ts";
import { statePaths } from "../../data/state-folder.ts";
import { storageFault } from "../storage-fault.ts";
import type { JobRun, JobServices } from "./job-run.ts";

const RETRY_MS = 2_000;
/** Written to see whether there is room for a model. */
const TRIAL_BYTES = 4 * 1024 * 1024;

/**
 * What `write` gives, once it does not fail for want of a disk: it is tried until then, and the first failure reported. Null
 * where the program ends before: the job goes on at the next start. Rejects with any other fault.
 */
export async function untilWritten<T>(
  run: JobRun,
  job: string,
  { report }: Pick<JobServices, "report">,
  write: () => T,
): Promise<T | null> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return write();
    } catch (error) {
      if (storageFault(error) === null) throw error;
      if (isFirst) report(error, job);
    }
    if (run.isSuspended) return null;
    await Bun.sleep(RETRY_MS);
  }
}

/** True once the disk takes a file again; false where the program ends before, or `endMs` of the job's clock comes. */
export async function hasRoom(run: JobRun, { state }: Pick<JobServices, "state">, endMs: number): Promise<boolean> {
  const path = state.locate(statePaths.file(randomUUID()));
  do {
    await Bun.sleep(RETRY_MS);
    try {
      await writeWhole(path, new Uint8Array(TRIAL_BYTES));
      await rm(path);
      return !run.isSuspended;
    } catch {
      // Not yet.
    }
  } while (!run.isSuspended && performance.now() < endMs);
  return false;
}
