// `bun test/bench/first-model.ts [PROGRAM]`: how long it takes on credit_g from opening the page to a model, in a
// browser that does not think: the file is sent, the label is the one that is offered, all columns are used.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { fixtureTable } from "../support/in-process.ts";
import { endAll, FROM_SOURCE, serve } from "../support/server.ts";
import { signedInPage } from "../support/signed-in-page.ts";

const ROUNDS = 5;

const [program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-first-model-"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const server = await serve(program === undefined ? FROM_SOURCE : [program], folder);
  for (let round = 0; round < ROUNDS; round++) {
    const { page, address } = await signedInPage(browser, server);
    const start = performance.now();
    const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    await page.goto(address);
    await page.getByLabel("Your table").setInputFiles(fixtureTable("credit_g"));
    await page.getByRole("radio", { name: "Use them all" }).check();
    const asked = seconds();
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor({ timeout: 60_000 });
    const found = seconds();
    process.stdout.write(`round ${round + 1}: training asked for after ${asked}, model there after ${found}\n`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await endAll();
  rmSync(folder, { recursive: true });
}
