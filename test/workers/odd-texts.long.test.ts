// Any texts at all, from the file to answers: nothing breaks, and rows of a file are scored as rows alone.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { packModel } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { scoreFile } from "../../workers/scoring/score-file.ts";
import { read } from "../engine/csv/reading.ts";
import { readCsvText } from "../support/csv-table.ts";
import { withFolder } from "../support/folders.ts";
import { csvOf, FOREST, fileOf, WORDS } from "../support/text-models.ts";
import { drawTexts } from "../support/text-tables.ts";

const ROWS = 120;
const DRAWN = drawTexts(ROWS, 3, 8);

/** No NUL, which no table may hold, and no half of a character, which no file can. */
const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((own) => own !== "\0");
const strange = fc.oneof(
  fc.constantFrom(
    ..."😀👍🏽❤️🇩🇪 \u200d \u200f \ufeff \u2028 ﷺ é ß İ ǆ ㎏ 好吃 ราคา \u0301 <b> &nbsp; =1+1 \r\n \" '' 1,5 NA nan null __proto__".split(
      " ",
    ),
  ),
  character,
  fc.constantFrom(...DRAWN.texts),
);
const text = fc
  .array(strange, { maxLength: 8 })
  .chain((parts) => fc.constantFrom("", " ", "\n").map((by) => parts.join(by)));

test("any texts make a model that scores a file as it scores each of its rows", () =>
  withFolder(async (folder) => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (odd) => {
        // Most texts differ, else they might be a category.
        const texts = DRAWN.texts.map((own, row) => (row % 3 > 0 ? own : odd[row % odd.length]!));
        const csv = csvOf({ texts, labels: DRAWN.labels });
        const model = fileOf(readCsvText(csv), WORDS, FOREST);
        const [modelPath, inputPath, outputPath] = ["model.cupel", "in.csv", "out.csv"].map((name) =>
          join(folder, name),
        );
        writeFileSync(modelPath!, packModel(model));
        writeFileSync(inputPath!, csv);
        const paths = { modelPath: modelPath!, inputPath: inputPath!, outputPath: outputPath! };
        const { counts } = scoreFile({ ...paths, likeInput: false, spreadsheetSafe: false }, neverStop);
        expect(counts.rowCount).toBe(ROWS);
        const { header, records } = read(new Uint8Array(readFileSync(outputPath!)));
        const at = header!.names.indexOf("prediction");
        const rows = records.map(([number, review]) => ({ number: number!, review: review! }));
        const cache = new ModelCache();
        const { scores } = scoreRows(cache, modelPath!, rows, 2);
        expect(scores.map(({ label }) => label)).toEqual(records.map((record) => record[at]!));
        for (const row of [0, 1, ROWS - 1]) {
          const [alone] = scoreRows(cache, modelPath!, [rows[row]!]).scores;
          expect(alone!.probabilities).toEqual(scores[row]!.probabilities);
        }
      }),
      { numRuns: 15 },
    );
  }));

test("rows may hold what no file can: halves of characters and NUL", () =>
  withFolder(async (folder) => {
    const modelPath = join(folder, "model.cupel");
    writeFileSync(modelPath, packModel(fileOf(readCsvText(csvOf(DRAWN)), WORDS, FOREST)));
    const cache = new ModelCache();
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    fc.assert(
      fc.property(units, fc.constantFrom(...DRAWN.texts), (odd, own) => {
        const review = `${String.fromCharCode(...odd)} ${own} \ud800\0`;
        const { scores } = scoreRows(cache, modelPath, [{ number: 1, review }], 3);
        const probabilities = Object.values(scores[0]!.probabilities);
        expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
      }),
    );
  }));
