// The walk through the API of docs/api.md, as it stands there: pasted twice into a shell, with the real curl and jq.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { knownTable } from "../support/refinery.ts";
import { endAll, FROM_SOURCE, PASSWORD, serve } from "../support/server.ts";
import { describeWithTools, examplesIn } from "../support/tools.ts";

describeWithTools("the walk of docs/api.md", { needed: ["curl", "jq"] }, () => {
  const root = testFolder(endAll);
  const server = serve(FROM_SOURCE, join(root, "state"));
  const [walk = ""] = examplesIn("docs/api.md", "sh", "/api/v1/feature-refinery");

  /** Runs a text as a shell does that it was pasted into. */
  async function paste(text: string, password: string) {
    const origin = /listening on (\S+)/.exec((await server).printed)![1]!;
    const child = Bun.spawn(["bash"], {
      cwd: root,
      env: { ...process.env, CUPEL_URL: origin, CUPEL_USER: "ada@example.org", CUPEL_PASSWORD: password },
      stdin: new Blob([text]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [printed, noted] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, printed, noted };
  }

  test("leads from login to a result and a model, as often as it is pasted", async () => {
    for (const [name, rows, seed] of [
      ["TRAIN", 1_200, 1],
      ["TEST", 400, 2],
      ["NEW", 50, 3],
    ] as const)
      writeFileSync(join(root, `${name}.csv`), knownTable(rows, seed));
    const after = (count: number) => `echo pasted ${count} times with code $?\n`;
    const { noted, printed, code } = await paste(`${walk}\n${after(1)}${walk}\n${after(2)}`, PASSWORD);
    expect([noted, code]).toEqual(["", 0]);
    expect(printed.match(/pasted \d times with code \d+/g)).toEqual([
      "pasted 1 times with code 0",
      "pasted 2 times with code 0",
    ]);
    expect(printed.match(/"keptColumns"/g)).toHaveLength(2);
    expect(printed).toContain('"version": 1');
    const lines = readFileSync(join(root, "RESULT.csv"), "utf8").trimEnd().split("\n");
    expect([lines.length, lines[0]!.endsWith(",prediction,confidence,probability_no,probability_yes")]).toEqual([
      51,
      true,
    ]);
    expect(readFileSync(join(root, "model.cupel")).length).toBeGreaterThan(1_000);
  });

  test("ends at the first refusal, says why, and leaves the shell as it was", async () => {
    const { code, noted, printed } = await paste(`${walk}\necho "code $?, still here"\n`, "not the password");
    expect([code, printed]).toEqual([0, "code 1, still here\n"]);
    expect(noted).toContain('"code":"LOGIN_FAILED"');
  });
});
