// The frame of every flow: works, writes the job's end to the database, removes
// files that no row names, and frees what was held.
import { rm } from "node:fs/promises";
import type { UnitJournal } from "../../data/files/unit-journal.ts";
import type { JobRun, JobServices } from "./job-run.ts";
import { untilWritten } from "./written.ts";

/** Things that the flow holds while it works; the frame frees them. */
export interface Held {
  /** Removed once the end is written, else closed for the next start; null where the flow has none. */
  journal: UnitJournal | null;
  /** Release the quota of files: the database counts them itself once a row names them. */
  releases: (() => void)[];
  /** Files and folders that the flow may have placed, by their paths in the state folder. */
  files: string[];
}

/** REFUSED: the job was deleted or ended meanwhile. Otherwise those of the held files that rows now name. */
type Written = "REFUSED" | readonly string[];

/** Writes the end of a job to the database. */
export type JobEnd = () => Written;

export interface Flow {
  /** Kind and key, for reports. */
  job: string;
  /** Null where the job has to wait and begin again. */
  work(held: Held): Promise<JobEnd | null>;
  /** The end of a job whose work threw this. */
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
  const held: Held = { journal: null, releases: [], files: [] };
  let written: Written | "LATER" = "LATER";
  try {
    const end = await endOf(run, flow, held);
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

async function endOf(run: JobRun, { work, failed }: Flow, held: Held): Promise<JobEnd | null> {
  try {
    return await work(held);
  } catch (error) {
    if (run.isSuspended) return null;
    return run.isDropped ? jobEnd(() => false) : failed(error);
  }
}

/** Only reports files that cannot be removed: the next start removes them. */
async function remove(paths: readonly string[], job: string, { state, report }: JobServices): Promise<void> {
  try {
    for (const path of paths) await rm(state.locate(path), { recursive: true, force: true });
  } catch (error) {
    report(error, job);
  }
}
