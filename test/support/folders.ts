// Folders of a test's own, which are gone afterwards.
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For all tests of a file or of a `describe` that calls it. After them `ending` ends what works in the folder. */
export function testFolder(ending: () => unknown = () => undefined): string {
  const folder = mkdtempSync(join(tmpdir(), "cupel-test-"));
  afterAll(async () => {
    await ending();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** For `use`, which may fill it. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-test-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
