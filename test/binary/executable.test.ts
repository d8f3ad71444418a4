// The compiled executable: built as `bun run build` builds it, and driven from a folder that tries to lead it astray.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownTable } from "../support/refinery.ts";
import { driveFlow, endAll, start } from "../support/server.ts";

const ROOT = mkdtempSync(join(tmpdir(), "cupel-binary-"));
const EXECUTABLE = join(ROOT, "cupel");
const REPOSITORY = join(import.meta.dir, "../..");

beforeAll(async () => {
  const command = [process.execPath, "run", "build", "--outfile", EXECUTABLE];
  const child = Bun.spawn(command, { cwd: REPOSITORY, stdout: "pipe", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text());
}, 120_000);

afterAll(async () => {
  await endAll();
  rmSync(ROOT, { recursive: true });
});

describe("the executable", () => {
  test("needs no other file, and obeys no settings of the folder it is started in", async () => {
    const folder = join(ROOT, "elsewhere");
    mkdirSync(folder);
    writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(folder, "evil.ts"), 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n');
    writeFileSync(join(folder, ".env"), "CUPEL_PORT=nonsense\n");
    writeFileSync(join(folder, "train.csv"), knownTable(600, 1));
    const command = [EXECUTABLE, "run", "train.csv", "--scaling", "2", "--out", "out", "--predict", "train.csv"];
    const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
    expect(await child.exited).toBe(0);
    expect(await child.stdout.text()).toContain("COMPLETED");
    expect(readdirSync(folder).sort()).toEqual([".env", "bunfig.toml", "evil.ts", "out", "train.csv"]);
    expect(readdirSync(join(folder, "out"))).toContain("model.cupel");
    const served = Bun.spawn([EXECUTABLE, "serve", "--help"], { cwd: folder, stdout: "pipe" });
    expect(await served.exited).toBe(0);
  });

  test("says its version", async () => {
    const child = start([EXECUTABLE], ["--version"]);
    expect(await child.exited).toBe(0);
    expect(await child.stdout.text()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("serves the whole flow", () => driveFlow([EXECUTABLE], join(ROOT, "flow")));
});
