// Checks the disk of the state folder: free bytes, and free inodes.
import { statfsSync } from "node:fs";
import { formatBytes, formatCount } from "../common/format.ts";
import { type Finding, graded } from "./finding.ts";

/** `few`: not enough for one large upload and its result. `tooFew`: not enough for the database to work safely. */
const BYTES = { few: 2_000_000_000, tooFew: 200_000_000 };
const FILES = { few: 10_000, tooFew: 500 };

const REMEDY =
  "Free space: delete unneeded predictions and models, states that restores moved aside, or enlarge the disk.";

export function checkDisk(folder: string): Finding[] {
  const { bavail, bsize, blocks, files, ffree } = statfsSync(folder);
  return [roomFinding(bavail * bsize, blocks * bsize), ...(files === 0 ? [] : [fileFinding(ffree)])];
}

export function roomFinding(freeBytes: number, allBytes: number): Finding {
  return graded("disk", freeBytes, BYTES, `${formatBytes(freeBytes)} of ${formatBytes(allBytes)} are free.`, REMEDY);
}

export function fileFinding(freeFiles: number): Finding {
  return graded("inodes", freeFiles, FILES, `The disk has room for ${formatCount(freeFiles)} more files.`, REMEDY);
}
