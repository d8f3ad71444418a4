// Pages in a browser that writes numbers otherwise: also those in sentences of the server are the reader's.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addLabelledPrediction, addModel } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";
import { poll, type Status } from "../../support/server.ts";

const WIDTHS = [360, 1400];
const GERMAN_DATE = /\d{1,2}\.\d{1,2}\.\d{4}/g;
/** One or two decimals behind a point. */
const ENGLISH_NUMBER = /\S*\d\.\d{1,2}(?!\d)\S*/g;

/** Heavier than any penguin that the model was trained on; every third is told to be of the other sex. */
function heavierPenguins(): string {
  const [header, ...rows] = readFileSync(fixtureTable("penguins"), "utf8").trim().split(/\r?\n/);
  const names = header!.split(",");
  const [mass, sex] = [names.indexOf("body_mass_g"), names.indexOf("sex")];
  const changed = rows.map((row, at) => {
    const cells = row.split(",");
    cells[mass] = String(9_000 + at);
    if (at % 3 === 0 && cells[sex] !== "") cells[sex] = cells[sex] === "male" ? "female" : "male";
    return cells.join(",");
  });
  return [header, ...changed, ""].join("\n");
}

/** Tables are left out: cells of the reader's own file stay as they are. */
async function englishNumbersOn(page: Page): Promise<string[]> {
  const texts = await page.locator("main :is(h2, p, li, dd, figcaption, summary)").allTextContents();
  return texts.flatMap((text) => text.replaceAll(GERMAN_DATE, "").match(ENGLISH_NUMBER) ?? []);
}

describeBrowser("a browser in German", (start) => {
  test("has its numbers and dates in every sentence of a prediction, of health and of successors", async () => {
    const { page, server, address } = await start({ locale: "de-DE" });
    const modelKey = await addModel(
      server,
      await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" }),
      0,
    );
    const predictionKey = await addLabelledPrediction(server, modelKey, heavierPenguins());
    const { successorKey } = await server.call<{ successorKey: string }>(
      "POST",
      `/api/v1/models/${modelKey}/successors`,
      {},
    );
    const isOver = ({ status }: Status) => ["COMPLETED", "FAILED", "CANCELLED"].includes(status);
    await poll(() => server.call<Status>("GET", `/api/v1/successors/${successorKey}`), isOver);

    await page.goto(`${address}#/predictions/${predictionKey}`);
    await page.getByRole("cell", { name: /^100,0% lie above 6\.300, the highest in training/ }).waitFor();
    await page.getByText(/The promise is at most \d+,\d% wrong decisions/).waitFor();
    await page.getByRole("table", { name: "The first rows of the result" }).waitFor();
    expect(await englishNumbersOn(page)).toEqual([]);
    await look(page, "prediction-german", WIDTHS);

    await page.goto(`${address}#/models/${modelKey}/health`);
    await page.getByText(/^Worse than promised since .* The promise is at most \d+,\d% wrong decisions/).waitFor();
    await page
      .getByText(/^Challenger less champion is \+?−?\d+,\d points \[[+−]?\d+,\d; [+−]?\d+,\d\].* \(p (below )?\d,\d+\)/)
      .waitFor();
    expect(await englishNumbersOn(page)).toEqual([]);
    await look(page, "successor-german", WIDTHS);
    const older = page.getByRole("table", { name: "Models of the line" }).getByRole("row").nth(2);
    const date = (await older.getByRole("link").textContent())!;
    expect(date).toMatch(GERMAN_DATE);
    await older.getByRole("button", { name: "Let it answer" }).click();
    await page.getByRole("dialog").getByText(`From now on the model of ${date} answers`).waitFor();
  });

  test("has its numbers in the reason why a training waits", async () => {
    // Room for the table and the least that a model takes, but not for what the training makes.
    const { page, server, address } = await start({
      ...{ locale: "de-DE", settings: { CUPEL_QUOTA_GIB_PER_USER: "0.00015" } },
    });
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const { trainingJobKey } = await server.call<{ trainingJobKey: string }>(
      "POST",
      `/api/v1/training/datasets/${datasetKey}`,
      { scalingFactor: 0 },
    );
    await page.goto(`${address}#/trainings/${trainingJobKey}`);
    await page
      .getByText(/^QUOTA_EXCEEDED: This needs [\d.]+\.\d{3} bytes, and your files take \d+\.\d{3} of 161\.062 bytes\./)
      .waitFor();
    await look(page, "waiting-german", WIDTHS);
  });

  test("has its numbers in the reason why a training was not completed", async () => {
    const { page, server, address } = await start({ locale: "de-DE" });
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const { trainingJobKey } = await server.call<{ trainingJobKey: string }>(
      "POST",
      `/api/v1/training/datasets/${datasetKey}`,
      { scalingFactor: 0, performanceThreshold: 0.9999 },
    );
    await poll(
      () => server.call<Status>("GET", `/api/v1/training/${trainingJobKey}`),
      ({ status }) => status === "NOT_COMPLETED",
    );
    await page.goto(`${address}#/trainings/${trainingJobKey}`);
    await page.getByText(/No version reached the target of 0,9999\./).waitFor();
    await look(page, "not-completed-german", WIDTHS);
  });
});
