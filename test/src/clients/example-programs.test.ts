// The programs that README and docs/clients.md show, as they stand there, with the client that the server gives, on each runtime.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeProgramFolder, RUNTIMES, runProgram } from "../../support/client-programs.ts";
import { type LiveService, PASSWORD, startService, USER } from "../../support/live-service.ts";
import { examplesIn } from "../../support/tools.ts";

const root = mkdtempSync(join(tmpdir(), "cupel-examples-"));
let live: LiveService;
beforeAll(async () => {
  live = await startService();
});
afterAll(async () => {
  await live.close();
  rmSync(root, { recursive: true });
});

const PROGRAMS = ["README.md", "docs/clients.md"].flatMap((path) =>
  examplesIn(path, "js", "new Cupel(").map((text) => ({ path, text })),
);

test("there is one in each document", () => {
  expect(PROGRAMS.map(({ path }) => path)).toEqual(["README.md", "docs/clients.md"]);
});

describe.each(PROGRAMS)("the program of $path", ({ path, text }) => {
  test.each(RUNTIMES)("runs on %s", async (name, runtime) => {
    const folder = join(root, `${name} ${path.replace("/", " ")}`);
    await makeProgramFolder(folder, live.address);
    // The quickest search: what it finds is not what this is about.
    writeFileSync(join(folder, "program.js"), text.replace(/(\.train\("TRAIN\.csv", \{)/, "$1 scalingFactor: 0,"));
    const { code, noted, printed } = await runProgram([...runtime, "program.js"], folder, {
      CUPEL_URL: live.address,
      CUPEL_USER: USER,
      CUPEL_PASSWORD: PASSWORD,
      CUPEL_KEY: live.keyWith("read", "write", "predict"),
    });
    expect([code, noted]).toEqual([0, ""]);
    expect(printed).toMatch(/0\.[6-9]\d+ \[/);
    const [header = "", ...lines] = readFileSync(join(folder, "RESULT.csv"), "utf8").trimEnd().split("\n");
    expect(header).toContain(",prediction,confidence,probability_no,probability_yes,reason_1,");
    expect(lines).toHaveLength(50);
  });
});
