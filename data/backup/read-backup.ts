// Reads a backup from its first byte to its last, and believes none of it before the hashes agree.
import { type FileHandle, stat } from "node:fs/promises";
import { InputError } from "../../engine/input-error.ts";
import { type StoredFile, writeAll } from "../files/file-store.ts";
import { ArchiveFault, type ArchiveReader, openArchive } from "./archive-reader.ts";
import {
  ABOUT,
  type BackupAbout,
  formatManifestHash,
  MANIFEST,
  MANIFEST_HASH,
  parseAbout,
  parseManifest,
  statePathOf,
} from "./backup-format.ts";
import type { TarEntry } from "./tar-header.ts";

/** The files are listed in memory, about 300 bytes each; an archive of nothing but names must not fill it. */
const MOST_FILES = 4_000_000;
const MOST_ABOUT_BYTES = 65_536;
/** The longest text that JSON.parse takes. */
const MOST_MANIFEST_BYTES = 512 * 1024 * 1024 - 1024;

export interface Backup {
  about: BackupAbout;
  /** By path in the state folder. */
  files: ReadonlyMap<string, StoredFile>;
}

/**
 * Checks all of it, in constant memory. `receive` opens the target of each file, before the hash of any is known to be
 * right; paths are relative to a state folder, and only those that a state folder has.
 *
 * @throws InputError where it is no backup, of a newer format, or damaged at any byte
 */
export async function readBackup(
  path: string,
  signal: AbortSignal,
  receive: Receive = async () => null,
): Promise<Backup> {
  const archive = await openFile(path);
  try {
    return await readAll(archive, path, signal, receive);
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    throw new InputError(
      "BACKUP_DAMAGED",
      `The backup ${path} is damaged: ${error.message}. Nothing of it can be trusted; take another one.`,
    );
  } finally {
    await archive.close();
  }
}

type Receive = (statePath: string) => Promise<FileHandle | null>;

async function openFile(path: string): Promise<ArchiveReader> {
  const unreadable = (why: string) =>
    new InputError("BACKUP_UNREADABLE", `The backup ${path} cannot be read (${why}).`);
  try {
    // To open a pipe would wait for its writer.
    if ((await stat(path)).isFile()) return await openArchive(path);
  } catch (error) {
    throw unreadable((error as NodeJS.ErrnoException).code ?? "unknown fault");
  }
  throw unreadable("it is no file");
}

async function readAll(archive: ArchiveReader, path: string, signal: AbortSignal, receive: Receive): Promise<Backup> {
  const about = await readAbout(archive, path);
  const files = new Map<string, StoredFile>();
  for (;;) {
    const entry = await archive.next();
    if (entry === null) throw new ArchiveFault("it has no manifest");
    if (entry.path === MANIFEST) {
      await checkManifest(archive, entry, files);
      return { about, files };
    }
    const statePath = statePathOf(entry.path);
    if (statePath === null) throw new ArchiveFault(`it holds a file that no state folder has, ${quoted(entry.path)}`);
    if (files.has(statePath)) throw new ArchiveFault(`it holds ${statePath} twice`);
    if (files.size === MOST_FILES) throw new ArchiveFault(`it holds more than ${MOST_FILES} files`);
    const { sizeBytes } = entry;
    const sha256 = await passOn(archive, entry, await receive(statePath), signal);
    files.set(statePath, { path: statePath, sizeBytes, sha256 });
  }
}

async function readAbout(archive: ArchiveReader, path: string): Promise<BackupAbout> {
  const noBackup = () => new InputError("NO_BACKUP", `${path} is no backup: \`cupel backup\` did not write it.`);
  // Any other file shows in its first bytes that it is another one, and is not called damaged.
  const first = await archive.next().catch((error) => {
    throw error instanceof ArchiveFault ? noBackup() : error;
  });
  if (first?.path !== ABOUT) throw noBackup();
  const about = parseAbout((await textOf(archive, first, MOST_ABOUT_BYTES)).toString("utf8"));
  if (about === null) throw noBackup();
  if (about === "newer") {
    throw new InputError("BACKUP_TOO_NEW", `${path} was made by a newer version of this program. Use that version.`);
  }
  return about;
}

/** Writes the entry's bytes to `target`, if there is one, and closes it; gives their hash. */
async function passOn(
  archive: ArchiveReader,
  entry: TarEntry,
  target: FileHandle | null,
  signal: AbortSignal,
): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  try {
    for await (const piece of archive.content(entry)) {
      signal.throwIfAborted();
      hash.update(piece);
      if (target !== null) await writeAll(target, piece);
    }
    await target?.datasync();
  } finally {
    await target?.close();
  }
  return hash.digest("hex");
}

async function checkManifest(
  archive: ArchiveReader,
  entry: TarEntry,
  foundFiles: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const manifest = await textOf(archive, entry, MOST_MANIFEST_BYTES);
  const last = await archive.next();
  if (last?.path !== MANIFEST_HASH) throw new ArchiveFault("it ends without the hash of its manifest");
  const hash = (await textOf(archive, last, MOST_ABOUT_BYTES)).toString("utf8");
  if (hash !== formatManifestHash(manifest)) throw new ArchiveFault("its manifest was altered");
  if ((await archive.next()) !== null) throw new ArchiveFault("files follow its manifest");
  const listed = parseManifest(manifest.toString("utf8"));
  if (listed === null) throw new ArchiveFault("its manifest cannot be read");
  for (const { path, sizeBytes, sha256 } of listed) {
    const file = foundFiles.get(statePathOf(path) ?? "");
    if (file === undefined) throw new ArchiveFault(`it lacks ${quoted(path)}, which its manifest lists`);
    if (file.sizeBytes !== sizeBytes || file.sha256 !== sha256) throw new ArchiveFault(`${path} was altered`);
  }
  // Each listed file was found, so equal numbers mean the same files.
  if (new Set(listed.map(({ path }) => path)).size !== foundFiles.size) {
    throw new ArchiveFault("it holds files that its manifest does not list");
  }
}

async function textOf(archive: ArchiveReader, entry: TarEntry, mostBytes: number): Promise<Buffer> {
  if (entry.sizeBytes > mostBytes) throw new ArchiveFault(`${entry.path} is too large`);
  const pieces: Buffer[] = [];
  for await (const piece of archive.content(entry)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function quoted(path: string): string {
  return JSON.stringify(path.slice(0, 100));
}
