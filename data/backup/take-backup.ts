// Makes a backup of a state folder as it is at one moment, whether a server works in it or not.
import { Database as Client } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, rmSync, statSync } from "node:fs";
import { copyFile, mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { DATABASE_FILE, openToRead } from "../database/database.ts";
import { requireSound } from "../database/database-check.ts";
import { damaged, namingFault } from "../database/database-faults.ts";
import { copyDatabase } from "../database/migrate.ts";
import { SECRET_FILE } from "../database/secret.ts";
import type { StoredFile } from "../files/file-store.ts";
import { namedFiles } from "../files/named-files.ts";
import { flushToDisk } from "../files/private-file.ts";
import { isStatePath } from "../files/state-folder.ts";
import { type ArchiveWriter, createArchive } from "./archive-writer.ts";
import {
  ABOUT,
  archivePath,
  formatAbout,
  formatManifest,
  formatManifestHash,
  MANIFEST,
  MANIFEST_HASH,
} from "./backup-format.ts";
import { isAsNamed } from "./check-restored.ts";
import { readBackup } from "./read-backup.ts";
import { refuseHalfRestored } from "./restore-swap.ts";
import { namingDiskFault, requireRoom } from "./room.ts";

const ARCHIVE = "archive";
/** Each further round copies only what was added during the one before. */
const MOST_ROUNDS = 20;
/** A header, padding and a line of the manifest, for each file. */
const BYTES_PER_FILE = 1_500;
const OTHERWISE = "name a file in another folder";

export interface BackupRequest {
  /** The state folder. */
  folder: string;
  /** Where the backup goes, absolute; nothing may be there. */
  file: string;
  cupelVersion: string;
  now: Date;
  /** Aborted: all is cleaned up and its reason thrown. */
  signal: AbortSignal;
}

export interface BackupOutcome {
  fileCount: number;
  sizeBytes: number;
  /** Files that rows name and that are missing or altered in the folder, and so in the backup. */
  faultyFiles: string[];
}

/**
 * The file is whole, on the disk and read back when this resolves; until then nothing is under its name. It is as
 * secret as the folder: it holds `secret.key` and everybody's data. Memory does not grow with the files; the disk must
 * also hold a second copy of the database meanwhile.
 *
 * @throws InputError where the file exists, there is no room for it, or the database is damaged
 */
export async function takeBackup(request: BackupRequest): Promise<BackupOutcome> {
  const { folder, file, signal } = request;
  refuseExisting(file);
  refuseHalfRestored(folder);
  const client = openToRead(folder);
  const work = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomUUID()}.part`);
  try {
    const byteCount = namingFault(join(folder, DATABASE_FILE), () => neededBytes(client, folder));
    requireRoom(dirname(file), byteCount, OTHERWISE);
    await mkdir(work, { mode: 0o700 });
    const outcome = await fillArchive(client, work, request);
    await readBackup(join(work, ARCHIVE), signal);
    refuseExisting(file);
    await rename(join(work, ARCHIVE), file);
    flushToDisk(dirname(file));
    return outcome;
  } catch (error) {
    throw namingDiskFault(error, dirname(file), OTHERWISE);
  } finally {
    client.close();
    rmSync(work, { recursive: true, force: true });
  }
}

function refuseExisting(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
    throw new InputError("BACKUP_EXISTS", `${file} is there already and is not overwritten. Name another file.`);
  }
  if (existsSync(dirname(file))) return;
  throw new InputError("NO_FOLDER", `There is no folder ${dirname(file)} for the backup. Make it first.`);
}

/** An estimate: uploads may fill the disk meanwhile. */
function neededBytes(client: Client, folder: string): number {
  let byteCount = 2 * statSync(join(folder, DATABASE_FILE)).size;
  // All at once: a server may write to the database meanwhile.
  for (const { path } of [...namedFiles(client)]) {
    byteCount += BYTES_PER_FILE + (statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0);
  }
  return byteCount;
}

async function fillArchive(client: Client, work: string, request: BackupRequest): Promise<BackupOutcome> {
  const { folder, cupelVersion, now, signal } = request;
  const archive = await createArchive(join(work, ARCHIVE), now);
  try {
    await archive.addText(ABOUT, formatAbout({ cupelVersion, createdOn: now }));
    const snapshotPath = join(work, DATABASE_FILE);
    const gathering: Gathering = { client, archive, folder, snapshotPath, signal, files: new Map() };
    const faultyFiles = await gather(gathering);
    const secretPath = join(folder, SECRET_FILE);
    // A folder in which no server ran yet has none.
    if (existsSync(secretPath)) await addFile(gathering, SECRET_FILE, secretPath);
    await addFile(gathering, DATABASE_FILE, snapshotPath);
    const manifest = formatManifest([...gathering.files.values()]);
    await archive.addText(MANIFEST, manifest);
    await archive.addText(MANIFEST_HASH, formatManifestHash(manifest));
    await archive.finish();
    return { fileCount: gathering.files.size, sizeBytes: statSync(join(work, ARCHIVE)).size, faultyFiles };
  } finally {
    await archive.close();
  }
}

interface Gathering {
  client: Client;
  archive: ArchiveWriter;
  folder: string;
  snapshotPath: string;
  signal: AbortSignal;
  /** The files of the archive, by path in the state folder. */
  files: Map<string, StoredFile>;
}

/**
 * Takes a snapshot of the database, then the files that it names. Files never change, but one may be removed before its
 * turn comes. Its row changes before that, so the next snapshot does not name it. Returns the files that a snapshot
 * still names though they were missing before it, and those that differ from their rows.
 */
async function gather(gathering: Gathering): Promise<string[]> {
  const { client, folder, snapshotPath, signal, files } = gathering;
  const path = join(folder, DATABASE_FILE);
  let absentBefore = new Set<string>();
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    signal.throwIfAborted();
    namingFault(path, () => copyDatabase(client, snapshotPath));
    const snapshot = new Client(snapshotPath, { readonly: true });
    try {
      requireSound(snapshot, path, "full");
      const absent = await addNamedFiles(gathering, snapshot);
      if (absent.every((path) => absentBefore.has(path))) return [...absent, ...alteredFiles(snapshot, files)];
      absentBefore = new Set(absent);
    } finally {
      snapshot.close();
    }
  }
  throw new InputError("BACKUP_UNSETTLED", "Files are removed faster than they can be copied. Try again later.");
}

/** Returns those that should be there and are not. */
async function addNamedFiles(gathering: Gathering, snapshot: Client): Promise<string[]> {
  const { folder, files } = gathering;
  const absent: string[] = [];
  for (const { path, isRequired } of namedFiles(snapshot)) {
    if (files.has(path)) continue;
    // Not written by this program: nothing outside of the folder may be copied.
    if (!isStatePath(path)) throw damaged(join(folder, DATABASE_FILE), "a row names a file outside of the folder");
    try {
      if (path.startsWith("journals/")) await addJournal(gathering, path);
      else await addFile(gathering, path, join(folder, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      if (isRequired) absent.push(path);
    }
  }
  return absent;
}

/**
 * A journal goes on growing, so a copy is archived. It may be ahead of the snapshot, as after a crash: a unit is in the
 * journal before the database hears of it. A line that is half copied is cut off when the journal is next opened.
 */
async function addJournal(gathering: Gathering, path: string): Promise<void> {
  const copy = `${gathering.snapshotPath}-journal-copy`;
  await copyFile(join(gathering.folder, path), copy);
  await addFile(gathering, path, copy);
}

function alteredFiles(snapshot: Client, files: ReadonlyMap<string, StoredFile>): string[] {
  const altered = [...namedFiles(snapshot)].filter((file) => files.has(file.path) && !isAsNamed(file, files));
  return altered.map(({ path }) => path);
}

async function addFile({ archive, signal, files }: Gathering, path: string, source: string): Promise<void> {
  try {
    files.set(path, await archive.addFile(archivePath(path), source, signal));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EIO") throw error;
    throw new InputError("FILE_UNREADABLE", `${source} cannot be read (${code}), so there can be no whole backup.`);
  }
}
