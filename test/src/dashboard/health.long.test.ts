// The Health page in a browser: states in words, the timeline, what shifted;
// and where lists and the first page lead to it.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../data/database/database.ts";
import { models } from "../../../data/database/schema.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findModelVersion } from "../../../data/models.ts";
import { setOutcomes } from "../../../data/outcomes.ts";
import { claimNextPrediction, completePrediction, insertPrediction } from "../../../data/predictions.ts";
import { addWatchCounts, noteWatchState } from "../../../data/watch-counts.ts";
import { readWatchedModel, type WatchedModel } from "../../../engine/model/model-file.ts";
import { noOutcomes } from "../../../engine/outcomes/outcomes.ts";
import { Random } from "../../../engine/random.ts";
import type { ScoredCounts } from "../../../engine/watch/scored-counts.ts";
import { withParts } from "../../../workers/reading/file-chunks.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";

const WIDTHS = [360, 1400];
const CODES = 14;
const ROWS = 400;
const DAY_MS = 86_400_000;

/** Counts of rows like the training rows; where they are shifted, one column lies above the highest of these. */
function countsLike({ reference, reliability, labels, columns }: WatchedModel, isShifted: boolean): ScoredCounts {
  const full = (codes: readonly number[]) => [...codes, ...new Array<number>(CODES - codes.length).fill(0)];
  const scaled = (counts: readonly number[], missing: number) => {
    const sum = counts.reduce((total, count) => total + count, missing);
    return [missing, ...counts].map((count) => Math.round((ROWS * count) / sum));
  };
  const moved = isShifted ? columns.findIndex(({ name }) => name === "body_mass_g") : -1;
  return {
    ...{ rowCount: ROWS, countedRows: ROWS, asTrained: true },
    cells: reference!.map((column, at) => {
      const [missing, ...known] = scaled(column.counts, column.missing);
      if (column.kind === "category") return full([missing!, 0, ...known]);
      const zeros = known.map(() => 0);
      return full(at === moved ? [0, 0, 0, ...zeros, ROWS] : [missing!, 0, 0, ...known, 0]);
    }),
    decisions: labels.map(() => ROWS / labels.length),
    confidence: { sum: ROWS * 0.9, tenths: [0, 0, 0, 0, 0, 0, 0, 0, ROWS, 0] },
    reliability: reliability!.rows.map((_, at) => (at === 0 ? ROWS : 0)),
  };
}

/** The model was used on the three days in the middle of the month before. */
function useModel(folder: string, modelKey: string): void {
  const database = openDatabase(folder, new Date());
  try {
    const id = { modelKey, version: 1 };
    const model = withParts(join(folder, findModelVersion(database, modelKey, 1)!.filePath), readWatchedModel);
    const now = new Date();
    const middle = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12);
    for (const day of [0, 1, 2])
      addWatchCounts(database, id, countsLike(model, day === 2), new Date(middle + day * DAY_MS));
    noteWatchState(database, id, { state: "SHIFTED", figures: null }, now);
  } finally {
    database.close();
  }
}

/** Labels of the three days, of which those of the last are as often wrong as right. */
function addLabels(folder: string, modelKey: string): void {
  const database = openDatabase(folder, new Date());
  try {
    const now = new Date();
    const middle = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12);
    const { userKey } = database.orm.select({ userKey: models.userKey }).from(models).get()!;
    database.write(() => {
      for (const [day, wrong] of [30, 45, 150].entries()) {
        const then = new Date(middle + day * DAY_MS);
        const key = crypto.randomUUID();
        const files = { inputPath: statePaths.file(key), inputBytes: 1, keyColumn: null };
        insertPrediction(database, { key, userKey, modelKey, version: 1, filterColumns: false, ...files }, then);
        claimNextPrediction(database, then);
        const result = { resultPath: statePaths.result(key), resultBytes: 1, labelCounts: [], warnings: [] };
        completePrediction(database, key, { ...result, rowCount: 300 }, then);
        const counts = noOutcomes(2);
        counts.confusion[0] = [300 - wrong, wrong];
        const labels = { path: statePaths.file(key), bytes: 1, labelColumn: null, keyColumn: null, asTrained: true };
        setOutcomes(database, userKey, { ...labels, predictionKey: key, counts }, then);
      }
    });
    noteWatchState(database, { modelKey, version: 1 }, { state: "WORSE_THAN_PROMISED", figures: null }, now);
  } finally {
    database.close();
  }
}

