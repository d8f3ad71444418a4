// `bun test/bench/model-page.ts [PROGRAM]`: how long the page of a model takes to
// show itself, from the navigation to its largest paint.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { addDataset, addModel } from "../support/dashboard-data.ts";
import { fixtureTable } from "../support/in-process.ts";
import { endAll, FROM_SOURCE, type Server, serve } from "../support/server.ts";
import { signedInPage } from "../support/signed-in-page.ts";

const ROUNDS = 15;
const SCALING_FACTOR = 19;

/** Milliseconds since the navigation began. */
interface Painted {
  /** The first text. */
  first: number;
  largest: number;
  /** The largest. */
  element: string;
  requests: number;
}

const [program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-model-page-"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const server = await serve(program === undefined ? FROM_SOURCE : [program], folder);
  const modelKey = await addModel(server, await addDataset(server, fixtureTable("credit_g"), {}), SCALING_FACTOR);
  await measure(browser, server, modelKey);
} finally {
  await browser.close();
  await endAll();
  rmSync(folder, { recursive: true });
}

async function measure(browser: Browser, server: Server, modelKey: string): Promise<void> {
  const withoutCache: Painted[] = [];
  const withCache: Painted[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { page, address } = await signedInPage(browser, server);
    await page.goto(`${address}#/models/${modelKey}`, { waitUntil: "networkidle" });
    withoutCache.push(await painted(page));
    await page.reload({ waitUntil: "networkidle" });
    withCache.push(await painted(page));
    await page.context().close();
  }
  tell("nothing cached", withoutCache);
  tell("parts cached", withCache);
}

/** The paints of a page that has settled. */
async function painted(page: Page): Promise<Painted> {
  return page.evaluate<Painted>(`new Promise((resolve) => {
    const paints = performance.getEntriesByType("paint");
    const first = paints.find(({ name }) => name === "first-contentful-paint").startTime;
    const requests = performance.getEntriesByType("resource").length;
    new PerformanceObserver((list) => {
      const { startTime, element } = list.getEntries().at(-1);
      const name = element === null ? "(gone)" : element.tagName.toLowerCase() + (element.className && "." + element.className) + " " + element.textContent.slice(0, 40);
      resolve({ first, largest: startTime, element: name, requests });
    }).observe({ type: "largest-contentful-paint", buffered: true });
  })`);
}

function tell(what: string, rounds: readonly Painted[]): void {
  const three = (of: (round: Painted) => number) => {
    const sorted = rounds.map(of).toSorted((a, b) => a - b);
    return [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((ms) => ms.toFixed(0)).join(" / ");
  };
  process.stdout.write(
    `${what}, ${rounds.length} rounds (min / median / max): first paint ${three(({ first }) => first)} ms, ` +
      `largest ${three(({ largest }) => largest)} ms; ${three(({ requests }) => requests)} requests\n` +
      `  largest: ${[...new Set(rounds.map(({ element }) => element))].join("; ")}\n`,
  );
}
