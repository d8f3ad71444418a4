// Training again with labelled rows in a browser: asked for on the Health page, compared in
// words, promoted and moved back, and beside as a shadow.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { openDatabase } from "../../../data/database/database.ts";
import { noteWatchState } from "../../../data/watch-counts.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addLabelledPrediction, addModel } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";

const PENGUINS = readFileSync(fixtureTable("penguins"), "utf8");

const WIDTHS = [390, 1440];

/** As if its newest rows had shifted. */
function letAlarm(folder: string, modelKey: string): void {
  const database = openDatabase(folder, new Date());
  try {
    noteWatchState(database, { modelKey, version: 1 }, { state: "SHIFTED", figures: null }, new Date());
  } finally {
    database.close();
  }
}

describeBrowser("successors", (start) => {
  test("are asked for, compared, promoted, and move back", async () => {
    const { page, server, address, folder } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 0);
    await page.goto(`${address}#/models/${modelKey}/health`);
    await page.getByText("Rows so far", { exact: true }).waitFor();
    expect(await page.getByRole("heading", { name: "Successors" }).count()).toBe(0);
    const predictionKey = await addLabelledPrediction(server, modelKey, PENGUINS);
    await page.reload();
    await page.getByRole("heading", { name: "Successors" }).waitFor();
    // The model does as promised: the form is folded, and says of how many rows it is.
    const form = page.getByText("Train again with 333 labelled rows");
    await form.waitFor();
    expect(await page.getByLabel("Training rows to keep").isVisible()).toBe(false);
    await look(page, "health-with-labels", WIDTHS);
    await form.click();
    await look(page, "successor-form", WIDTHS);
    await page.getByLabel("Training rows to keep").fill("300");
    await page.getByRole("button", { name: "Train again with these rows" }).click();
    await page.getByText(/^Both decided the same 1\d\d newest labelled rows, which were kept aside/).waitFor();
    // The file that came later is the training file.
    await page.getByText(/^1\d\d of them stand in the champion's dataset too/).waitFor();
    await page.getByText(/^The challenger alone decides \d+ of them right, the champion alone \d+\.$/).waitFor();
    await page.getByText(/It learned from a dataset of 300 rows of the champion’s and 2\d\d labelled rows/).waitFor();
    const models = page.getByRole("table", { name: "Models of the line" });
    const row = (at: number) => models.getByRole("row").nth(at);
    await row(1).getByText("Answers now").waitFor();
    await row(1).getByText("the champion of the comparison").waitFor();
    await row(2).getByText("the challenger").waitFor();
    await page.getByText(/may\.csv \(2\d\d learned from, 1\d\d kept aside\)/).waitFor();
    await look(page, "successor");
    await row(2).getByRole("button", { name: "Let it decide beside" }).click();
    await row(2).getByRole("button", { name: "Stop deciding beside" }).click();
    await row(2).getByRole("button", { name: "Let it decide beside" }).waitFor();
    await row(2).getByRole("button", { name: "Let it answer" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Let it answer" }).click();
    await row(2).getByText("Answers now").waitFor();
    const replaced = page.getByText(
      /^Its successor stands in its place and answers what is asked of it: the health of /,
    );
    await replaced.waitFor();
    await look(page, "health-replaced", WIDTHS);
    await page.getByRole("link", { name: /^the health of / }).click();
    await page.getByRole("heading", { name: /^Health of / }).waitFor();
    await replaced.waitFor({ state: "detached" });
    await page.goto(`${address}#/models`);
    await page.getByRole("link", { name: "Replaced by its successor" }).waitFor();
    const why = async () => {
      await page.goto(`${address}#/predictions/${predictionKey}`);
      const result = page.getByRole("table", { name: "The first rows of the result" });
      await result.waitFor();
      return await result.getByRole("columnheader", { name: "Why" }).count();
    };
    expect(await why()).toBe(0);
    letAlarm(folder, modelKey);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().slice(address.length)));
    await page.goto(`${address}#/models/${modelKey}`);
    await page.getByRole("heading", { name: "Successors" }).waitFor();
    await page.getByText("What do I do next?").waitFor();
    await replaced.waitFor();
    expect(asked.filter((path) => path.endsWith("/line"))).toEqual([`api/v1/models/${modelKey}/line`]);
    await look(page, "model-replaced", WIDTHS);
    await row(1).getByRole("button", { name: "Let it answer" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Let it answer" }).click();
    await row(1).getByText("Answers now").waitFor();
    await page.getByRole("link", { name: "what has shifted" }).waitFor();
    await replaced.waitFor({ state: "detached" });
    await look(page, "model-with-line");
    expect(await why()).toBe(1);
  });
});