describeBrowser("the health of a model", (start) => {
  test("begins without rows, and tells of a shift where one came; lists and the first page lead to it", async () => {
    const { page, server, address, folder } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 0);
    await page.goto(`${address}#/models/${modelKey}`);
    await page.getByRole("link", { name: "Health", exact: true }).click();
    await page.getByRole("heading", { name: "Health of penguins" }).waitFor();
    await page.getByText("Nothing was counted yet").waitFor();
    await page.getByText(/^Not judged yet/).waitFor();
    await look(page, "health-empty", WIDTHS);
    await page.goto(`${address}#/models`);
    await page.getByRole("link", { name: "penguins", exact: true }).waitFor();
    expect(await page.getByText("Shifted").count()).toBe(0);

    useModel(folder, modelKey);
    await page.goto(`${address}#/`);
    await page.reload();
    await page.getByText(/^This model may no longer be as good as measured/).waitFor();
    await look(page, "home-shifted", WIDTHS);
    await page.goto(`${address}#/models`);
    const word = page.getByRole("link", { name: "Shifted" });
    await word.waitFor();
    await look(page, "models-shifted", WIDTHS);
    for (const screen of ["", "/row", "/predict"]) {
      await page.goto(`${address}#/models/${modelKey}${screen}`);
      await page.getByText(/^Shifted: in the rows of .*, 1 column has shifted\./).waitFor();
      await page.getByRole("link", { name: "Its health" }).waitFor();
      await look(page, `shifted${screen.replace("/", "-")}`, WIDTHS);
    }
    await page.goto(`${address}#/models`);
    await word.focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^Shifted: in the rows of .*, 1 column has shifted\./).waitFor();
    await page.getByText(/^Look at the columns that shifted/).waitFor();
    const timeline = page.getByRole("img", { name: "The model over time" });
    expect(await timeline.filter({ visible: true }).count()).toBe(1);
    const [moved] = await page
      .getByRole("table", { name: "Columns, those that shifted the most first" })
      .locator("tbody tr")
      .allTextContents();
    expect(moved).toMatch(/^body_mass_gshifted100\.0% lie above .*, the highest in training/);
    await page.getByText("Table behind the picture").click();
    const rows = page.getByRole("table", { name: "The model over time" }).locator("tbody tr");
    expect(await rows.count()).toBe(3);
    expect(await rows.first().textContent()).toMatch(/400shifted1/);
    await look(page, "health-shifted", WIDTHS);
    await page.getByRole("link", { name: "Show 13 months" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The last 13 months" }).waitFor();

    addLabels(folder, modelKey);
    await page.goto(`${address}#/`);
    await page.reload();
    await page.getByRole("link", { name: "Worse than promised" }).waitFor();
    await page.goto(`${address}#/models/${modelKey}`);
    const chip = page.getByRole("link", { name: "Worse than promised" });
    await chip.waitFor();
    await page.getByRole("link", { name: "train again with the rows whose labels came later" }).waitFor();
    const real = page.getByText(
      /^Worse than promised: 75\.0% \[.*\] of 900 rows with labels were right; .* in training\.$/,
    );
    await real.waitFor();
    await look(page, "model-worse", WIDTHS);
    for (const screen of ["row", "predict"]) {
      await page.goto(`${address}#/models/${modelKey}/${screen}`);
      await real.waitFor();
      await look(page, `worse-${screen}`, WIDTHS);
    }
    await page.goto(`${address}#/models/${modelKey}`);
    await chip.click();
    await page.getByText(/^Worse than promised since the labels of .* 1 column has shifted\./).waitFor();
    await page.getByText(/^Train again on rows of today/).waitFor();
    await page.getByText("Train again with 900 labelled rows").waitFor();
    expect(await page.getByLabel("Training rows to keep").isVisible()).toBe(true);
    await page.getByText("Table behind the picture").click();
    expect(await rows.first().textContent()).toMatch(/50\.0% \[44\.4, 55\.6\]300$/);
    await look(page, "health-worse", WIDTHS);
  });

  test("takes the praise from a model that labels have shown to be worse, and leaves how it was judged", async () => {
    const { page, server, address, folder } = await start();
    const random = new Random(7);
    const rows = Array.from({ length: 1_000 }, () => {
      const [x, y] = [random.nextFloat(), random.nextFloat()];
      return `${x.toFixed(4)},${y.toFixed(4)},${x + 0.3 * random.nextFloat() > 0.65 ? "high" : "low"}`;
    });
    const path = join(folder, "levels.csv");
    writeFileSync(path, `x,y,level\n${rows.join("\n")}\n`);
    const modelKey = await addModel(server, await addDataset(server, path, {}), 2);
    const praise = ["No doubt found", "Expect this on new rows", "Clearly better than"].map((words) =>
      page.getByText(words),
    );
    await page.goto(`${address}#/models/${modelKey}`);
    for (const words of praise) await words.waitFor();
    addLabels(folder, modelKey);
    await page.reload();
    await page.getByText(/^Worse than promised: 75\.0%/).waitFor();
    await page.getByText(/^is the accuracy of the same settings on/).waitFor();
    await page.getByText(/^No sign was found that rows belong together/).waitFor();
    for (const words of praise) expect(await words.count()).toBe(0);
    await look(page, "model-worse-without-doubt", WIDTHS);
    await page.goto(`${address}#/models`);
    await page.getByRole("link", { name: "Worse than promised" }).waitFor();
    expect(await praise[0]!.count()).toBe(0);
    await look(page, "models-worse", WIDTHS);
  });

  test("is told in the numbers of a German browser, also where the server writes them", async () => {
    const { page, server, address, folder } = await start({ locale: "de-DE" });
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 0);
    useModel(folder, modelKey);
    addLabels(folder, modelKey);
    await page.goto(`${address}#/models/${modelKey}/health`);
    await page.getByText(/^Worse than promised .* The promise is at most \d+,\d% wrong decisions/).waitFor();
    await page.getByRole("cell", { name: /^100,0% lie above \d\.\d{3}, the highest in training/ }).waitFor();
    await look(page, "health-german", WIDTHS);
  });

  test("says that nothing is counted where the server does not watch", async () => {
    const { page, server, address } = await start({ settings: { CUPEL_WATCH: "off" } });
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 0);
    await page.goto(`${address}#/models/${modelKey}/health`);
    await page.getByText("Nothing is counted").waitFor();
    await page.getByText(/^This server counts nothing\. Ask whoever runs it/).waitFor();
    await look(page, "health-off", WIDTHS);
  });
});
