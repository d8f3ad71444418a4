// Datasets in a browser: made of a file, looked at, searched for, deleted; a
// file that cannot be used, and one that is cancelled.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeBrowser, look, signIn } from "../../support/browser.ts";
import { addDataset } from "../../support/dashboard-data.ts";
import { testFolder } from "../../support/folders.ts";
import { fixtureTable } from "../../support/in-process.ts";

describeBrowser("datasets", (start) => {
  const folder = testFolder();

  test("begin with a file and show what was understood of it", async () => {
    const { page } = await start();
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await page.getByText("No datasets yet").waitFor();
    await look(page, "datasets-empty");
    await page.getByRole("link", { name: "New dataset" }).click();
    await page.getByLabel("File").setInputFiles(fixtureTable("penguins"));
    expect(await page.getByLabel("Name").inputValue()).toBe("penguins");
    await page.getByRole("combobox", { name: "Label column" }).selectOption("sex");
    await page.getByText("How are new rows related to these?").click();
    const group = page.getByLabel("Rows that belong together");
    expect(await group.getByRole("option").allTextContents()).toEqual([
      "None: each row stands for itself",
      ...["island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "species"],
    ]);
    await page.getByLabel("Columns to leave out", { exact: true }).selectOption("bill_depth_mm");
    await look(page, "new-dataset");
    await page.getByRole("button", { name: "Make the dataset" }).click();
    await page.getByRole("heading", { name: "Columns", exact: true }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("penguinsCompleted");
    expect(await page.getByRole("rowheader", { name: "bill_length_mm" }).count()).toBe(1);
    await page.getByText("Left out", { exact: true }).waitFor();
    await look(page, "dataset");
    await page.getByRole("link", { name: "Datasets", exact: true }).first().click();
    await page.getByRole("link", { name: "penguins" }).waitFor();
    await look(page, "datasets");
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("Nothing matches “nothing like it”").waitFor();
    await page.getByRole("searchbox").fill("ENGU");
    await page.getByRole("link", { name: "penguins" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("dialog")
      .getByText("Models trained on it stay. Its file is removed within minutes.")
      .waitFor();
    await look(page, "confirm");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No datasets yet").waitFor();
    await page.getByText("penguins was deleted.").waitFor();
  });

  test("count their columns by kind, every kind", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => {
      const day = String(1 + (at % 28)).padStart(2, "0");
      return `${((at * 37) % 17) + 0.5},K-${at * 7919},${["red", "green", "blue"][at % 3]},2026-03-${day},EUR,${at % 2 === 0 ? "yes" : "no"}`;
    });
    writeFileSync(join(folder, "kinds.csv"), `size,code,colour,day,currency,left\n${rows.join("\n")}\n`);
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, join(folder, "kinds.csv"), { labelColumn: "left" });
    await page.goto(`${address}#/datasets/${datasetKey}`);
    const facts = page.locator("dl", { hasText: "Rows with a label" });
    const counted = await facts.locator("small").first().textContent();
    expect(counted!.split(", ").toSorted()).toEqual(["1 constant", "1 date", "1 identifier", "1 number", "2 category"]);
    await look(page, "dataset-kinds", [360, 1400]);
  });

  test("say what is wrong with a file that cannot be used", async () => {
    const { page } = await start();
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await page.getByRole("link", { name: "New dataset" }).click();
    const csv = { name: "broken.csv", mimeType: "text/csv", buffer: Buffer.from("a,b,c\n1,2,x\n3,4\n5,6,y\n") };
    await page.getByLabel("File").setInputFiles(csv);
    await page.getByRole("button", { name: "Make the dataset" }).click();
    await page.getByText("The file cannot be used.").waitFor();
    expect(await page.getByRole("note").textContent()).toContain("3");
    await look(page, "dataset-failed");
  });

  test("of a file without a header warn of it, and are read as they should be where somebody says so", async () => {
    const { page } = await start();
    const rows = Array.from({ length: 40 }, (_, row) => `${row * 1.5},${row % 7},${["yes", "no"][row % 2]}\n`).join("");
    for (const [name, isNamed, shown] of [
      ["as named", true, "0"],
      ["as data", false, "column_1"],
    ] as const) {
      await page.getByRole("link", { name: "Datasets", exact: true }).first().click();
      await page.getByRole("link", { name: "New dataset" }).first().click();
      const csv = { name: "nameless.csv", mimeType: "text/csv", buffer: Buffer.from(`0,3,yes\n${rows}`) };
      await page.getByLabel("File").setInputFiles(csv);
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("The first row is the header").setChecked(isNamed);
      await page.getByRole("button", { name: "Make the dataset" }).click();
      await page.getByRole("rowheader", { name: shown, exact: true }).waitFor();
      expect(await page.getByText("The first line looks like data").count()).toBe(isNamed ? 1 : 0);
    }
  });

  test("leave nothing behind where the upload is cancelled, and keep what was typed", async () => {
    const { page, server } = await start();
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await page.getByRole("link", { name: "New dataset" }).click();
    await page.getByLabel("File").setInputFiles(fixtureTable("penguins"));
    await page.getByLabel("Name").fill("never sent");
    // As on a line on which nothing moves.
    await page.route("**/api/v1/uploads/**", () => undefined);
    await page.getByRole("button", { name: "Make the dataset" }).click();
    await page.getByRole("progressbar", { name: "Sending penguins.csv" }).waitFor();
    await look(page, "sending");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Make the dataset", disabled: false }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByLabel("Name").inputValue()).toBe("never sent");
    expect(await server.call<{ total: number }>("GET", "/api/v1/datasets")).toMatchObject({ total: 0 });
  });

  test("are not deleted by a question that was asked on another page", async () => {
    const { page, server, address } = await start();
    const add = (name: string) =>
      server.call<{ datasetKey: string }>("POST", "/api/v1/datasets", { name, numberOfBuckets: 20 });
    const keys = await Promise.all(["first", "second"].map(async (name) => (await add(name)).datasetKey));
    const dialog = page.getByRole("dialog");
    await page.goto(`${address}#/datasets/${keys[0]}`);
    await page.getByRole("heading", { name: "first" }).waitFor();
    await page.goto(`${address}#/datasets/${keys[1]}`);
    await page.getByRole("heading", { name: "second" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "first" }).waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("first").waitFor();

    const other = await page.context().newPage();
    await other.goto(address);
    await other.getByText("ada@example.org").click();
    await other.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await signIn(page);
    await page.getByRole("heading", { name: "first" }).waitFor();
    expect(await dialog.count()).toBe(0);
    expect(await server.call<{ total: number }>("GET", "/api/v1/datasets")).toMatchObject({ total: 2 });
  });

  test("show long lists page by page", async () => {
    const { page, server } = await start();
    for (let index = 0; index < 45; index++) {
      await server.call("POST", "/api/v1/datasets", { name: `table ${index}`, numberOfBuckets: 20 });
    }
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await page.getByText("1–20 of 45").waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("21–40 of 45").waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("41–45 of 45").waitFor();
    await page.reload();
    await page.getByText("41–45 of 45").waitFor();
    await page.getByRole("rowheader", { name: "table 0", exact: true }).waitFor();
    await look(page, "datasets-many");
    await page.goBack();
    await page.getByText("21–40 of 45").waitFor();
  });
});
