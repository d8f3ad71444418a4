// Rows scored at once: what their reasons name.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packModel } from "../../../engine/model/model-file.ts";
import { scoreRows } from "../../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { differenceModel, differenceRows } from "../../support/difference-models.ts";
import { testFolder } from "../../support/folders.ts";

const folder = testFolder();

test("a reason that is a difference names both columns", () => {
  const file = differenceModel();
  const path = join(folder, "model.cupel");
  writeFileSync(path, packModel(file));
  const names = file.columns.map(({ name }) => name);
  const rows = differenceRows(40).map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at]!, cell])));
  const reasons = scoreRows(new ModelCache(), path, rows, 10).scores.flatMap((score) => score.reasons!);
  expect(reasons).toContainEqual({ column: "closed", minus: "opened", effect: expect.any(Number) });
  expect(reasons).toContainEqual({ column: "place", effect: expect.any(Number) });
});
