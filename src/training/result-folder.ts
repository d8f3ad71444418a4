// The folder that a run or a refinement leaves its results in.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { flush, makeFolder, placeWhole, writeWhole } from "../../data/files/file-store.ts";

const SUMMARY = "summary.json";
/** Names that a run gives to its files: nothing else is ever removed. */
const OWN_NAME = /^(?:(?:model|v[23])\.cupel|predictions-[^/\\]*\.csv)$/;

/** Makes the folder where it is not there yet. */
export async function openResultFolder(path: string): Promise<ResultFolder> {
  await makeFolder(path);
  return new ResultFolder(path);
}

/** The models and predictions of an earlier run that its summary names and that are there. */
export function earlierResults(folder: string): string[] {
  return namedFiles(join(folder, SUMMARY)).filter((name) => existsSync(join(folder, name)));
}

/** Results wait in a folder within until `publish`: what an earlier run left stays as it was until all of them can take its place. */
export class ResultFolder {
  readonly path: string;
  /** What an earlier run left. */
  readonly earlier: readonly string[];
  private readonly waitingFolder: string;
  /** In the order in which they were written. */
  private readonly waiting = new Set<string>();
  private readonly published = new Set<string>();

  constructor(path: string) {
    this.path = path;
    this.earlier = earlierResults(path);
    this.waitingFolder = join(path, `.unfinished-${randomUUID()}`);
  }

  /** Where a result stands once it is published. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Which of these were there before. */
  holds(names: readonly string[]): string[] {
    return names.filter((name) => !this.published.has(name) && existsSync(this.pathOf(name)));
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await makeFolder(this.waitingFolder);
    await writeWhole(join(this.waitingFolder, name), content);
    this.waiting.add(name);
  }

  /** Lets `write` fill a temporary file that then takes the name. */
  async place<T>(name: string, write: (temporary: string) => Promise<T>): Promise<T> {
    await makeFolder(this.waitingFolder);
    const result = await placeWhole(join(this.waitingFolder, name), write);
    this.waiting.add(name);
    return result;
  }

  /**
   * Moves all that waits to its place, then removes what an earlier run left and this one has not, those `coming` aside.
   * Gives the names of what it removed. A process that is killed in between leaves whole files, some of either run.
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

  /** Removes what waits. */
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
