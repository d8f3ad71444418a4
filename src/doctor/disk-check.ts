// Room on the disk of the state folder: bytes, and files that may still be made.
import { statfsSync } from "node:fs";
import { formatBytes, formatCount } from "../format.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Too little for one large upload with its result. */
const FEW_BYTES = 2_000_000_000;
/** Too little for the database to be safe in. */
const TOO_FEW_BYTES = 200_000_000;
const FEW_FILES = 10_000;
const TOO_FEW_FILES = 500;

const REMEDY =
  "Make room: delete predictions and models that nobody needs, states that restores moved aside, or enlarge the disk.";

export function checkDisk(folder: string): Finding[] {
  const { bavail, bsize, blocks, files, ffree } = statfsSync(folder);
  return [roomFinding(bavail * bsize, blocks * bsize), ...(files === 0 ? [] : [fileFinding(ffree)])];
}

export function roomFinding(freeBytes: number, allBytes: number): Finding {
  const text = `${formatBytes(freeBytes)} of ${formatBytes(allBytes)} are free.`;
  if (freeBytes < TOO_FEW_BYTES) return problem("disk", text, REMEDY);
  return freeBytes < FEW_BYTES ? warning("disk", text, REMEDY) : ok("disk", text);
}

export function fileFinding(freeFiles: number): Finding {
  const text = `${formatCount(freeFiles)} files more may be made.`;
  if (freeFiles < TOO_FEW_FILES) return problem("inodes", text, REMEDY);
  return freeFiles < FEW_FILES ? warning("inodes", text, REMEDY) : ok("inodes", text);
}
