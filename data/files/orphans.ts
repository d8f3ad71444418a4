// Files of a state folder that no row of its database names: left by a killed process or a failed removal.
import type { Database as Client } from "bun:sqlite";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { namedFiles } from "./named-files.ts";

/** Folders of files that rows name. Not the uploads under way, which the next start removes. */
const FOLDERS = ["files", "results", "models", "journals"] as const;

export interface Orphan {
  /** Relative to the state folder. */
  path: string;
  sizeBytes: number;
  modifiedOn: Date;
}

/**
 * Also lists files whose row is still to come: a file is placed before its row is written, a model's files minutes
 * before. Beside a running server only old files are orphans. Holds the names of all files, about 100 bytes each.
 */
export function listOrphans(client: Client, folder: string): Orphan[] {
  // The disk comes first: a file that is placed and named meanwhile is then not listed.
  const found = FOLDERS.flatMap((name) => filesBelow(folder, name));
  const named = new Set<string>();
  for (const { path } of namedFiles(client)) named.add(path);
  return found.filter(({ path }) => !named.has(path));
}

/** Files below a folder of the state folder, at any depth. */
export function filesBelow(root: string, folder: string): Orphan[] {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, sizeBytes: found.size, modifiedOn: found.mtime }];
  });
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
