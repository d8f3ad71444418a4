// Large files in a browser over a link that breaks: the page says so, goes on by itself, and what arrives is the file.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeBrowser, look, type Opened, type Start } from "../../support/browser.ts";
import { type CuttingProxy, startCuttingProxy } from "../../support/cutting-proxy.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { withFolder } from "../../support/folders.ts";
import { fixtureTable } from "../../support/in-process.ts";

/** Above what is sent at once. */
const LEAST_BYTES = 9_000_000;
const PAUSED = "The connection broke. Sending goes on by itself, from what has arrived.";

/** The rows of a table again and again, in a file of its own. */
function large(folder: string, name: string): string {
  const [header, ...rows] = readFileSync(fixtureTable("penguins"), "utf8").trimEnd().split("\n");
  const block = `${rows.join("\n")}\n`;
  const path = join(folder, name);
  writeFileSync(path, `${header}\n${block.repeat(Math.ceil(LEAST_BYTES / block.length))}`);
  return path;
}

/** A page behind a link that breaks once, when 3 MB have passed, and stays down until `mend`. */
async function startBroken(start: Start): Promise<Opened & { proxy: CuttingProxy; mend(): void }> {
  const { promise, resolve: mend } = Promise.withResolvers<void>();
  const proxy = await startCuttingProxy({ cutEveryBytes: 3_000_000, cuts: 1, isDownMeanwhile: true }, () => promise);
  const through = async (port: number) => {
    proxy.lead(port);
    return proxy.origin;
  };
  return { ...(await start({ through })), proxy, mend };
}

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const storedIn = (folder: string) =>
  readdirSync(join(folder, "files")).map((name) => hashOf(join(folder, "files", name)));

describeBrowser("large files", (start) => {
  test("of a dataset go on after the link broke, and the page says that they do", () =>
    withFolder(async (files) => {
      const path = large(files, "many.csv");
      const { page, folder, proxy, mend } = await startBroken(start);
      await page.getByRole("link", { name: "Datasets", exact: true }).click();
      await page.getByRole("link", { name: "New dataset" }).click();
      await page.getByLabel("File").setInputFiles(path);
      await page.getByRole("button", { name: "Make the dataset" }).click();
      await page.getByText(PAUSED).waitFor();
      await look(page, "sending-paused");
      mend();
      await page.getByRole("heading", { name: "Columns", exact: true }).waitFor();
      expect(storedIn(folder)).toEqual([hashOf(path)]);
      proxy.close();
    }));

  test("of a refinement do so too, and one that is stopped can be sent again", () =>
    withFolder(async (files) => {
      const path = large(files, "many.csv");
      const { page, folder, proxy, mend } = await startBroken(start);
      await page.goto(`${page.url().split("#")[0]}#/refinements/new`);
      await page.getByLabel("TRAIN file").setInputFiles(path);
      await page.getByLabel("TEST file").setInputFiles(fixtureTable("penguins"));
      await page.getByRole("button", { name: "Send and start" }).click();
      await page.getByText(PAUSED).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      mend();
      await page.getByRole("progressbar").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Send and start" }).click();
      await page.waitForURL(/#\/refinements\/[0-9a-f-]{36}$/);
      expect(storedIn(folder).sort()).toEqual([hashOf(path), hashOf(fixtureTable("penguins"))].sort());
      proxy.close();
    }));

  test("to predict do so too", () =>
    withFolder(async (files) => {
      const path = large(files, "rows.csv");
      const { page, server, proxy, mend } = await startBroken(start);
      const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
      const modelKey = await addModel(server, datasetKey, 2);
      await page.goto(`${page.url().split("#")[0]}#/models/${modelKey}/predict`);
      await page.getByLabel("File").setInputFiles(path);
      await page.getByText("All 6 columns that the model needs are there.").waitFor();
      await page.getByRole("button", { name: "Predict" }).click();
      await page.getByText(PAUSED).waitFor();
      mend();
      await page.getByRole("heading", { name: "The first rows" }).waitFor();
      proxy.close();
    }));
});
