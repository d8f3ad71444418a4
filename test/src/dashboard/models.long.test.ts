// Models in a browser: the versions side by side, the champion moved, files fetched, the model deleted.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel, signInAsAnother } from "../../support/dashboard-data.ts";
import { fixtureTable } from "../../support/in-process.ts";
import { withOnnx } from "../../support/onnx.ts";

describeBrowser("models", (start) => {
  test("show the evidence for each version, change their champion, give their files, and go", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 5);
    await page.goto(`${address}#/models`);
    await page.getByRole("link", { name: "penguins", exact: true }).click();
    await page.getByRole("heading", { name: "Model of penguins" }).waitFor();
    const second = page.getByRole("article", { name: "Version 2" });
    for (const name of [
      "Confusion matrix, version 2",
      "Calibration curve, version 2",
      "Importance of columns, version 2",
    ]) {
      expect(await second.getByRole("img", { name }).count()).toBe(1);
    }
    expect(await second.getByRole("table", { name: "Measures by class, version 2" }).count()).toBe(1);
    const learned = page.getByRole("img", { name: /^What the model learned of/ });
    await learned.first().waitFor();
    await look(page, "model");
    await second.getByRole("button", { name: "Make it the champion" }).click();
    await second.getByText("Champion", { exact: true }).waitFor();
    expect(await server.call<{ version: number }>("GET", `/api/v1/models/${modelKey}`)).toMatchObject({ version: 2 });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      second.getByRole("button", { name: "Download the model file" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${modelKey}-v2.cupel`);
    const [onnx] = await Promise.all([
      page.waitForEvent("download"),
      second.getByRole("button", { name: "Download as ONNX" }).click(),
    ]);
    expect(onnx.suggestedFilename()).toBe(`${modelKey}-v2.onnx`);
    const session = await withOnnx([readFileSync(await onnx.path())], async ({ outputNames }) => outputNames);
    expect([...session]).toEqual(["label", "probabilities"]);
    await page.getByText(`cupel export ${modelKey}-v2.cupel --to python`).waitFor();
    const lines = page.getByRole("region", { name: "TypeScript" });
    await lines.getByText(`cupel.models.get("${modelKey}")`).waitFor();
    const [client] = await Promise.all([
      page.waitForEvent("download"),
      lines.getByRole("link", { name: "cupel.js" }).click(),
    ]);
    expect(client.suggestedFilename()).toBe("cupel.js");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No models yet").waitFor();
    await look(page, "models-empty");
  });

  test("opened by an address come at once: code and answers are asked for together, and every answer once", async () => {
    const { page, server, address } = await start();
    const modelKey = await addModel(
      server,
      await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" }),
      2,
    );
    await page.goto(`${address}#/models/${modelKey}`);
    await page.getByRole("heading", { name: "Use this model from a program" }).waitFor();
    const html = await (await fetch(address)).text();
    const path = `api/v1/models/${modelKey}`;
    const first = new Set([path, `${path}/details`]);
    const { promise: areAsked, resolve } = Promise.withResolvers<void>();
    const asked: string[] = [];
    page.on("request", (request) => {
      const own = request.url().slice(address.length);
      if (!own.startsWith("api/")) return;
      asked.push(own);
      first.delete(own);
      if (first.size === 0) resolve();
    });
    // The code of the screen comes only once its answers have been asked for.
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      if (!html.includes(route.request().url().slice(address.length))) await areAsked;
      await route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: "Model of penguins" }).waitFor();
    await page.getByRole("heading", { name: "Use this model from a program" }).waitFor();
    expect(asked.toSorted()).toEqual([...new Set(asked)].sort());
    expect(asked).toContain(`${path}/details`);
  });

  test("are nothing to another user", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 0);
    await signInAsAnother(page, server);
    for (const screen of ["", "/predict", "/row"]) {
      await page.goto(`${address}#/models/${modelKey}${screen}`);
      await page.getByText("There is no model with this key.").waitFor();
    }
  });
});
