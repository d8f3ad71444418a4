// Puts a restored state in the place of the present one. If the process is killed, the next one finishes.
//
// The restored files wait in `restoring/` of the state folder, whole and on the disk. Writing `restore.json`
// makes them count: from then on there is no way back, and whoever next holds the lock goes on. First the
// present state moves into `before-restore-…/`, then the waiting files move in. All of it stays within the
// folder, which may be a mount of its own. Nothing is copied or deleted.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { flushToDisk, replacePrivateFile } from "../files/private-file.ts";

/** Where restored files wait. */
export const WAITING_FOLDER = "restoring";
const MARKER = "restore.json";

/** The files of a state; anything else in the folder stays where it is. */
const STATE_NAME =
  /^(?:cupel\.db(?:-wal|-shm|-journal)?|cupel-before-\d+\.db|secret\.key|uploads|files|results|models|journals)$/;
const ASIDE_NAME = /^before-restore-[\d-]+$/;

interface Marker {
  /** "out": the present state moves aside. "in": the waiting files move in. */
  phase: "out" | "in";
  aside: string;
}

/**
 * Makes the waiting files, which are on the disk, the state. Returns the name of the folder with the earlier state;
 * null where there was none. Under the folder's lock.
 *
 * @throws InputError where parts of the state lie on other disks, before anything is moved
 */
export function replaceState(folder: string, now: Date): string | null {
  const aside = beginSwap(folder, now);
  for (const _ of swapSteps(folder));
  return existsSync(join(folder, aside)) ? aside : null;
}

/** The outcome of a restore that was interrupted. */
export interface SettledRestore {
  /** "cleared" where it had not begun to count: the state is as it was. */
  outcome: "finished" | "cleared";
  /** The name of the folder that the earlier state is in; null where there was none. */
  aside: string | null;
}

/**
 * Finishes a killed restore, or removes its files if they did not count yet. Under the folder's lock, before anything
 * of the folder is opened. Null where there was none.
 */
export function settleRestore(folder: string): SettledRestore | null {
  rmSync(join(folder, `${MARKER}.part`), { force: true });
  const marker = readMarker(folder);
  if (marker !== null) {
    for (const _ of swapSteps(folder));
    return { outcome: "finished", aside: existsSync(join(folder, marker.aside)) ? marker.aside : null };
  }
  const waiting = join(folder, WAITING_FOLDER);
  if (!existsSync(waiting)) return null;
  rmSync(waiting, { recursive: true });
  return { outcome: "cleared", aside: null };
}

/** Whether a restore has begun to count and not ended. */
export function isHalfRestored(folder: string): boolean {
  return existsSync(join(folder, MARKER));
}

/** For commands that do not hold the lock. @throws InputError RESTORE_UNFINISHED */
export function refuseHalfRestored(folder: string): void {
  if (!isHalfRestored(folder)) return;
  throw new InputError(
    "RESTORE_UNFINISHED",
    `A restore of ${folder} runs or was interrupted. Wait for it, or start \`cupel serve\`: that ends it.`,
  );
}

/** Begins the swap; returns the name of the folder for the present state. */
export function beginSwap(folder: string, now: Date): string {
  const { dev } = statSync(folder);
  for (const name of stateNames(folder)) {
    if (lstatSync(join(folder, name)).dev === dev) continue;
    throw new InputError(
      "STATE_SPLIT",
      `${join(folder, name)} is on another disk than ${folder}, so it cannot be moved aside. ` +
        "Restore into a new folder.",
    );
  }
  const stem = `before-restore-${now.toISOString().replace(/[-:]/g, "").slice(0, 15).replace("T", "-")}`;
  let aside = stem;
  for (let number = 2; existsSync(join(folder, aside)); number++) aside = `${stem}-${number}`;
  writeMarker(folder, { phase: "out", aside });
  return aside;
}

/**
 * Goes on from the marker, one step at a time. A crash may lose the latest steps: each
 * can be repeated, and repeating one undoes no other.
 */
export function* swapSteps(folder: string): Generator<void> {
  const marker = readMarker(folder);
  if (marker === null) return;
  const aside = join(folder, marker.aside);
  const waitingFolder = join(folder, WAITING_FOLDER);
  if (marker.phase === "out") {
    for (const name of stateNames(folder)) {
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      renameSync(join(folder, name), join(aside, name));
      yield;
    }
    if (existsSync(aside)) flushToDisk(aside);
    flushToDisk(folder);
    writeMarker(folder, { ...marker, phase: "in" });
    yield;
  }
  for (const name of existsSync(waitingFolder) ? readdirSync(waitingFolder) : []) {
    moveIn(join(waitingFolder, name), join(folder, name));
    yield;
  }
  flushToDisk(folder);
  rmSync(waitingFolder, { recursive: true, force: true });
  yield;
  rmSync(join(folder, MARKER));
  flushToDisk(folder);
}

/** Replaces an empty folder, which an older program may have made meanwhile. */
function moveIn(from: string, to: string): void {
  const found = lstatSync(to, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && readdirSync(to).length === 0)) {
    renameSync(from, to);
    return;
  }
  throw new InputError(
    "RESTORE_BLOCKED",
    `The restored ${from} cannot take its place: somebody made ${to} meanwhile. Move that away and start again.`,
  );
}

function stateNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => STATE_NAME.test(name));
}

function readMarker(folder: string): Marker | null {
  const path = join(folder, MARKER);
  if (!existsSync(path)) return null;
  try {
    const { phase, aside } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    const isKnown = (phase === "out" || phase === "in") && typeof aside === "string" && ASIDE_NAME.test(aside);
    if (isKnown) return { phase, aside };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InputError(
    "RESTORE_UNREADABLE",
    `${path} was not written by this program. The state is in ${folder} or in its newest ` +
      `before-restore-… folder: put it in order by hand, then delete ${path}.`,
  );
}

function writeMarker(folder: string, marker: Marker): void {
  replacePrivateFile(join(folder, MARKER), JSON.stringify(marker));
}
