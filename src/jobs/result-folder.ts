// The folder that a run leaves its results in.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, placeWhole, writeWhole } from "../../data/file-store.ts";

const SUMMARY = "summary.json";
/** Names that a run gives to its files: nothing else is ever removed. */
const OWN_NAME = /^(?:(?:model|v[23])\.cupel|predictions-[^/\\]*\.csv)$/;

/** Makes the folder where it is not there yet. */
export async function openResultFolder(path: string): Promise<ResultFolder> {
  await makeFolder(path);
  return new ResultFolder(path);
}

/** Results of an earlier run stay until this one has something to put in their place, and then all go. */
export class ResultFolder {
  private readonly path: string;
  private cleared: Promise<void> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  pathOf(name: string): string {
    return join(this.path, name);
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await this.clear();
    await writeWhole(this.pathOf(name), content);
  }

  /** Lets `write` fill a temporary file that then takes the name. */
  async place<T>(name: string, write: (temporary: string) => Promise<T>): Promise<T> {
    await this.clear();
    return placeWhole(this.pathOf(name), write);
  }

  /** Removes what the summary of the earlier run names, and nothing that somebody else put there. */
  private clear(): Promise<void> {
    this.cleared ??= namedFiles(this.pathOf(SUMMARY)).then(async (names) => {
      for (const name of names) await rm(this.pathOf(name), { force: true });
    });
    return this.cleared;
  }
}

async function namedFiles(summaryPath: string): Promise<string[]> {
  const text = await readFile(summaryPath, "utf8").catch(() => "{}");
  try {
    const { versions = [], predictions = [] } = JSON.parse(text) as Record<string, { file: unknown }[]>;
    return [...versions, ...predictions].flatMap(({ file }) =>
      typeof file === "string" && OWN_NAME.test(file) ? [file] : [],
    );
  } catch {
    return [];
  }
}
