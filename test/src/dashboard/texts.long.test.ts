// A table with texts in a browser: how long they are, which words tell, and why a row typed by hand is predicted so.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { testFolder } from "../../support/folders.ts";
import { csvOf } from "../../support/text-models.ts";
import { drawTexts } from "../../support/text-tables.ts";

const WIDTHS = [360, 1400];

/** Texts whose words tell two classes apart; one of these is named like markup. */
function hostileCsv(): string {
  const { texts, labels } = drawTexts(300, 2, 3);
  const told = texts.map((text, row) => `${text} ${labels[row] === "class 00" ? "terrible" : "wonderful"} thing`);
  return csvOf({ texts: told, labels: labels.map((label) => (label === "class 00" ? "<b>bad" : "good")) });
}

describeBrowser("texts", (start) => {
  const folder = testFolder();

  test("are described, tell their words by class, and name them as reasons", async () => {
    writeFileSync(join(folder, "reviews.csv"), hostileCsv());
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, join(folder, "reviews.csv"), {});
    await page.goto(`${address}#/datasets/${datasetKey}`);
    await page.getByText(/^\d+ characters and \d+ words in the median, [\d,]+ terms$/).waitFor();
    await look(page, "dataset-texts");
    const modelKey = await addModel(server, datasetKey, 2);
    await page.goto(`${address}#/models/${modelKey}`);
    await page.getByRole("heading", { name: "Telling words" }).waitFor();
    const words = page.getByRole("table", { name: "Telling words of review" });
    const bad = words.getByRole("row", { name: "<b>bad" });
    expect(await bad.textContent()).toContain("terrible");
    expect(await bad.textContent()).not.toContain("wonderful");
    const others = page.locator("section", { has: page.getByRole("heading", { name: "In other programs" }) });
    await others.getByText(/^Not for this model: "review" is read as text, and ONNX has no operators/).waitFor();
    await others
      .getByText(/^Not for this model: "review" is read as text, and the reader for C takes none\./)
      .waitFor();
    await others.getByText(/^Not for this model: "review" is read as text, and SQL cannot/).waitFor();
    expect(await others.getByText(/--to (java|python|javascript)$/).count()).toBe(3);
    expect(await others.getByText(/^cupel export .* --to (onnx|c|sql)\b/).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Download as ONNX" }).count()).toBe(0);
    await look(page, "model-texts", WIDTHS);
    await page.goto(`${address}#/models/${modelKey}/row`);
    const field = page.getByRole("textbox", { name: "review" });
    expect(await field.evaluate(({ tagName }) => tagName)).toBe("TEXTAREA");
    expect(await field.getAttribute("placeholder")).toBe("text");
    await field.fill("in the\nend it was a terrible thing");
    await page.getByRole("button", { name: "Predict" }).click();
    await page.getByRole("heading", { name: "Why" }).waitFor();
    const answer = page.getByRole("region", { name: "Prediction" });
    expect(await answer.textContent()).toContain("<b>bad");
    expect(await answer.textContent()).toMatch(/review.*“terrible” \+\d+\.\d\d/);
    await look(page, "row-texts");
  });
});
