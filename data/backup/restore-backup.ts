// Restores a backup: all of it is read and checked before anything of the state folder is touched.
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
import { readBackup } from "./read-backup.ts";
import { isHalfRestored, replaceState, type SettledRestore, settleRestore, WAITING_FOLDER } from "./restore-swap.ts";
import { namingDiskFault, requireRoom } from "./room.ts";

/** What a file takes beside its bytes, at most: half a block, and its share of folders. */
const BYTES_PER_FILE = 8_192;
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
  /** Files that rows name and that the backup lacks, or holds otherwise: so was the folder that it was made of. */
  faultyFiles: string[];
  /** An earlier one that had been interrupted, and is ended now. */
  settled: SettledRestore | null;
}

/**
 * The state folder holds what the backup held when this resolves, in the form of the program that made it: the next start
 * migrates it. The earlier state is in a folder within, which nobody deletes. Takes the room of the backup once more.
 *
 * @throws InputError where a server works in the folder, it belongs to another user or has a state and `replace` is not set,
 *   there is no room, or the backup is damaged, of a newer version, or not made by this program; the state is then as it was
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreOutcome> {
  const { folder, replace, now, signal } = request;
  const isNew = !existsSync(folder);
  if (!isNew) requireOwner(folder);
  const lock = acquireStateLock(makeStateFolder(folder));
  let isDone = false;
  try {
    const settled = settleRestore(folder);
    if (!replace) refuseState(folder);
    const { about, files } = await readBackup(request.file, signal);
    const sizeBytes = [...files.values()].reduce((sum, file) => sum + file.sizeBytes, 0);
    requireRoom(folder, sizeBytes + files.size * BYTES_PER_FILE, files.size, OTHERWISE);
    const waiting = await unpack(request);
    const faultyFiles = checkRestored(waiting, files, request.file);
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

/** Files of another user's, say of root's, would lock the server out. Windows has no such users. */
function requireOwner(folder: string): void {
  const { uid } = statSync(folder);
  if (process.getuid === undefined || process.getuid() === uid) return;
  throw new InputError(
    "OTHER_OWNER",
    `${folder} belongs to another user, of number ${uid}. Run this as that user, say with: sudo -u '#${uid}' cupel restore …`,
  );
}

function refuseState(folder: string): void {
  if (!existsSync(join(folder, DATABASE_FILE))) return;
  throw new InputError(
    "STATE_EXISTS",
    `${folder} has a state already. With --replace it is moved aside, into a folder within; or name a new folder with --data.`,
  );
}

/** Reads the backup again, and checks it again: it may have changed. Gives the folder. */
async function unpack({ file, folder, signal }: RestoreRequest): Promise<string> {
  const waiting = join(folder, WAITING_FOLDER);
  for (const name of ["files", "results", "models", "journals"]) {
    mkdirSync(join(waiting, name), { recursive: true, mode: 0o700 });
  }
  await readBackup(file, signal, async (statePath) => {
    const path = join(waiting, statePath);
    if (statePath.startsWith("models/")) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  });
  return waiting;
}

/** So that all names are on the disk too. */
function flushFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) flushFolders(join(folder, entry.name));
  }
  flushToDisk(folder);
}
