// The folder for the results of a run or a refinement.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { flush, makeFolder, placeWhole, writeWhole } from "../../data/files/file-store.ts";
import { InputError } from "../../engine/input-error.ts";

export const SUMMARY = "summary.json";
export const REPORT = "report.html";
/** The summary of `cupel refine`. */
export const ACCOUNT = "refinement.json";
/** The names of a run's files: nothing else is ever removed. */
const OWN_NAME = /^(?:(?:model|v[23])\.cupel|predictions-[^/\\]*\.csv)$/;

/** @throws InputError where the folder cannot be made */
export async function openResultFolder(path: string): Promise<ResultFolder> {
  try {
    await makeFolder(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = { ENOTDIR: "a part of its path is a file", EEXIST: "there is a file of that name" }[code] ?? code;
    throw new InputError("NO_FOLDER", `The folder ${path} cannot be made: ${why}. Name another place.`);
  }
  return new ResultFolder(path);
}

/** The existing models and predictions that an earlier run's summary names. */
export function earlierResults(folder: string): string[] {
  return namedFiles(join(folder, SUMMARY)).filter((name) => existsSync(join(folder, name)));
}

/** Results wait in a subfolder until `publish`: an earlier run's files stay until all new ones can take their place. */
export class ResultFolder {
  readonly path: string;
  readonly earlier: readonly string[];
  private readonly waitingFolder: string;
  private readonly waiting = new Set<string>();
  private readonly published = new Set<string>();

  constructor(path: string) {
    this.path = path;
    this.earlier = earlierResults(path);
    this.waitingFolder = join(path, `.unfinished-${randomUUID()}`);
  }

  /** The path of a published result. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** The names among these that existed before. */
  holds(names: readonly string[]): string[] {
    return names.filter((name) => !this.published.has(name) && existsSync(this.pathOf(name)));
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await makeFolder(this.waitingFolder);
    await writeWhole(join(this.waitingFolder, name), content);
    this.waiting.add(name);
  }

  /** `write` fills a temporary file, which then takes the name. */
  async place<T>(name: string, write: (temporary: string) => Promise<T>): Promise<T> {
    await makeFolder(this.waitingFolder);
    const result = await placeWhole(join(this.waitingFolder, name), write);
    this.waiting.add(name);
    return result;
  }

  /**
   * Moves all waiting files to their places, then removes an earlier run's files that this
   * one has not replaced, except those in `coming`. Returns the removed names. If the process
   * is killed in between, whole files of both runs are left.
   */
  async publish(coming: readonly string[] = []): Promise<string[]> {
    for (const name of this.waiting) await rename(join(this.waitingFolder, name), this.pathOf(name));
    for (const name of this.waiting) this.published.add(name);
    await this.discard();
    await flush(this.path);
    const outdated = this.holds(this.earlier).filter((name) => !coming.includes(name));
    for (const name of outdated) await rm(this.pathOf(name), { force: true });
    return outdated;
  }

  /** Removes the waiting files. */
  async discard(): Promise<void> {
    this.waiting.clear();
    await rm(this.waitingFolder, { recursive: true, force: true });
  }
}

function namedFiles(summaryPath: string): string[] {
  try {
    const { versions = [], predictions = [] } = JSON.parse(readFileSync(summaryPath, "utf8")) as Record<
      string,
      { file: unknown }[]
    >;
    return [...versions, ...predictions].flatMap(({ file }) =>
      typeof file === "string" && OWN_NAME.test(file) ? [file] : [],
    );
  } catch {
    return [];
  }
}
