// One answer in a browser: every screen leads with the champion's figure
// and the verdict on it; attempts are folded away.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Random } from "../../../engine/random.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { testFolder } from "../../support/folders.ts";
import { fixtureTable } from "../../support/in-process.ts";

const WIDTHS = [390, 1440];

const folder = testFolder();
const answerOf = (page: Page) => page.getByRole("region", { name: "The answer" });

/** What a person sees: nothing that is folded away. */
async function wordsIn(page: Page, selector: string): Promise<string> {
  return (await page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`)).replaceAll(
    /\s+/g,
    " ",
  );
}

/** A label that nothing tells of. */
function coins(): string {
  const random = new Random(11);
  const lines = Array.from({ length: 300 }, () => [1, 2, 3].map(() => random.nextFloat().toFixed(3)).join(","));
  const path = join(folder, "coins.csv");
  writeFileSync(
    path,
    `a,b,c,side\n${lines.map((line) => `${line},${random.nextBelow(2) ? "heads" : "tails"}`).join("\n")}\n`,
  );
  return path;
}

describeBrowser("the answer", (start) => {
  test("is the champion's on every screen, and attempts say why they are none", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("credit_g"), {});
    const modelKey = await addModel(server, datasetKey, 19);
    const { trainingJobKey, achievedPerformance, versions } = await server.call<{
      trainingJobKey: string;
      achievedPerformance: number;
      versions: { champion: boolean; falseDecisions: number; confirmedPerformance: { mean: number } }[];
    }>("GET", `/api/v1/models/${modelKey}`);
    const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
    const champion = versions.find((version) => version.champion)!;
    for (const screen of [
      `trainings/${trainingJobKey}`,
      `start/${datasetKey}?training=${trainingJobKey}`,
      `models/${modelKey}`,
    ]) {
      await page.goto(`${address}#/${screen}`);
      const answer = answerOf(page);
      await answer.getByText("What do I do next?").waitFor();
      const words = await wordsIn(page, "section[aria-label='The answer']");
      expect(words).toStartWith(percent(achievedPerformance));
      expect(words).toContain(`Wrong decisions ${champion.falseDecisions} of 200`);
      expect(words).toContain(percent(champion.confirmedPerformance.mean));
      expect(words).toMatch(/Always answering good 70\.0% 60 wrong/);
      expect(await answer.locator(".big .chip").count()).toBe(1);
      await look(page, `answer-${screen.split("/")[0]}`, WIDTHS);
    }

    await page.goto(`${address}#/trainings/${trainingJobKey}`);
    await answerOf(page).getByText("What do I do next?").waitFor();
    const fold = page.getByText("All attempts and their settings");
    expect(await page.getByRole("table", { name: "Leaderboard" }).isVisible()).toBeFalse();
    // Nothing that is shown before the fold is another attempt's figure.
    expect(await wordsIn(page, "main")).not.toMatch(/Fewest wrong|Best so far|Best algorithm/);
    await fold.focus();
    await page.keyboard.press("Enter");
    const chart = page.getByRole("img", { name: "Accuracy by attempt" }).first();
    expect(await chart.textContent()).toContain(`the champion attempt`);
    expect(await chart.textContent()).toContain(percent(achievedPerformance));
    await page.getByRole("button", { name: /more attempts/ }).click();
    const rows = await page.getByRole("table", { name: "Leaderboard" }).getByRole("row").allInnerTexts();
    const attempts = rows.slice(
      1,
      rows.findIndex((row) => row.startsWith("Library")),
    );
    expect(attempts.length).toBeGreaterThanOrEqual(20);
    for (const attempt of attempts)
      expect(attempt).toMatch(/\bv[123]\b|Finalist|no finalist|ended after|Failed|Stopped/);
    await look(page, "answer-attempts", WIDTHS);
  });

  test("says beside its figure that it is no better than guessing, and what helps is a click away", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, coins(), {});
    const modelKey = await addModel(server, datasetKey, 2);
    await page.goto(`${address}#/models/${modelKey}`);
    const answer = answerOf(page);
    await answer.locator(".big").getByText("Doubtful").waitFor();
    await look(page, "answer-guessing", WIDTHS);
    await answer.getByRole("link", { name: "Send a table that says more" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Your table").waitFor();
  });

  test("stays what is known where the model is deleted", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), {});
    const modelKey = await addModel(server, datasetKey, 0);
    const { trainingJobKey } = await server.call<{ trainingJobKey: string }>("GET", `/api/v1/models/${modelKey}`);
    await server.call("DELETE", `/api/v1/models/${modelKey}`);
    await page.goto(`${address}#/trainings/${trainingJobKey}`);
    await page.getByText("Accuracy of the champion").waitFor();
    expect(await answerOf(page).count()).toBe(0);
    await look(page, "answer-deleted", WIDTHS);
  });
});
