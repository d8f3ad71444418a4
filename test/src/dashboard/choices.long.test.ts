// Choosing in a browser how a dataset is read: each choice is stored at once,
// the table read again, and what was found is undone.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { DatasetRecord } from "../../../src/api/datasets/datasets.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import type { Server } from "../../support/server.ts";

const WIDTHS = [390, 640, 1440];
/**
 * An identifier, numbers with a text of their own for "no value", codes, dates, a group, and what gives the label away.
 */
function customers(): string {
  const rows = Array.from({ length: 240 }, (_, at) => {
    const age = 20 + ((at * 37) % 50);
    const told = at % 17 === 3 ? "unknown" : String(age);
    const zip = 10_115 + ((at * 7) % 6) * 100;
    const day = `2026-${String(1 + (at % 9)).padStart(2, "0")}-1${at % 7}`;
    return [
      `c-${1000 + at}`,
      told,
      zip,
      day,
      `clinic ${at % 12}`,
      ...(age > 45 ? ["closed", "yes"] : ["open", "no"]),
    ].join(",");
  });
  return `customer,age,zip,seen,clinic,outcome,left\n${rows.join("\n")}\n`;
}

const recordOf = ({ call }: Server, key: string) => call<DatasetRecord>("GET", `/api/v1/datasets/${key}`);
const kindOf = (page: Page, name: string) => page.getByLabel(`Kind of ${name}`, { exact: true });

async function open(start: () => Promise<{ page: Page; server: Server; folder: string; address: string }>) {
  const opened = await start();
  const path = join(opened.folder, "customers.csv");
  writeFileSync(path, customers());
  const datasetKey = await addDataset(opened.server, path, { labelColumn: "left" });
  await opened.page.goto(`${opened.address}#/datasets/${datasetKey}`);
  await opened.page.getByRole("heading", { name: "First rows" }).waitFor();
  return { ...opened, datasetKey };
}

