// `bun test/bench/first-page.ts [PROGRAM]`: what the dashboard's first page
// costs: bytes sent, and the time until it can be used.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { ADMINISTRATOR, PASSWORD } from "../support/browser.ts";
import { endAll, FROM_SOURCE, serve } from "../support/server.ts";

const ROUNDS = 15;

const [program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-first-page-"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const { printed } = await serve(program === undefined ? FROM_SOURCE : [program], folder);
  const address = `${/listening on (\S+)/.exec(printed)![1]!}/`;
  await measure(browser, address);
} finally {
  await browser.close();
  await endAll();
  rmSync(folder, { recursive: true });
}

async function measure(browser: Browser, address: string): Promise<void> {
  const firsts: number[] = [];
  const stored: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // A context of its own has an empty cache.
    const context = await browser.newContext();
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(address)) foreign.push(request.url());
    });
    await page.goto(address, { waitUntil: "commit" });
    firsts.push(await timeUntil(page, "form button[type=submit]:not(:disabled)"));
    await page.waitForLoadState("load");
    if (round === 0) await tellBytes(page, "sign-in page, nothing cached");
    await page.getByLabel("E-mail", { exact: true }).fill(ADMINISTRATOR);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    await page.waitForLoadState("networkidle");
    if (round === 0) await tellBytes(page, "and after signing in");
    await page.goto(`${address}#/datasets`);
    await page.reload({ waitUntil: "commit" });
    stored.push(await timeUntil(page, ".empty a, .empty button, table.list"));
    if (foreign.length > 0) throw new Error(`the page asked for ${foreign.join()}`);
    await context.close();
  }
  tell("ms to the sign-in button, nothing cached", firsts);
  tell("ms to the datasets, session and parts stored", stored);
  process.stdout.write("no request left the origin\n");
}

/** From the navigation to the first frame that has the element. */
async function timeUntil(page: Page, selector: string): Promise<number> {
  const look = `new Promise((resolve) => {
    const frame = () => document.querySelector(${JSON.stringify(selector)}) ? resolve(performance.now()) : requestAnimationFrame(frame);
    frame();
  })`;
  return page.evaluate<number>(look);
}

async function tellBytes(page: Page, what: string): Promise<void> {
  const sizes = await page.evaluate<[string, number, number][]>(
    `performance.getEntries().filter((e) => e.entryType === "navigation" || /assets/.test(e.name)).map((e) => [e.name.split("/").at(-1), e.transferSize, e.encodedBodySize])`,
  );
  const sum = (at: 1 | 2) => sizes.reduce((total, entry) => total + entry[at], 0);
  process.stdout.write(`${what}: ${sizes.length} files, ${sum(1)} bytes with headers, ${sum(2)} without\n`);
}

function tell(what: string, values: number[]): void {
  const [min, median, max] = [0, values.length >> 1, values.length - 1].map(
    (at) => values.toSorted((a, b) => a - b)[at]!,
  );
  process.stdout.write(`${what}: ${min!.toFixed(0)} / ${median!.toFixed(0)} / ${max!.toFixed(0)} (min, median, max)\n`);
}
