// The newcomer's path in a browser, on a bundled table: drop, see, pick the
// label, one button, watch, leave and come back, cancel.
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { readSecrets, SECRET_FILE } from "../../../data/database/secret.ts";
import { createAccessTokens, TOKEN_LIFETIME_SECONDS } from "../../../src/auth/tokens.ts";
import { describeBrowser, look, PASSWORD } from "../../support/browser.ts";
import { fixtureTable } from "../../support/in-process.ts";

async function bring(page: Page, file: Parameters<ReturnType<Page["getByLabel"]>["setInputFiles"]>[0]) {
  await page.getByLabel("Your table").setInputFiles(file);
}

async function searchFew(page: Page) {
  await page.getByText("How long to search").click();
  await page.getByLabel("Search width").fill("0");
}

/**
 * Returns what tells how far the page's parts moved by themselves since the
 * last call, as Chromium's layout shift counts it.
 */
async function hearShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
    }).observe({ type: "layout-shift" });
  `);
  return () => page.evaluate("[shifted, (shifted = 0)][0]");
}

describeBrowser("the newcomer's path", (start) => {
  test("leads from a file to a model, by way of its label", async () => {
    const { page } = await start();
    const shifted = await hearShifts(page);
    await look(page, "home");
    await shifted();
    await bring(page, fixtureTable("penguins"));
    await page.getByRole("heading", { name: "What should be predicted?" }).waitFor();
    expect(await shifted()).toBeLessThan(0.1);
    await page.getByLabel("Column to predict").selectOption("island");
    await page.getByRole("rowheader", { name: "island Label" }).waitFor();
    await page.getByRole("img", { name: "Distribution of bill_length_mm" }).click();
    await page.getByRole("radio", { name: "Use them all" }).check();
    await searchFew(page);
    await look(page, "start-understood");
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByRole("heading", { name: "Competition" }).waitFor();
    const address = page.url();
    await page.goto(address.replace(/#.*/, "#/datasets"));
    await page.getByRole("link", { name: "penguins" }).waitFor();
    await page.goto(address);
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    await look(page, "start-result");
    // Without its end, the address leads to the table, which knows what became of it.
    await page.goto(address.replace(/\?.*/, ""));
    await page.getByRole("link", { name: "See the newest training" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
  });

  test("refines first where that is wished, and trains on what was kept", async () => {
    const { page, server } = await start();
    await bring(page, fixtureTable("penguins"));
    await page.getByRole("heading", { name: "What should be predicted?" }).waitFor();
    await page.getByRole("radio", { name: "Refine first" }).check();
    await searchFew(page);
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await look(page, "start-refining");
    await page.getByRole("link", { name: "See every decision" }).waitFor();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    await look(page, "start-refined-result");
    // Whoever comes back to the middle of the way is led on to the same training, and nothing is made twice.
    const address = page.url();
    await page.goto(address.replace(/training=[^&]*&?/, ""));
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    expect(new URL(page.url()).hash.split(/[?&]/).sort()).toEqual(new URL(address).hash.split(/[?&]/).sort());
    const { datasets } = await server.call<{ datasets: { name: string }[] }>("GET", "/api/v1/datasets");
    expect(datasets.map(({ name }) => name)).toEqual(["penguins refined", "penguins"]);
    await page.getByRole("link", { name: "See every decision" }).click();
    await page.getByRole("heading", { name: "Column by column" }).waitFor();
  });

  test("begins with nothing where sending is cancelled, and has the file still", async () => {
    const { page, server } = await start();
    // As on a line on which nothing moves.
    await page.route("**/api/v1/uploads/**", () => undefined);
    await bring(page, fixtureTable("penguins"));
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Send penguins.csv" }).waitFor();
    expect(await server.call<{ total: number }>("GET", "/api/v1/datasets")).toMatchObject({ total: 0 });
    await page.unroute("**/api/v1/uploads/**");
    await page.getByRole("button", { name: "Send penguins.csv" }).click();
    await page.getByRole("heading", { name: "What should be predicted?" }).waitFor();
  });

  test("says where a wrong file is wrong, and takes another label where that is at fault", async () => {
    const { page, server } = await start();
    await bring(page, { name: "broken.csv", mimeType: "text/csv", buffer: Buffer.from("a,b,c\n1,2,x\n3,4\n5,6,y\n") });
    await page.getByText("The file cannot be used.").waitFor();
    expect(await page.getByRole("note").textContent()).toContain("Line 3");
    await look(page, "start-wrong-file");
    await page.getByRole("button", { name: "send it again" }).click();
    const rows = Array.from({ length: 120 }, (_, row) => `${row % 2 === 0 ? "yes" : "no"},${row % 7},${row * 1.25}`);
    const text = `answer,a,b\n${rows.join("\n")}\n`;
    await bring(page, { name: "broken.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByText("This label cannot be learned.").waitFor();
    await page.getByRole("table", { name: "First rows of the file" }).waitFor();
    await look(page, "start-wrong-label");
    await page.getByLabel("Column to predict").selectOption("answer");
    await page.getByRole("rowheader", { name: "answer Label" }).waitFor();
    const { datasets } = await server.call<{ datasets: { name: string }[] }>("GET", "/api/v1/datasets");
    expect(datasets.map(({ name }) => name)).toEqual(["broken"]);
  });

  test("can be cancelled while it trains, and keeps what was found", async () => {
    const { page } = await start();
    await bring(page, fixtureTable("churn"));
    await page.getByRole("radio", { name: "Use them all" }).check();
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByRole("heading", { name: "Leaderboard" }).waitFor();
    await look(page, "start-leaderboard");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel the training" }).click();
    await page.getByText("The training was cancelled.").first().waitFor();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    await look(page, "start-cancelled");
  });

  test("asks for the password where a token has expired, and goes on where it was", async () => {
    const { page, folder } = await start();
    await bring(page, fixtureTable("penguins"));
    await page.getByRole("heading", { name: "What should be predicted?" }).waitFor();
    await expireToken(page, folder);
    await page.reload();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "What should be predicted?" }).waitFor();
  });

  test("shows tables of thousands of columns", async () => {
    const { page } = await start();
    const names = Array.from({ length: 1_000 }, (_, at) => `column ${at}`);
    const row = (label: string, shift: number) => `${names.map((_, at) => (at * shift) % 17).join(",")},${label}`;
    const rows = Array.from({ length: 24 }, (_, at) => row(at % 2 === 0 ? "yes" : "no", at + 1));
    const text = `${names.join(",")},label\n${rows.join("\n")}\n`;
    await bring(page, { name: "wide.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Show 50 more columns" }).click();
    await page.getByRole("rowheader", { name: "column 99", exact: true }).waitFor();
    await page.getByRole("searchbox").fill("column 999");
    await page.getByRole("rowheader", { name: "column 999" }).waitFor();
  });
});

/** Puts in the place of the session's token one that the same server made for the same login more than an hour ago. */
async function expireToken(page: Page, folder: string): Promise<void> {
  const session = JSON.parse(await page.evaluate<string>("sessionStorage.getItem('cupel.session')")) as {
    token: string;
  };
  const claims = JSON.parse(Buffer.from(session.token.split(".")[1]!, "base64url").toString()) as Record<
    string,
    string
  >;
  const { current } = readSecrets(join(folder, SECRET_FILE));
  const before = createAccessTokens(current, () => Date.now() - (TOKEN_LIFETIME_SECONDS + 1) * 1_000);
  const token = await before.issue(claims["sub"]!, claims["credential"]!);
  await page.evaluate((text) => sessionStorage.setItem("cupel.session", text), JSON.stringify({ ...session, token }));
}
