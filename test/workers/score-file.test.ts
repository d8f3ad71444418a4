// Scoring files in a long-lived thread: nothing stays open behind it.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { neverStop } from "../../engine/stop-signal.ts";
import { scoreFile } from "../../workers/scoring/score-file.ts";
import { withFolder } from "../support/folders.ts";

const MODELS = join(import.meta.dir, "..", "fixtures", "models");

test("every file that was opened is closed", () =>
  withFolder(async (folder) => {
    const request = {
      modelPath: join(MODELS, "penguins-naive-Bayes.cupel"),
      inputPath: join(MODELS, "penguins-input.csv"),
      outputPath: join(folder, "result.csv"),
      likeInput: false,
      spreadsheetSafe: false,
    };
    scoreFile(request, neverStop);
    const before = readdirSync("/dev/fd").length;
    for (let i = 0; i < 20; i++) scoreFile(request, neverStop);
    expect(readdirSync("/dev/fd").length).toBe(before);
  }));
