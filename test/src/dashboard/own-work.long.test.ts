// Work that goes on without a page: refined, then trained by the server,
// whoever looks on; and the first page, which lists it.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeBrowser, look, signIn } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { testFolder } from "../../support/folders.ts";
import { fixtureTable } from "../../support/in-process.ts";
import { knownTable } from "../../support/refinery.ts";
import { FROM_SOURCE, poll, type Server, serve } from "../../support/server.ts";

const WIDTHS = [390, 1440];

const folder = testFolder();
function writeTable(rowCount: number): string {
  const path = join(folder, `known ${rowCount}.csv`);
  writeFileSync(path, knownTable(rowCount, 1));
  return path;
}

interface Run {
  plannedTraining: { status: string; trainingJobKey: string | null } | null;
}
const runsOf = async ({ call }: Server) =>
  (await call<{ refinements: Run[] }>("GET", "/api/v1/feature-refinery")).refinements;
const totalOf = async ({ call }: Server, list: string) => (await call<{ total: number }>("GET", list)).total;

describeBrowser("work of the server", (start) => {
  test("goes on where the page is closed and the server killed, and the first page lists it", async () => {
    const { page, context, server, folder: state, address } = await start();
    const datasetKey = await addDataset(server, writeTable(4_000), {});
    await page.goto(`${address}#/start/${datasetKey}`);
    await page.getByRole("radio", { name: "Refine first" }).check();
    await page.getByText("How long to search").click();
    await page.getByLabel("Search width").fill("2");
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByText("You may leave this page, or close it").waitFor();
    await page.goto("about:blank");
    server.child.kill("SIGKILL");
    await server.child.exited;

    const again = await serve(FROM_SOURCE, state);
    const [run] = await poll(
      () => runsOf(again),
      ([only]) => only!.plannedTraining!.status === "STARTED",
    );
    expect([await totalOf(again, "/api/v1/training"), await totalOf(again, "/api/v1/datasets")]).toEqual([1, 2]);
    const { trainingJobKey } = run!.plannedTraining!;
    const later = await context.newPage();
    await later.goto(/listening on (\S+)/.exec(again.printed)![1]!);
    await signIn(later);
    const ended = later.getByRole("table", { name: "What ended last" });
    await ended.getByRole("link", { name: "known 4000 refined" }).waitFor();
    await ended.getByText(/^\d\d\.\d%/).waitFor();
    await look(later, "home-new", WIDTHS);
    await ended.getByRole("link", { name: "known 4000 refined" }).click();
    await later.getByRole("link", { name: "Open the model" }).waitFor();
    expect(later.url()).toEndWith(`#/trainings/${trainingJobKey}`);
  });

  test("is on the first page, and cancelled as a whole while it refines", async () => {
    const { page, server, address } = await start();
    // Rows enough that it refines for as long as the pages are looked at.
    const datasetKey = await addDataset(server, writeTable(60_000), {});
    await page.goto(`${address}#/start/${datasetKey}`);
    await page.getByRole("radio", { name: "Refine first" }).check();
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByText("You may leave this page, or close it").waitFor();
    await look(page, "start-refining-left", WIDTHS);
    await page.goto(`${address}#/`);
    const underWay = page.getByRole("table", { name: "Under way" });
    await underWay.getByText("Refinement, then training").waitFor();
    await look(page, "home-under-way", WIDTHS);
    await underWay.getByRole("link", { name: "known 60000" }).click();
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel the refinement" }).click();
    await page.getByText("There is no result. You can train on all columns.").waitFor();
    await page.getByRole("button", { name: "Train on all columns" }).waitFor();
    await look(page, "start-refinement-cancelled", WIDTHS);
    expect((await runsOf(server))[0]!.plannedTraining).toMatchObject({ status: "CANCELLED" });
    expect(await totalOf(server, "/api/v1/training")).toBe(0);
    await page.goto(`${address}#/`);
    await page.getByRole("table", { name: "What ended last" }).getByText("Cancelled").waitFor();
  });

  test("says where the training was cancelled alone, and starts it when asked", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), {});
    const refine = `/api/v1/feature-refinery/datasets/${datasetKey}`;
    const thenTrain = { scalingFactor: 0 };
    const { featureRefinementKey: key } = await server.call<{ featureRefinementKey: string }>("POST", refine, {
      thenTrain,
    });
    await server.call("DELETE", `/api/v1/feature-refinery/${key}/planned-training`);
    await page.goto(`${address}#/start/${datasetKey}?refinement=${key}`);
    await page.getByText("The training was cancelled before it started.").waitFor();
    await look(page, "start-training-not-started", WIDTHS);
    await page.getByRole("button", { name: "Train on the kept columns" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    await page.goto(`${address}#/refinements/${key}`);
    await page.getByRole("link", { name: "See the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
  });

  test("has its verdict beside its accuracy in every list, the remedy a click away", async () => {
    const { page, server, address } = await start();
    const random = Array.from(
      { length: 400 },
      (_, row) => `${row % 7},${(row * 31) % 11},${row % 3 === 0 ? "a" : "b"}`,
    );
    const path = join(folder, "leak.csv");
    const withLeak = random.map((line, row) => `${line.endsWith("a") ? `${row % 9}.5` : ""},${row % 5},${line}`);
    writeFileSync(path, `given,e,f,g,label\n${withLeak.join("\n")}\n`);
    const datasetKey = await addDataset(server, path, {});
    await addModel(server, datasetKey, 0);
    for (const [screen, table] of [
      ["trainings", "Training jobs"],
      ["models", "Models"],
      ["", "What ended last"],
    ] as const) {
      await page.goto(`${address}#/${screen}`);
      const row = page.getByRole("table", { name: table }).getByRole("row").nth(1);
      await row.getByRole("link", { name: "Doubtful" }).waitFor();
      await look(page, `doubtful-${screen || "home"}`, WIDTHS);
      await row.getByRole("link", { name: "Train without given" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Trained without given.").waitFor();
    }
  });
});
