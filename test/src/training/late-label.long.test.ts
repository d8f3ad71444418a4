// By time, a label that begins late counts as wrong where no model could have learned it, and the kept models know it.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../../engine/random.ts";
import { sumOf } from "../../../engine/sums.ts";
import { run } from "../../../src/commands/run.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { withFolder } from "../../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../../support/in-process.ts";

const ROWS = 1_200;
const FIRST = 1_050;

/** Each label has its range of `load`, the ends of which overlap; "firmware" begins at row FIRST. */
function drawTable(): string {
  const random = new Random(7);
  const labels = ["belt", "motor", "firmware"];
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const code = random.nextBelow(row < FIRST ? 2 : 3);
    return `${row},${code * 100 + random.nextBelow(130)},${labels[code]}`;
  });
  return ["minute,load,cause", ...rows, ""].join("\n");
}

test("the run ends, a doubt names the label, and the kept models decide it", () =>
  withFolder(async (folder) => {
    const [train, fresh, out] = ["train.csv", "fresh.csv", "out"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(train, drawTable());
    writeFileSync(fresh, "minute,load\n1201,50\n1202,165\n1203,280\n");
    await run(
      runOptions(train, out, { timeColumn: "minute", scalingFactor: 19, predictPaths: [fresh] }),
      testConsole(),
      spawnWorker,
    );
    const { verdict, versions } = JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as RunSummary;
    const told = verdict.doubts.filter(({ code }) => code !== "ACCURACY_FALLS");
    expect(told.map(({ code, level }) => [code, level])).toEqual([["LATE_LABEL", "caution"]]);
    const { byClass, confusion, falseDecisions } = versions[0]!;
    const late = byClass.findIndex(({ label }) => label === "firmware");
    expect(byClass[late]).toMatchObject({ decided: 0, recall: 0 });
    expect(falseDecisions).toBeGreaterThanOrEqual(sumOf(confusion[late]!));
    const scored = readFileSync(join(out, "predictions-fresh.csv"), "utf8").trim().split("\n").slice(1);
    expect(scored.map((line) => line.split(",")[2])).toEqual(["belt", "motor", "firmware"]);
  }));
