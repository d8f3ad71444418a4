// A run by groups of which one has most rows: its verdict says so, since the figures are about hardly any other.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../../engine/random.ts";
import { run } from "../../../src/commands/run.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { withFolder } from "../../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../../support/in-process.ts";

const ROWS = 1_000;

test.each([
  [0, []],
  [700, ["FEW_GROUPS"]],
])("held-out rows that are mostly of one group are a doubt: %i rows of it", (ofOne, codes) =>
  withFolder(async (folder) => {
    const random = new Random(1);
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const told = random.nextFloat();
      const shop = row < ofOne ? 0 : 1 + (row % 100);
      return `shop${shop},${told.toFixed(3)},${told + 0.3 * random.nextFloat() > 0.65 ? "yes" : "no"}`;
    });
    const path = join(folder, "shops.csv");
    writeFileSync(path, `shop,told,label\n${rows.join("\n")}\n`);
    const console = testConsole();
    await run(runOptions(path, join(folder, "out"), { groupColumn: "shop" }), console, spawnWorker);
    const { doubts } = (JSON.parse(console.printed.join("\n")) as RunSummary).verdict;
    expect(doubts.map(({ code }): string => code)).toEqual(codes);
  }),
);
