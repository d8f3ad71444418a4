// The folder with everything that the service keeps, and the place of each file in it.
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../../engine/input-error.ts";

const SUB_FOLDERS = ["uploads", "unfinished", "files", "results", "models", "journals"] as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Every path is relative to the folder and made from keys alone: a key that is no lower-case UUID throws a RangeError.
 */
export const statePaths = {
  /** An uploaded or derived table. */
  file: (key: string) => `files/${checked(key)}.csv`,
  /** The result of a prediction. */
  result: (key: string) => `results/${checked(key)}.csv`,
  modelFolder: (modelKey: string) => `models/${checked(modelKey)}`,
  modelVersion: (modelKey: string, version: number) => `models/${checked(modelKey)}/v${checkedVersion(version)}.cupel`,
  modelSummary: (modelKey: string) => `models/${checked(modelKey)}/summary.json`,
  modelReport: (modelKey: string) => `models/${checked(modelKey)}/report.html`,
  journal: (jobKey: string) => `journals/${checked(jobKey)}`,
  /** The part that has arrived of a file sent in pieces. Backups leave it out. */
  unfinished: (uploadKey: string) => `unfinished/${checked(uploadKey)}`,
} as const;

const KEY = UUID.source.slice(1, -1);
const LASTING = new RegExp(
  `^(?:(?:files|results)/${KEY}\\.csv|journals/${KEY}|models/${KEY}/(?:v[123]\\.cupel|summary\\.json|report\\.html))$`,
);

/** Whether `statePaths` could have made the path. A foreign database or archive may name any other. */
export function isStatePath(path: string): boolean {
  return LASTING.test(path);
}

export interface StateFolder {
  /** Absolute. */
  path: string;
  /** The absolute path of one that `statePaths` made. */
  locate(relativePath: string): string;
  /** Bytes that may still be written. */
  freeBytes(): number;
}

/** Makes the folder without its subfolders, so that it can be locked; returns its absolute path. @throws InputError */
export function makeStateFolder(path: string): string {
  const root = resolve(path);
  try {
    makePrivateFolder(root);
    return root;
  } catch (error) {
    throw unusableFolder(root, error);
  }
}

export function unusableFolder(folder: string, fault: unknown): InputError {
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : "unknown fault";
  return new InputError(
    "STATE_FOLDER_UNUSABLE",
    `The state folder ${folder} cannot be made or used (${code}). ` +
      "It must be a folder of the user who runs this, on a disk that can be written to. Name another with --data.",
  );
}

/**
 * Makes the folder and its subfolders with mode 0700, and removes uploads that nobody can go on with. Only under the
 * lock: the uploads may be those of another process.
 */
export function openStateFolder(path: string): StateFolder {
  const root = makeStateFolder(path);
  for (const name of SUB_FOLDERS) makePrivateFolder(join(root, name));
  const uploads = join(root, "uploads");
  for (const name of readdirSync(uploads)) rmSync(join(uploads, name), { recursive: true, force: true });
  return {
    path: root,
    locate: (relativePath) => join(root, relativePath),
    freeBytes: () => freeBytesOf(root),
  };
}

/** Bytes that this user may still write to the disk of a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

function checked(key: string): string {
  if (!UUID.test(key)) throw new RangeError(`no UUID: ${JSON.stringify(key)}`);
  return key;
}

function checkedVersion(version: number): number {
  if (version !== 1 && version !== 2 && version !== 3) throw new RangeError(`no version from 1 to 3: ${version}`);
  return version;
}
