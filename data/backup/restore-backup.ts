// Restores a backup: it is unpacked beside the state and checked whole before anything of the state is touched.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { DATABASE_FILE } from "../database/database.ts";
import { flushToDisk } from "../files/private-file.ts";
import { makeStateFolder } from "../files/state-folder.ts";
import { acquireStateLock } from "../files/state-lock.ts";
import type { BackupAbout } from "./backup-format.ts";
import { checkRestored } from "./check-restored.ts";
import { type Backup, readBackup } from "./read-backup.ts";
import { isHalfRestored, replaceState, type SettledRestore, settleRestore, WAITING_FOLDER } from "./restore-swap.ts";
import { namingDiskFault, requireRoom } from "./room.ts";

const OTHERWISE = "name another folder with --data";

export interface RestoreRequest {
  /** The backup. */
  file: string;
  /** The state folder, absolute; made where it is not there. */
  folder: string;
  /** Whether a state that is there may be moved aside. */
  replace: boolean;
  now: Date;
  /** Aborted: all is cleaned up and its reason thrown, unless the backup has begun to count. */
  signal: AbortSignal;
}

export interface RestoreOutcome {
  about: BackupAbout;
  fileCount: number;
  sizeBytes: number;
  /** The folder that the earlier state is in; null where there was none. */
  asideFolder: string | null;
  /** Files that rows name and that the backup lacks or holds altered, as the folder did that it was made of. */
  faultyFiles: string[];
  /** An earlier, interrupted restore that this one ended first. */
  settled: SettledRestore | null;
}

/**
 * The state folder holds what the backup held when this resolves, in the form of the program that made it: the next
 * start migrates it. The earlier state is in a folder within, which nobody deletes.
 *
 * @throws InputError where a server works in the folder, it belongs to another user or has a state and `replace` is not
 *   set, there is no room, or the backup is damaged, of a newer version, or not made by this program; the state is then
 *   as it was
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreOutcome> {
  const { file, folder, replace, now, signal } = request;
  const isNew = !existsSync(folder);
  if (!isNew) requireOwner(folder);
  const lock = acquireStateLock(makeStateFolder(folder));
  let isDone = false;
  try {
    const settled = settleRestore(folder);
    if (!replace) refuseState(folder);
    requireRoom(folder, statSync(file, { throwIfNoEntry: false })?.size ?? 0, OTHERWISE);
    const waiting = join(folder, WAITING_FOLDER);
    const { about, files } = await unpack(file, waiting, signal);
    const sizeBytes = [...files.values()].reduce((sum, stored) => sum + stored.sizeBytes, 0);
    const faultyFiles = checkRestored(waiting, files, file);
    flushFolders(waiting);
    const aside = replaceState(folder, now);
    isDone = true;
    const asideFolder = aside === null ? null : join(folder, aside);
    return { about, fileCount: files.size, sizeBytes, asideFolder, faultyFiles, settled };
  } catch (error) {
    throw namingDiskFault(error, folder, OTHERWISE);
  } finally {
    // Once it counts, what was unpacked is the state.
    if (!isDone && !isHalfRestored(folder)) {
      rmSync(isNew ? folder : join(folder, WAITING_FOLDER), { recursive: true, force: true });
    }
    lock.release();
  }
}

/** Files of another user, such as root, would lock the server out. Windows has no such users. */
function requireOwner(folder: string): void {
  const { uid } = statSync(folder);
  if (process.getuid === undefined || process.getuid() === uid) return;
  throw new InputError(
    "OTHER_OWNER",
    `${folder} belongs to another user, of number ${uid}. Run this as that user, say with: ` +
      `sudo -u '#${uid}' cupel restore …`,
  );
}

function refuseState(folder: string): void {
  if (!existsSync(join(folder, DATABASE_FILE))) return;
  throw new InputError(
    "STATE_EXISTS",
    `${folder} has a state already. With --replace it is moved aside, into a folder within; ` +
      "or name a new folder with --data.",
  );
}

function unpack(file: string, waiting: string, signal: AbortSignal): Promise<Backup> {
  for (const name of ["files", "results", "models", "journals"]) {
    mkdirSync(join(waiting, name), { recursive: true, mode: 0o700 });
  }
  return readBackup(file, signal, async (statePath) => {
    const path = join(waiting, statePath);
    if (statePath.startsWith("models/")) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  });
}

/** Puts the names of all files on the disk. */
function flushFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) flushFolders(join(folder, entry.name));
  }
  flushToDisk(folder);
}
