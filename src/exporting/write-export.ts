// Writes an export to its place: whole files or none, and never over existing ones.

import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { namingDiskFault } from "../../data/backup/room.ts";
import { flush, placeWhole, writeAll } from "../../data/files/file-store.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ExportedFile } from "./exported-file.ts";

const ELSEWHERE = "name another place with --out";

/** Writes files into an existing folder; of several, the main one, the first, appears last. @throws InputError */
export async function writeFiles(folder: string, files: readonly ExportedFile[]): Promise<void> {
  for (const { name } of files) requireFree(join(folder, name));
  const placed: string[] = [];
  try {
    for (const { name, content } of files.toReversed()) {
      const path = join(folder, name);
      await placeWhole(path, (temporary) => writeNew(temporary, content));
      placed.push(path);
    }
  } catch (error) {
    for (const path of placed) await rm(path, { force: true });
    throw inWords(error, folder);
  }
}

/** Writes a new folder of files, all at once. @throws InputError */
export async function writeFolder(path: string, files: readonly ExportedFile[]): Promise<void> {
  requireFree(path);
  const parent = dirname(path);
  const temporary = join(parent, `.${basename(path).slice(0, 100)}.${randomUUID()}.part`);
  try {
    await mkdir(temporary);
    for (const { name, content } of files) {
      await writeNew(join(temporary, name), content);
      await flush(join(temporary, name));
    }
    await flush(temporary);
    await rename(temporary, path);
    await flush(parent);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw inWords(error, parent);
  }
}

/** @throws InputError TARGET_EXISTS */
export function requireFree(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new InputError("TARGET_EXISTS", `${path} is there already. Remove it, or ${ELSEWHERE}.`);
}

async function writeNew(path: string, content: ExportedFile["content"]): Promise<void> {
  const file = await open(path, "wx");
  try {
    if (typeof content === "string") await file.writeFile(content);
    else for (const piece of content) await writeAll(file, piece);
  } finally {
    await file.close();
  }
}

function inWords(error: unknown, folder: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new InputError("NO_FOLDER", `There is no folder ${folder}. Make it, or ${ELSEWHERE}.`);
  }
  return namingDiskFault(error, folder, ELSEWHERE);
}
