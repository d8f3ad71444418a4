// The frame of every flow: works, writes the job's end to the database, removes
// files that no row names, and frees what was held.
import { rm } from "node:fs/promises";
import type { UnitJournal } from "../../data/files/unit-journal.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { type StorageFault, storageFault } from "../storage/storage-fault.ts";
import { newJobControl } from "../work/job-control.ts";
import { cancelRun, type JobRun, type JobServices } from "./job-run.ts";
import { hasRoom, untilWritten } from "./written.ts";

/** Tries of work that meets a full disk. */
const MOST_TRIES = 4;

/** Things that the flow holds while it works; the frame frees them. */
export interface Held {
  /** Removed once the end is written, else closed for the next start; null where the flow has none. */
  journal: UnitJournal | null;
  /** Release the quota of files: the database counts them itself once a row names them. */
  releases: (() => void)[];
  /** Files and folders that the flow may have placed, by their paths in the state folder. */
  files: string[];
  /** Size of the result; 0 until it is known. */
  neededBytes: number;
}

/** REFUSED: the job was deleted or ended meanwhile. Otherwise those of the held files that rows now name. */
type Written = "REFUSED" | readonly string[];

/** Writes the end of a job to the database. */
export type JobEnd = () => Written;

export interface Flow {
  /** Kind and key, for reports. */
  job: string;
  /** Null where the job has to wait and begin again. Called again after a full disk, with what is still held. */
  work(held: Held): Promise<JobEnd | null>;
  /** The end of a job whose work threw this; reports a fault of ours. */
  failed(error: unknown): JobEnd;
}

/** The end that a conditional write of the data layer makes; `named` holds where it returns true. */
export function jobEnd(write: () => boolean, named: readonly string[] = []): JobEnd {
  return () => (write() ? named : "REFUSED");
}

/**
 * Runs a flow to its end. If the program ends first, the job, its journal and its files stay as they are for the next
 * start. Rejects only where the database fails for a reason other than a full or failing disk.
 */
export async function runToEnd(run: JobRun, services: JobServices, flow: Flow): Promise<void> {
  const held: Held = { journal: null, releases: [], files: [], neededBytes: 0 };
  let written: Written | "LATER" = "LATER";
  try {
    const end = await endAfterTries(run, services, flow, held);
    if (end === null || run.isSuspended) return;
    written = (await untilWritten(run, flow.job, services, end)) ?? "LATER";
    if (written === "LATER") return;
    const named = written === "REFUSED" ? [] : written;
    await remove(
      held.files.filter((path) => !named.includes(path)),
      flow.job,
      services,
    );
  } finally {
    for (const release of held.releases) release();
    if (written === "LATER" || written === "REFUSED") held.journal?.close();
    else held.journal?.remove();
  }
}

async function endAfterTries(
  run: JobRun,
  services: JobServices,
  flow: Flow,
  held: Held,
  triesLeft = MOST_TRIES,
): Promise<JobEnd | null> {
  try {
    return await flow.work(held);
  } catch (error) {
    if (run.isSuspended) return null;
    if (run.isDropped) return jobEnd(() => false);
    const end = flow.failed(error);
    const fault = storageFault(error);
    // Without a journal, another try would keep nothing of this one.
    if (fault === null || held.journal === null || triesLeft === 1) return end;
    try {
      if (!(await hasRoomAgain(run, services, held, fault))) {
        return run.isSuspended ? null : flow.failed(new Cancelled());
      }
    } catch (other) {
      return flow.failed(other);
    }
    return endAfterTries(run, services, flow, held, triesLeft - 1);
  }
}

/** Ends what is left of work that met a full disk, and waits. False if the program ends or the user cancels. */
function hasRoomAgain(run: JobRun, services: JobServices, held: Held, fault: StorageFault): Promise<boolean> {
  for (const release of held.releases.splice(0)) release();
  cancelRun(run);
  // The old flags are set now; the new ones serve the user's cancel.
  run.control = newJobControl(run.control.startMs);
  return hasRoom(run, services, held.neededBytes, fault);
}

/** Only reports files that cannot be removed: the next start removes them. */
async function remove(paths: readonly string[], job: string, { state, report }: JobServices): Promise<void> {
  try {
    for (const path of paths) await rm(state.locate(path), { recursive: true, force: true });
  } catch (error) {
    report(error, job);
  }
}
