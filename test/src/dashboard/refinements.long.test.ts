// Refinements in a browser: two files sent and refined, what came of them, the
// reduced pair, a dataset of it; cancelled, unfit, foreign.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describeBrowser, look, signIn } from "../../support/browser.ts";
import { knownTable } from "../../support/refinery.ts";

const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

async function send(page: Page, train: string, testRows: string): Promise<void> {
  await page.getByRole("link", { name: "Refinements", exact: true }).click();
  await page.getByRole("link", { name: "New refinement" }).click();
  await page.getByLabel("TEST file").setInputFiles(csv("test.csv", testRows));
  await page.getByLabel("TRAIN file").setInputFiles(csv("train.csv", train));
  await page.getByLabel("Name").fill("known columns");
  await page.getByLabel("Buckets").selectOption("4");
}

describeBrowser("refinements", (start) => {
  test("find the columns with a signal, and say why", async () => {
    const { page } = await start();
    await page.getByRole("link", { name: "Refinements", exact: true }).click();
    await page.getByText("No refinements yet").waitFor();
    await look(page, "refinements-empty");
    await send(page, knownTable(500, 1), knownTable(150, 2));
    await page.getByRole("combobox", { name: "Label column" }).waitFor();
    await look(page, "new-refinement");
    await page.getByRole("button", { name: "Send and start" }).click();
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await look(page, "refinement-running");
    await page.getByRole("heading", { name: "Column by column" }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("known columnsCompleted");
    const constant = page.getByRole("row", { name: /^always/ });
    expect(await constant.textContent()).toContain("The same value in every row");
    await page.getByRole("img", { name: "Wrong decisions and columns by proposal" }).waitFor();
    await look(page, "refinement");
    const download = page.waitForEvent("download");
    await page.getByRole("listitem").filter({ hasText: "Reduced TEST" }).getByRole("button").click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("known columns-test.csv");
    expect(readFileSync(await file.path(), "utf8")).toStartWith("strong,");
    await page.getByRole("button", { name: "Make a dataset" }).click();
    await look(page, "refinement-dataset");
    await page.getByRole("button", { name: "Make the dataset" }).click();
    await page.getByRole("heading", { name: "Columns", exact: true }).waitFor();
    await page.getByRole("link", { name: "Train", exact: true }).click();
    // What was reached on random rows is no target for a training that is judged by groups.
    const target = page.getByLabel("Target accuracy");
    const reached = await target.inputValue();
    expect(Number(reached)).toBeGreaterThan(50);
    await page.getByText("How are new rows related to these?").click();
    await page.getByLabel("Rows that belong together").selectOption("strong");
    expect(await target.inputValue()).toBe("");
    await page.getByText("What the refinement reached was measured otherwise").waitFor();
    await page.getByLabel("Rows that belong together").selectOption("");
    expect(await target.inputValue()).toBe(reached);
    await page.getByRole("link", { name: "Refinements", exact: true }).click();
    await page.getByRole("searchbox").fill("KNOWN");
    await look(page, "refinements");
    await page.getByRole("link", { name: "known columns" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No refinements yet").waitFor();
  });

  test("offer the columns of TEST while names are typed, and those of TRAIN to choose from", async () => {
    const { page } = await start();
    await page.getByRole("link", { name: "Refinements", exact: true }).click();
    await page.getByRole("link", { name: "New refinement" }).click();
    await page.getByText("How are new rows related to these?").click();
    const group = page.getByLabel("Rows that belong together");
    await group.fill("machine");
    await page.getByLabel("TEST file").setInputFiles(csv("test.csv", "machine,plan,label\n1,a,yes\n"));
    await page.locator("datalist").first().waitFor({ state: "attached" });
    const likely = page.locator("datalist").nth(1).locator("option");
    expect(await likely.evaluateAll((own) => own.map((option) => (option as { value?: string }).value))).toEqual([
      "machine",
      "plan",
    ]);
    await page.getByLabel("TRAIN file").setInputFiles(csv("train.csv", "engine,plan,label\n1,a,yes\n"));
    await page.getByRole("option", { name: "The last one: label" }).waitFor({ state: "attached" });
    // What was typed stays a choice.
    expect(await group.getByRole("option").allTextContents()).toEqual([
      "None: each row stands for itself",
      ...["engine", "plan", "machine"],
    ]);
    expect(await group.inputValue()).toBe("machine");
    await look(page, "new-refinement-columns");
  });

  test("can be cancelled, and say so", async () => {
    const { page } = await start();
    await send(page, knownTable(12_000, 1), knownTable(1_000, 2));
    await page.getByRole("button", { name: "Send and start" }).click();
    // While files are sent there is another button of this name.
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("The refinement was cancelled.").waitFor();
    await look(page, "refinement-cancelled");
  });

  test("say what is wrong with a file, and lose nothing where sending fails", async () => {
    const { page, server } = await start();
    await send(page, knownTable(100, 1), "a,b,label\n1,2,yes\n3,4,no\n");
    await page.route("**/api/v1/uploads/*/TEST?*", (route) =>
      route.fulfill({
        status: 408,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "REQUEST_TOO_SLOW", detail: "The body arrives too slowly.", requestId: "" }),
      }),
    );
    await page.getByRole("button", { name: "Send and start" }).click();
    await page.getByText("The body arrives too slowly.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("known columns");
    expect(await server.call<{ total: number }>("GET", "/api/v1/feature-refinery")).toMatchObject({ total: 0 });
    await page.unroute("**/api/v1/uploads/*/TEST?*");
    await page.getByRole("button", { name: "Send and start" }).click();
    const note = page.getByRole("note");
    await note.getByText("The refinement failed.").waitFor();
    expect(await note.textContent()).toContain('TEST file "test.csv"');
    await look(page, "refinement-failed");
  });

  test("of another user are not found, below a base path too", async () => {
    const { page, server, address } = await start({ settings: { CUPEL_BASE_PATH: "/ml" }, isSignedIn: false });
    const run = await server.call<{ featureRefinementKey: string }>("POST", "/api/v1/feature-refinery", {});
    const dataset = await server.call<{ datasetKey: string }>("POST", "/api/v1/datasets", {
      name: "foreign",
      numberOfBuckets: 10,
    });
    const { password } = await server.call<{ password: string }>("POST", "/api/v1/users", {
      email: "bob@example.org",
      role: "user",
    });
    await signIn(page, "bob@example.org", password);
    for (const path of [
      `refinements/${run.featureRefinementKey}`,
      `start/${dataset.datasetKey}`,
      "refinements/nothing",
    ]) {
      await page.goto(`${address}#/${path}`);
      await page.getByRole("alert").waitFor();
    }
    await page.goto(`${address}#/refinements/${run.featureRefinementKey}`);
    await page.getByText("There is no refinement with this key").waitFor();
    await look(page, "refinement-foreign");
  });
});
