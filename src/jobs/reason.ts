// The reason of a failed job, in words for its user.
import { InputError } from "../../engine/input-error.ts";
import { OutOfTime } from "../../engine/stop-signal.ts";
import { WorkerLost } from "../../workers/pool.ts";
import { MemoryExceeded } from "../common/memory-budget.ts";
import { QuotaExceeded } from "../storage/quotas.ts";
import { STORAGE_WORDS, storageFault } from "../storage/storage-fault.ts";
import type { JobServices } from "./job-run.ts";

const OUR_FAULT = "The service failed at this job; its input is not at fault. Start it again; the log says more.";
const THREAD_LOST =
  "WORKER_LOST: a thread of the service died three times at the same piece of this work, " +
  "most likely because memory ran out. Send fewer rows or columns, " +
  "or give the server more memory, and start it again.";
const HANGING = "OUT_OF_TIME: a piece of this work took far too long. Send fewer rows or columns.";

/** These messages contain paths inside the state folder, which users must not see. */
const CODES_WITH_PATHS: ReadonlySet<string> = new Set(["FILE_NOT_FOUND", "FILE_NOT_READABLE", "NOT_A_FILE"]);

/**
 * The message of bad input, with line and column, or of a quota. Other errors are reported, and told in general words.
 */
export function reasonOf(error: unknown, job: string, services: Pick<JobServices, "report">): string {
  if (error instanceof MemoryExceeded) return `${error.code}: ${error.message}`;
  if (isBadInput(error)) return inputReason(error);
  if (error instanceof QuotaExceeded) return `QUOTA_EXCEEDED: ${error.message}`;
  services.report(error, job);
  if (error instanceof WorkerLost) return THREAD_LOST;
  if (error instanceof OutOfTime) return HANGING;
  const fault = storageFault(error);
  return fault === null ? OUR_FAULT : `${fault}: ${STORAGE_WORDS[fault]} Start this again once that is fixed.`;
}

/** The code of bad input; null for any other error. */
export function inputCodeOf(error: unknown): string | null {
  return isBadInput(error) ? error.code : null;
}

function isBadInput(error: unknown): error is InputError {
  return error instanceof InputError && !CODES_WITH_PATHS.has(error.code);
}

/** Adds line and column where the message does not contain them. */
function inputReason({ message, line, column }: InputError): string {
  const places = [];
  if (line !== undefined && !new RegExp(`\\bline ${line}\\b`, "i").test(message)) places.push(`line ${line}`);
  if (column !== undefined && !message.includes(column)) places.push(`column "${column}"`);
  return places.length === 0 ? message : `${message} (${places.join(", ")})`;
}
