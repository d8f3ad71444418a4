// Choosing the label in a browser: the column that is shown is the one that is trained, whoever is quicker.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";
import type { Server } from "../../support/server.ts";

const labelOf = async ({ call }: Server, datasetKey: string) =>
  (await call<{ labelColumn: string }>("GET", `/api/v1/datasets/${datasetKey}`)).labelColumn;
const trainingsOf = async ({ call }: Server) =>
  (await call<{ trainingJobs: { datasetKey: string }[] }>("GET", "/api/v1/training")).trainingJobs;
const chosenIn = (page: Page) => page.getByLabel("Column to predict").inputValue();
const goButton = (page: Page) => page.getByRole("button", { name: "Find the best model" });

/** Holds back the requests that change the label, until they are let go. */
async function holdLabels(page: Page): Promise<{ arrived: Promise<void>; letGo(): void }> {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/v1/datasets/*", async (route) => {
    if (route.request().method() === "PATCH") {
      arrival.resolve();
      await gate.promise;
    }
    await route.continue();
  });
  return { arrived: arrival.promise, letGo: gate.resolve };
}

describeBrowser("the label", (start) => {
  test("is stored as soon as it is chosen, and nothing starts before", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "species" });
    await page.goto(`${address}#/start/${datasetKey}`);
    await page.getByRole("radio", { name: "Use them all" }).check();
    const label = page.getByLabel("Column to predict");
    const { arrived, letGo } = await holdLabels(page);
    await label.focus();
    await label.selectOption("island");
    await arrived;
    expect(await goButton(page).isDisabled()).toBeTrue();
    // Nor does the keyboard begin it.
    await page.getByText("How long to search").click();
    await page.getByLabel("Search width").fill("0");
    await page.keyboard.press("Enter");
    await page.getByText("Reading the table again, to predict island").waitFor();
    await look(page, "start-label-being-read");
    // A second thought while the first is on its way: the last one counts.
    await label.selectOption("sex");
    letGo();
    await page.getByText("Predicts sex.").waitFor();
    expect([await chosenIn(page), await labelOf(server, datasetKey)]).toEqual(["sex", "sex"]);
    expect(await page.getByLabel("Search width").inputValue()).toBe("0");
    expect(await trainingsOf(server)).toEqual([]);
    await goButton(page).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    expect(await labelOf(server, datasetKey)).toBe("sex");
  });

  test("is chosen with the keyboard alone, which stays where it was", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "species" });
    await page.goto(`${address}#/start/${datasetKey}`);
    const label = page.getByLabel("Column to predict");
    await label.focus();
    await page.keyboard.press("i");
    await page.getByText("Predicts island.").waitFor();
    expect(await label.evaluate((field) => field.matches(":focus"))).toBeTrue();
    expect(await labelOf(server, datasetKey)).toBe("island");
    // A column with another value in nearly every row cannot be a label; the next choice mends that.
    await label.selectOption("bill_length_mm");
    await page.getByText("This label cannot be learned.").waitFor();
    expect(await chosenIn(page)).toBe("bill_length_mm");
    await label.selectOption("species");
    await page.getByText("Predicts species.").waitFor();
  });

  test("that another page has chosen is not trained unseen", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "species" });
    await page.goto(`${address}#/start/${datasetKey}`);
    await page.getByText("Predicts species.").waitFor();
    await server.call("PATCH", `/api/v1/datasets/${datasetKey}`, { labelColumn: "island" });
    await page.getByRole("radio", { name: "Use them all" }).check();
    await goButton(page).click();
    await page.getByRole("alert").waitFor();
    await page.getByText("Predicts island.").waitFor();
    expect(await chosenIn(page)).toBe("island");
    expect(await trainingsOf(server)).toEqual([]);
  });

  test("of a table that was trained on stays, and the page says why", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "species" });
    await addModel(server, datasetKey, 0);
    await page.goto(`${address}#/start/${datasetKey}`);
    await page.getByLabel("Column to predict").selectOption("island");
    await page.getByText("has used this dataset's label already").waitFor();
    await page.getByText("Predicts species.").waitFor();
    expect(await chosenIn(page)).toBe("species");
    await look(page, "start-label-in-use");
  });
});
