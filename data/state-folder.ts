// The folder with everything that the service keeps, and where in it each file has its place.
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join, resolve } from "node:path";

const SUB_FOLDERS = ["uploads", "files", "results", "models", "journals"] as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every path is relative to the folder and made from keys alone: a key that is no lower-case UUID throws a RangeError. */
export const statePaths = {
  /** An upload under way. */
  upload: (key: string) => `uploads/${checked(key)}.part`,
  /** An uploaded or derived table. */
  file: (key: string) => `files/${checked(key)}.csv`,
  /** The result of a prediction. */
  result: (key: string) => `results/${checked(key)}.csv`,
  modelFolder: (modelKey: string) => `models/${checked(modelKey)}`,
  modelVersion: (modelKey: string, version: number) => `models/${checked(modelKey)}/v${checkedVersion(version)}.cupel`,
  modelSummary: (modelKey: string) => `models/${checked(modelKey)}/summary.json`,
  modelReport: (modelKey: string) => `models/${checked(modelKey)}/report.html`,
  journal: (jobKey: string) => `journals/${checked(jobKey)}`,
} as const;

export interface StateFolder {
  /** Absolute. */
  path: string;
  /** The absolute path of one that `statePaths` made. */
  locate(relativePath: string): string;
  /** Bytes that may still be written. */
  freeBytes(): number;
}

/** Makes the folder and those in it, for the owner's eyes only, and removes uploads that an earlier process left undone. */
export function openStateFolder(path: string): StateFolder {
  const root = resolve(path);
  makePrivateFolder(root);
  for (const name of SUB_FOLDERS) makePrivateFolder(join(root, name));
  const uploads = join(root, "uploads");
  for (const name of readdirSync(uploads)) rmSync(join(uploads, name), { recursive: true, force: true });
  return {
    path: root,
    locate: (relativePath) => join(root, relativePath),
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(root);
      return bavail * bsize;
    },
  };
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
