// The dashboard out of the compiled executable, in a browser: from a file to a
// prediction, with nothing of the sources at hand.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { compileExecutable } from "../../src/packaging/bundle.ts";
import { describeBrowser } from "../support/browser.ts";
import { testFolder } from "../support/folders.ts";
import { fixtureTable } from "../support/in-process.ts";

describeBrowser("the executable", (start) => {
  const executable = join(testFolder(), "cupel");
  beforeAll(() => compileExecutable(executable), 300_000);

  test("leads from a file to predictions", async () => {
    const { page, server } = await start({ program: [executable] });
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await page.getByRole("link", { name: "New dataset" }).click();
    await page.getByLabel("File").setInputFiles(fixtureTable("penguins"));
    await page.getByRole("combobox", { name: "Label column" }).selectOption("sex");
    await page.getByRole("button", { name: "Make the dataset" }).click();
    await page.getByRole("link", { name: "Train", exact: true }).click();
    await page.getByLabel("Search width").fill("0");
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).click();
    await page.getByRole("link", { name: "Predict a file" }).click();
    await page.getByLabel("File").setInputFiles(fixtureTable("penguins"));
    await page.getByRole("button", { name: "Predict", exact: true }).click();
    await page.getByText(/^20 rows of 344/).waitFor();
    expect(await page.getByRole("img", { name: /^Predicted labels/ }).count()).toBe(1);
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
  });

  test("leads a newcomer from a dropped file over a refinement to a model", async () => {
    const { page } = await start({ program: [executable] });
    await page.getByLabel("Your table").setInputFiles(fixtureTable("penguins"));
    await page.getByRole("radio", { name: "Refine first" }).check();
    await page.getByText("How long to search").click();
    await page.getByLabel("Search width").fill("0");
    await page.getByRole("button", { name: "Find the best model" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    await page.getByRole("link", { name: "See every decision" }).click();
    await page.getByRole("heading", { name: "Column by column" }).waitFor();
  });
});
