// The programs that README, docs/clients.md and the dashboard show, as they
// stand there, with the client that the server gives.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cupel } from "../../../src/clients/typescript/cupel.ts";
import { programLines } from "../../../src/components/model/program-lines.ts";
import { makeProgramFolder, RUNTIMES } from "../../support/client-programs.ts";
import { testFolder } from "../../support/folders.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";
import { runProgram } from "../../support/programs.ts";
import { examplesIn, findTool } from "../../support/tools.ts";

const root = testFolder();
const live = await startService();
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
    const environment = {
      CUPEL_URL: live.address,
      CUPEL_USER: USER,
      CUPEL_PASSWORD: PASSWORD,
      CUPEL_KEY: live.keyWith("read", "write", "predict"),
    };
    const { code, err, out } = await runProgram([...runtime, "program.js"], { folder, environment });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/0\.[6-9]\d+ \[/);
    const [header = "", ...lines] = readFileSync(join(folder, "RESULT.csv"), "utf8").trimEnd().split("\n");
    expect(header).toContain(",prediction,confidence,probability_no,probability_yes,reason_1,");
    expect(lines).toHaveLength(50);
  });
});

describe("the lines that the dashboard shows of a model", () => {
  const ODD = `'"$(exit 1)\`\\ \u{1f600}\u2028é`;
  const rows = Array.from({ length: 80 }, (_, at) => ({
    size: at % 40,
    [ODD]: at % 2 ? ODD : null,
    kind: at % 40 < 20 ? ODD : "b",
  }));

  test("score the row that they name", async () => {
    const cupel = new Cupel(live.address, { user: USER, password: PASSWORD });
    const model = await cupel.train(rows, { label: "kind", scalingFactor: 0 });
    const folder = join(root, "lines");
    await makeProgramFolder(folder, live.address);
    const row = { size: "3", [ODD]: ODD };
    const lines = programLines({ address: `${live.address}/`, modelKey: model.key, row });
    const environment = { CUPEL_KEY: live.keyWith("read", "predict") };
    const text = (language: string) => lines.find((known) => known.language === language)!.text;
    if (findTool("curl") !== null) {
      const { out } = await runProgram(["bash", "-c", text("curl")], { folder, environment });
      expect(JSON.parse(out)).toMatchObject({ predictions: [{ label: ODD }] });
    }
    if (findTool("python3") !== null) {
      writeFileSync(join(folder, "lines.py"), text("Python"));
      const utf8 = { ...environment, PYTHONIOENCODING: "utf-8" };
      expect((await runProgram(["python3", "lines.py"], { folder, environment: utf8 })).out).toBe(`${ODD}\n`);
    }
    writeFileSync(join(folder, "lines.js"), text("TypeScript"));
    for (const [, runtime] of RUNTIMES) {
      const { out, err } = await runProgram([...runtime, "lines.js"], { folder, environment });
      expect([out, err]).toEqual([`${ODD}\n`, ""]);
    }
  });

  test("send a file where no row is known, or it would be too long", async () => {
    const wide = Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`c${at}`, "1"]));
    for (const row of [null, wide]) {
      const texts = programLines({ address: "https://cupel.example.org/ml/", modelKey: "k", row }).map(
        ({ text }) => text,
      );
      expect(texts.filter((text) => text.includes("NEW.csv"))).toHaveLength(3);
      expect(texts[0]).toContain("'https://cupel.example.org/ml/api/v1/predictions/models/k' ");
    }
  });
});