describeBrowser("how a dataset is read", (start) => {
  test("is shown with its first rows, and chosen with the keyboard, which stays where it was", async () => {
    const { page, server, datasetKey } = await open(start);
    const table = page.getByRole("table", { name: "First rows of the file" });
    expect(await table.getByRole("row").count()).toBe(11);
    await look(page, "dataset-choices", WIDTHS);
    const zip = kindOf(page, "zip");
    expect(await zip.locator("option:checked").textContent()).toBe("as found: number");
    await zip.focus();
    await page.keyboard.press("c");
    await page.getByText("zip is read as category.").waitFor();
    expect(await zip.evaluate((field) => field.matches(":focus"))).toBeTrue();
    expect((await recordOf(server, datasetKey)).columnChoices).toEqual([{ name: "zip", kind: "category" }]);
    expect(await zip.locator("option").first().textContent()).toBe("as found: number");
    await page.getByLabel("Leave out clinic").check();
    await page.getByText("clinic is left out.").waitFor();
    await page.getByRole("cell", { name: "left out as asked" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "First rows" }).waitFor();
    expect([await zip.inputValue(), await page.getByLabel("Leave out clinic").isChecked()]).toEqual(["category", true]);
    await zip.selectOption("");
    await page.getByText("zip is read as its cells show.").waitFor();
    expect(await recordOf(server, datasetKey)).toMatchObject({ columnChoices: [], withoutColumns: ["clinic"] });
  });

  test("undoes what was found, and names texts", async () => {
    const { page, server, datasetKey } = await open(start);
    const found = page.getByRole("listitem").filter({ hasText: "In age, “unknown” counts as missing." });
    await found.getByRole("button", { name: "Undo in age" }).click();
    await page.getByText("All texts of age are values.").waitFor();
    expect((await recordOf(server, datasetKey)).columnChoices).toEqual([{ name: "age", missingTexts: [] }]);
    expect(await found.count()).toBe(0);
    await page.getByRole("button", { name: "As found for the texts of age" }).click();
    await found.waitFor();
    await page.getByRole("button", { name: "Use it as a category for customer" }).click();
    await page.getByText("Name a text in clinic").click();
    const text = page.getByLabel("A text of clinic that means no value");
    await text.fill("clinic 3");
    await page.keyboard.press("Enter");
    await page.getByText("The texts of clinic that mean no value were stored.").waitFor();
    expect((await recordOf(server, datasetKey)).columnChoices).toEqual([
      { name: "customer", kind: "category" },
      { name: "clinic", missingTexts: ["clinic 3"] },
    ]);
    await page.getByText("Texts that mean no value in every column").click();
    await page.getByRole("button", { name: "Undo “?” as no value in every column" }).click();
    await page.getByText("The texts that mean no value were stored.").waitFor();
    expect((await recordOf(server, datasetKey)).missingValues).not.toContain("?");
    await look(page, "dataset-choices-made", WIDTHS);
    await page.getByLabel("Rows that belong together").selectOption("clinic");
    await page.getByText("Stored for the next training.").waitFor();
    await page.getByText("Judged by clinic.").waitFor();
    expect((await recordOf(server, datasetKey)).groupColumn).toBe("clinic");
  });

  test("takes choices together that are made while an earlier one is on its way", async () => {
    const { page, server, datasetKey } = await open(start);
    const arrival = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const sent: unknown[] = [];
    await page.route("**/api/v1/datasets/*", async (route) => {
      if (route.request().method() === "PATCH") {
        sent.push(route.request().postDataJSON());
        arrival.resolve();
        await gate.promise;
      }
      await route.continue();
    });
    await kindOf(page, "zip").selectOption("text");
    await arrival.promise;
    await page.getByText("Reading the table again").waitFor();
    await page.getByLabel("Leave out clinic").check();
    await kindOf(page, "zip").selectOption("category");
    gate.resolve();
    await page.getByText("zip is read as category.").waitFor();
    const columnChoices = [{ name: "zip", kind: "category" }];
    expect(sent).toEqual([
      { columnChoices: [{ name: "zip", kind: "text" }] },
      { columnChoices, withoutColumns: ["clinic"] },
    ]);
    expect(await recordOf(server, datasetKey)).toMatchObject({ columnChoices, withoutColumns: ["clinic"] });
    // Somebody else's training keeps the table as it is: the page says so, and shows what is stored.
    await server.call("POST", `/api/v1/training/datasets/${datasetKey}`, { scalingFactor: 400 });
    await kindOf(page, "zip").selectOption("date");
    await page.getByRole("alert").getByText("A training uses this dataset").waitFor();
    expect(await kindOf(page, "zip").inputValue()).toBe("category");
  });

  test("that cannot be is said, and the way back stays open", async () => {
    const { page, server, datasetKey } = await open(start);
    await kindOf(page, "clinic").selectOption("number");
    await page.getByText("The table cannot be read like this.").waitFor();
    await page.getByText("cannot be read as numbers").waitFor();
    await look(page, "dataset-choices-failed", WIDTHS);
    await page.reload();
    await page.getByText("The table cannot be read like this.").waitFor();
    await kindOf(page, "clinic").selectOption("");
    await page.getByText("clinic is read as its cells show.").waitFor();
    await page.getByRole("heading", { name: "Classes" }).waitFor();
    expect(await recordOf(server, datasetKey)).toMatchObject({ status: "COMPLETED", columnChoices: [] });
  });

  test("holds for trainings, whose model says so; what they doubt is answered there", async () => {
    const { page, server, datasetKey } = await open(start);
    await kindOf(page, "zip").selectOption("category");
    await page.getByText("zip is read as category.").waitFor();
    const modelKey = await addModel(server, datasetKey, 0);
    const { columns } = await server.call<{ columns: { name: string; kind: string }[] }>(
      "GET",
      `/api/v1/models/${modelKey}/details`,
    );
    expect(columns.find(({ name }) => name === "zip")).toMatchObject({ kind: "category", foundKind: "number" });
    await page.reload();
    await page.getByText('Column "outcome" alone').waitFor();
    await look(page, "dataset-doubted", WIDTHS);
    await page.getByRole("button", { name: "Train without outcome" }).click();
    await page.getByText("Stored for the next training: Train without outcome.").waitFor();
    expect(await recordOf(server, datasetKey)).toMatchObject({ withoutColumns: ["outcome"], doubts: [] });
  });
});
