// Checks the disk of the state folder: free bytes, and free inodes.
import { statfsSync } from "node:fs";
import { formatBytes, formatCount } from "../format.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Not enough for one large upload and its result. */
const FEW_BYTES = 2_000_000_000;
/** Not enough for the database to work safely. */
const TOO_FEW_BYTES = 200_000_000;
const FEW_FILES = 10_000;
const TOO_FEW_FILES = 500;

const REMEDY =
  "Free space: delete unneeded predictions and models, states that restores moved aside, or enlarge the disk.";

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
  const text = `The disk has room for ${formatCount(freeFiles)} more files.`;
  if (freeFiles < TOO_FEW_FILES) return problem("inodes", text, REMEDY);
  return freeFiles < FEW_FILES ? warning("inodes", text, REMEDY) : ok("inodes", text);
}
