// What a run says of inputs and places that cannot be used: which file, why, and what to do.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "../../src/commands/inspect.ts";
import { predict } from "../../src/commands/predict.ts";
import { run } from "../../src/commands/run.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { withFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import { knownTable } from "../support/refinery.ts";

const penguins = fixtureTable("penguins");
const ended = (...given: Parameters<typeof runOptions>) => run(runOptions(...given), testConsole(), spawnWorker);

describe("a run", () => {
  test("names the table that it cannot read", () =>
    withFolder(async (folder) => {
      const torn = join(folder, "torn.csv");
      writeFileSync(torn, 'a,b,y\n1,"2" 3,no\n4,5,yes\n');
      await expect(ended(torn, join(folder, "out"))).rejects.toThrow(torn);
      expect(() => inspect({ ...runOptions(torn, ""), path: torn, json: false }, testConsole())).toThrow(torn);
    }));

  test("takes no model for a table, nor for a place to write to", () =>
    withFolder(async (folder) => {
      await ended(penguins, join(folder, "out"), { scalingFactor: 0, refine: false });
      const model = join(folder, "out", "model.cupel");
      await expect(ended(model, join(folder, "out"))).rejects.toThrow(`${model} is a model, not a table.`);
      const asUsual = { likeInput: false, spreadsheetSafe: false, badRowsPath: null, watchPath: null };
      const scored = (modelPath: string, inputPath: string) =>
        predict({ ...asUsual, outPath: join(folder, "x.csv"), modelPath, inputPath }, testConsole(), spawnWorker);
      await expect(scored(penguins, model)).rejects.toThrow(`${model} is one: name the model first.`);
      await expect(scored(penguins, penguins)).rejects.toThrow("This is not a Cupel model");
      const within = ended(penguins, join(model, "out"), { scalingFactor: 0 });
      await expect(within).rejects.toThrow(
        `The folder ${join(model, "out")} cannot be made: a part of its path is a file.`,
      );
    }));

  test("lists the columns where it knows none of that name", () =>
    withFolder(async (folder) => {
      const refused = ended(penguins, join(folder, "out"), { withoutColumns: ["z"] });
      await expect(refused).rejects.toThrow('no column "z" to leave out. The columns are "island", ');
    }));

  test("refuses to leave out the label", () =>
    withFolder(async (folder) => {
      const refused = ended(penguins, join(folder, "out"), { withoutColumns: ["species"] });
      await expect(refused).rejects.toThrow(
        /"species" is the label, which cannot be left out\. Leave out other columns/,
      );
    }));

  test("refuses a file to score at once where all columns are needed", () =>
    withFolder(async (folder) => {
      const lacking = join(folder, "lacking.csv");
      writeFileSync(lacking, "island\nDream\n");
      const refused = ended(penguins, join(folder, "out"), { refine: false, predictPaths: [lacking] });
      await expect(refused).rejects.toThrow(`${lacking}: The file lacks 5 of the 6 columns`);
    }));

  test("keeps its models where a refined table needs what a file lacks, and says so before the training", () =>
    withFolder(async (folder) => {
      const [train, lacking, whole] = ["train.csv", "lacking.csv", "whole.csv"].map((name) => join(folder, name));
      const table = knownTable(1_200, 1);
      writeFileSync(train!, table);
      writeFileSync(lacking!, "noise\n1\n");
      writeFileSync(whole!, table);
      const console = testConsole();
      const asked = { scalingFactor: 0, refine: true, predictPaths: [lacking!, whole!] };
      const code = await run(runOptions(train!, join(folder, "out"), asked), console, spawnWorker);
      expect(code).toBe(EXIT.badInput);
      expect(console.notes.join("\n")).toContain(
        `warning: It will not be scored. ${lacking}: The file lacks 4 of the 4`,
      );
      expect(readFileSync(join(folder, "out", "predictions-whole.csv"), "utf8").split("\n")).toHaveLength(1_202);
      expect(readFileSync(join(folder, "out", "model.cupel")).length).toBeGreaterThan(1_000);
    }));
});
