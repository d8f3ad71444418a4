// Costs and thresholds in a browser: a training that is told what mistakes
// cost, and another threshold for its champion.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";

interface Details {
  objective: string;
  costs: number[][];
  versions: { version: number; threshold: number; trainedThreshold: number }[];
}

const thresholdOf = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Threshold", exact: true }) });

describeBrowser("decisions", (start) => {
  test("are told what mistakes cost, say so on the model's page, and follow another threshold", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("credit_g"), {});
    await page.goto(`${address}#/datasets/${datasetKey}/train`);
    await page.getByLabel("Decisions aim at").selectOption({ label: "Low costs of wrong decisions" });
    await page.getByLabel("A bad predicted as good costs").fill("");
    expect(await page.getByRole("button", { name: "Start the training" }).isDisabled()).toBeTrue();
    expect(await page.getByLabel("Target accuracy, in percent").count()).toBe(0);
    await page.getByLabel("A bad predicted as good costs").fill("5");
    await page.getByLabel("Search width (scaling factor)").fill("3");
    await look(page, "new-training-costs");
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).click();
    await page.getByRole("heading", { name: "Model of credit_g" }).waitFor();
    await page.getByText('"bad" predicted as "good" costs 5, any other wrong decision 1').waitFor();
    expect(await page.getByText("Optimised: mean cost").count()).toBe(1);
    const modelKey = page.url().split("/").at(-1)!;
    const details = () => server.call<Details>("GET", `/api/v1/models/${modelKey}/details`);
    expect(await details()).toMatchObject({
      objective: "cost",
      costs: [
        [0, 5],
        [1, 0],
      ],
    });
    expect((await details()).versions[0]!.threshold).toBeCloseTo(5 / 6, 12);

    const section = thresholdOf(page);
    const inUse = section.getByRole("row", { name: /^Threshold/ }).getByRole("cell");
    expect(await inUse.allTextContents()).toEqual(["83.3%", "83.3%"]);
    await section.getByRole("slider").focus();
    for (let step = 0; step < 8; step++) await page.keyboard.press("ArrowLeft");
    const [, slid] = await inUse.allTextContents();
    expect(Number.parseFloat(slid!)).toBeLessThan(83.3);
    await section.getByRole("button", { name: "Look at it" }).click();
    expect(await inUse.allTextContents()).toEqual(["83.3%", "83.3%"]);
    await section.getByLabel("A missed good costs").fill("3");
    await section.getByRole("button", { name: "Look at it" }).click();
    expect(await inUse.allTextContents()).toEqual(["83.3%", "62.5%"]);
    await look(page, "model-threshold");
    await page.setViewportSize({ width: 1440, height: 900 });
    await section.getByRole("button", { name: "Use 62.5% from now on" }).click();
    await section.getByRole("button", { name: "Back to the training's 83.3%" }).waitFor();
    expect((await details()).versions.map(({ threshold }) => Math.round(threshold * 1e6) / 1e6)[0]).toBe(0.625);

    await page.goto(`${address}#/models/${modelKey}/predict`);
    await page.getByLabel("File").setInputFiles(fixtureTable("credit_g"));
    await page.getByRole("button", { name: "Predict" }).click();
    await page.getByRole("heading", { name: "The first rows" }).waitFor();
    await page.getByText("good above 62.5%", { exact: true }).waitFor();
    expect(await page.getByText("Decisions aim at").count()).toBe(0);

    await page.goto(`${address}#/models/${modelKey}`);
    await section.getByRole("button", { name: "Back to the training's 83.3%" }).click();
    await section.getByRole("button", { name: "Back to the training's 83.3%" }).waitFor({ state: "detached" });
    expect((await details()).versions[0]!.threshold).toBeCloseTo(5 / 6, 12);
  });

  test("of three labels have costs of pairs and no threshold", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "species" });
    await page.goto(`${address}#/datasets/${datasetKey}/train`);
    await page.getByLabel("Decisions aim at").selectOption({ label: "Low costs of wrong decisions" });
    const costs = page.getByLabel("Costs of wrong decisions, one per line");
    await costs.fill("Adelie");
    await page.getByText("Some line is not a label").waitFor();
    await costs.fill("Adele=3");
    await page.getByLabel("Search width (scaling factor)").fill("2");
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByText('Did you mean "Adelie"?').first().waitFor();
    await costs.fill("Adelie:Gentoo=7\nChinstrap=3");
    await look(page, "new-training-pairs");
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).click();
    await page.getByText('"Adelie" predicted as "Gentoo" costs 7').waitFor();
    expect(await page.getByRole("slider").count()).toBe(0);
  });

  test("a model of two labels shows its threshold without costs too", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("churn"), {});
    const modelKey = await addModel(server, datasetKey, 0);
    await page.goto(`${address}#/models/${modelKey}`);
    const section = thresholdOf(page);
    await section.getByRole("slider").waitFor();
    await section.getByLabel("Version").selectOption({ index: 1 });
    for (const name of ["Precision and recall by threshold, yes", "ROC curve, yes"]) {
      expect(await section.getByRole("img", { name }).count()).toBe(1);
    }
  });
});
