// Models in a browser: named and noted, sorted in their list, and two of them side by side.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel, signInAsAnother } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";

/** Narrow, wide, and wide at 200%. */
const WIDTHS = [390, 1440, 720];

const namesIn = (page: Page, table: string) =>
  page.getByRole("table", { name: table }).getByRole("rowheader").locator("a").allTextContents();

describeBrowser("comparing", (start) => {
  test("models have names and notes, lists an order, and two models stand side by side", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const first = await addModel(server, datasetKey, 2);
    const second = await addModel(server, datasetKey, 5);
    await page.goto(`${address}#/models/${first}`);
    await page.getByRole("button", { name: "Name it", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Few attempts");
    await page.getByLabel("Note", { exact: true }).fill("Made to see\nhow few are enough.");
    await look(page, "model-naming", WIDTHS);
    await page.getByRole("button", { name: "Store" }).click();
    await page.getByRole("heading", { name: "Few attempts" }).waitFor();
    await page.getByText("how few are enough.").waitFor();
    await page.getByRole("button", { name: "Name it (v1)" }).click();
    await page.getByLabel("Name", { exact: true }).fill("for the field");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Version 1" }).getByText("for the field").waitFor();
    await look(page, "model-named", WIDTHS);
    expect(await server.call<object>("GET", `/api/v1/models/${first}`)).toMatchObject({
      name: "Few attempts",
      note: "Made to see\nhow few are enough.",
      versions: [{ name: "for the field" }, {}, {}],
    });

    await page.goto(`${address}#/models`);
    await page.getByRole("link", { name: "Few attempts", exact: true }).waitFor();
    expect(await namesIn(page, "Models")).toEqual(["penguins", "Few attempts"]);
    const firstRow = page.locator("tbody tr:first-child th a");
    const byName = page.getByRole("button", { name: "Name" });
    await byName.focus();
    await page.keyboard.press("Enter");
    await page.locator("th[aria-sort=ascending]").waitFor();
    await firstRow.filter({ hasText: "Few attempts" }).waitFor();
    await byName.click();
    await page.locator("th[aria-sort=descending]").getByText("Name").waitFor();
    await firstRow.filter({ hasText: "penguins" }).waitFor();
    await look(page, "models-sorted", WIDTHS);

    for (const [path, head] of [
      ["datasets", "Rows"],
      ["trainings", "Accuracy"],
    ] as const) {
      await page.goto(`${address}#/${path}`);
      await page.getByRole("button", { name: head }).click();
      await page.getByRole("columnheader", { name: head }).and(page.locator("[aria-sort=descending]")).waitFor();
      expect(page.url()).toContain("sort=-");
    }
    await page.goto(`${address}#/models?sort=-name`);
    await page.getByRole("link", { name: "Compare Few attempts" }).click();
    await page.getByText("Nothing to compare yet").waitFor();
    await page.getByLabel("Model B").selectOption(second);
    await page
      .getByText(/^Both were judged on the same \d+ held-out rows(: A alone decides|, and decide the same)/)
      .waitFor();
    const figures = page.getByRole("table", { name: "Figures of both models" });
    expect(await figures.textContent()).toContain("Few attempts v1 for the field");
    const settings = page.getByRole("table", { name: "Settings that differ" });
    expect(await settings.getByRole("row", { name: /Scaling factor/ }).textContent()).toBe("Scaling factor25");
    await page.getByRole("table", { name: "Importance of columns in both models" }).waitFor();
    await look(page, "compare", WIDTHS);
    await page.getByLabel("Version of B").selectOption("2");
    await page.getByRole("table", { name: "Figures of both models" }).getByText("Model of penguins v2").waitFor();
    await page.goto(`${address}#/models/${second}`);
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByText("Nothing to compare yet").waitFor();
    expect(await page.getByLabel("Model A").inputValue()).toBe(second);

    const comparison = await server.call<{ difference: { firstAlone: number; secondAlone: number; mean: number } }>(
      "GET",
      `/api/v1/models/compare?a=${first}&b=${second}`,
    );
    const { firstAlone, secondAlone, mean } = comparison.difference;
    const wrongOf = async (key: string) =>
      (await server.call<{ versions: { falseDecisions: number }[] }>("GET", `/api/v1/models/${key}`)).versions[0]!
        .falseDecisions;
    const [one, other] = [await wrongOf(first), await wrongOf(second)];
    // What each alone gets right is what the counts of wrong decisions differ by.
    expect(secondAlone - firstAlone).toBe(one - other);
    const { holdout } = await server.call<Pick<RunSummary, "holdout">>("GET", `/api/v1/models/${first}/details`);
    expect(mean).toBeCloseTo((one - other) / holdout.rows, 10);

    await signInAsAnother(page, server);
    await page.goto(`${address}#/models/compare?a=${first}&b=${second}`);
    await page.getByText("There is no model `a` with this key.").waitFor();
  });
});
