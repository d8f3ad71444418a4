// Trainings in a browser: started on a dataset, watched while the leaderboard
// fills, cancelled; and what another user sees.
import { expect, test } from "bun:test";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, signInAsAnother } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";

describeBrowser("trainings", (start) => {
  test("start with a target and a width, fill their leaderboard, and lead to a model", async () => {
    const { page, server, address } = await start();
    await page.getByRole("link", { name: "Trainings & models" }).click();
    await page.getByText("No trainings yet").waitFor();
    await look(page, "trainings-empty");
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    await page.goto(`${address}#/datasets/${datasetKey}/train`);
    await page.getByRole("heading", { name: "Train on penguins" }).waitFor();
    await page.getByText("20 attempts will be planned.").waitFor();
    await page.getByLabel("Search width").fill("5");
    await page.getByText("6 attempts will be planned.").waitFor();
    await page.getByLabel("Target accuracy").fill("60");
    await look(page, "new-training");
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Training on penguinsCompleted");
    await page.getByText("All attempts and their settings").click();
    expect(await page.getByRole("img", { name: "Accuracy by attempt" }).first().textContent()).toContain(
      "target 60.0%",
    );
    expect(await page.getByRole("row").count()).toBeGreaterThan(6);
    await look(page, "training");
    await page.getByRole("link", { name: "Training jobs" }).click();
    await page.getByRole("link", { name: "penguins" }).waitFor();
    await look(page, "trainings");
    await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: "Models" }).click();
    await page.getByRole("link", { name: "penguins", exact: true }).waitFor();
    await look(page, "models");
  });

  test("ask how new rows are related, and an address fills the answer in", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    await page.goto(`${address}#/datasets/${datasetKey}/train`);
    const question = page.getByText("How are new rows related to these?");
    await question.waitFor();
    expect(await page.getByLabel("Rows that belong together").isVisible()).toBeFalse();
    await question.click();
    await page.getByText(/^Usually not at all/).waitFor();
    await page.getByLabel("Rows that belong together").selectOption("island");
    await page.getByText("Learn from these columns too.").waitFor();
    await page.getByLabel("Columns to leave out", { exact: true }).selectOption("species");
    await page.getByText("Judged by island. Trained without species.").waitFor();
    await look(page, "new-training-related");
    await page.getByRole("button", { name: "Use species again" }).click();
    await page.getByText("Judged by island.").waitFor();
    await page.goto(
      `${address}#/datasets/${datasetKey}/train?related=1&time=body_mass_g&without=island&without=species&width=2`,
    );
    await page.getByText("Judged by time (body_mass_g). Trained without island, species.").waitFor();
    expect(await page.getByLabel("When a row was recorded").inputValue()).toBe("body_mass_g");
    expect(await page.getByRole("list", { name: "Columns that are left out" }).getByRole("listitem").count()).toBe(2);
    expect(await page.getByLabel("Search width").inputValue()).toBe("2");
  });

  test("are cancelled with what they have, and are nothing to another user", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("churn"), {});
    const path = `/api/v1/training/datasets/${datasetKey}`;
    const { trainingJobKey } = await server.call<{ trainingJobKey: string }>("POST", path, { scalingFactor: 400 });
    await page.goto(`${address}#/trainings/${trainingJobKey}`);
    await page.getByText(/^\d+ of 401 attempts$/).waitFor();
    await page.getByRole("rowheader").nth(3).waitFor();
    expect(await page.getByRole("progressbar").getAttribute("max")).toBe("1");
    await look(page, "training-running");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the training" }).click();
    await page.getByText("The training was cancelled.").first().waitFor();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    await page.getByText("The best models so far were kept.").waitFor();
    await look(page, "training-cancelled");
    await signInAsAnother(page, server);
    for (const screen of [`trainings/${trainingJobKey}`, `datasets/${datasetKey}/train`]) {
      await page.goto(`${address}#/${screen}`);
      await page.getByText(/There is no (training job|dataset) with this key/).waitFor();
    }
    await look(page, "training-foreign");
  });
});
