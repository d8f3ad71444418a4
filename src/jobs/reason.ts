// What the user of a job is told about why it failed.
import { InputError } from "../../engine/input-error.ts";
import type { JobServices } from "./job-run.ts";

const OUR_FAULT = "The service failed at this job through no fault of its input. Start it again; the log says more.";

/** About files that nobody but the service places: their paths are nobody's business. */
const CODES_WITH_PATHS: ReadonlySet<string> = new Set(["FILE_NOT_FOUND", "FILE_NOT_READABLE", "NOT_A_FILE"]);

/** The words of bad input, with its line and column; anything else is reported and told in general words. */
export function reasonOf(error: unknown, job: string, services: Pick<JobServices, "report">): string {
  if (error instanceof InputError && !CODES_WITH_PATHS.has(error.code)) return inputReason(error);
  services.report(error, job);
  return OUR_FAULT;
}

/** Most messages say the line and the column themselves. */
function inputReason({ message, line, column }: InputError): string {
  const places = [];
  if (line !== undefined && !new RegExp(`\\bline ${line}\\b`, "i").test(message)) places.push(`line ${line}`);
  if (column !== undefined && !message.includes(column)) places.push(`column "${column}"`);
  return places.length === 0 ? message : `${message} (${places.join(", ")})`;
}
