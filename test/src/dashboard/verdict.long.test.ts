// The verdict in a browser: doubts beside the accuracy, and the click that
// leads from each to a training that settles it.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../../engine/random.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { addDataset, addModel } from "../../support/dashboard-data.ts";
import { testFolder } from "../../support/folders.ts";

const folder = testFolder();
function write(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** Each machine has its own place in the table and a label by chance: nothing tells of machines that are not there. */
function machines(): string {
  const random = new Random(3);
  const lines = ["machine,a,b,c,d,state"];
  for (let machine = 0; machine < 60; machine++) {
    const label = random.nextBelow(2) === 0 ? "good" : "bad";
    const places = Array.from({ length: 4 }, () => 10 * random.nextFloat());
    for (let row = 0; row < 20; row++) {
      const cells = places.map((place) => (place + 0.05 * random.nextFloat()).toFixed(4));
      lines.push([`m${machine}`, ...cells, label].join(","));
    }
  }
  return write("machines.csv", lines);
}

/** The date of leaving is filled for those who left. */
function customers(): string {
  const random = new Random(5);
  const lines = Array.from({ length: 900 }, () => {
    const [age, tenure] = [20 + random.nextBelow(60), random.nextBelow(40)];
    const hasLeft = random.nextFloat() < (tenure < 15 ? 0.6 : 0.25);
    const date = hasLeft ? `2026-0${1 + random.nextBelow(9)}-${10 + random.nextBelow(18)}` : "";
    return [age, tenure, random.nextFloat().toFixed(3), date, hasLeft ? "yes" : "no"].join(",");
  });
  return write("customers.csv", ["age,tenure,noise,Kündigungsdatum,left", ...lines]);
}

describeBrowser("the verdict", (start) => {
  test("names a group that flatters, and judges by it with a click", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, machines(), {});
    const modelKey = await addModel(server, datasetKey, 2);
    await page.goto(`${address}#/models/${modelKey}`);
    await page.getByText(/^Rows with the same "machine" resemble each other: \d/).waitFor();
    expect(await page.getByText("Doubtful").count()).toBe(1);
    await look(page, "model-doubtful");
    await page.getByRole("link", { name: "Judge by machine" }).click();
    await page.getByText("Judged by machine.").waitFor();
    expect(await page.getByLabel("Rows that belong together").inputValue()).toBe("machine");
    expect(await page.getByLabel("Search width").inputValue()).toBe("2");
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    expect(await page.getByText(/resemble each other/).count()).toBe(0);
    await look(page, "training-by-machine");
    await page.getByRole("link", { name: "Open the model" }).click();
    await page.getByText(/^of [\d,]+ rows of held-out values of "machine"/).waitFor();
    await look(page, "model-by-machine");
  });

  test("names a column that gives the label away, and trains without it with a click", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, customers(), {});
    const modelKey = await addModel(server, datasetKey, 0);
    const { trainingJobKey } = await server.call<{ trainingJobKey: string }>("GET", `/api/v1/models/${modelKey}`);
    await page.goto(`${address}#/trainings/${trainingJobKey}`);
    await page.getByText(/^Whether column "Kündigungsdatum" is filled or empty gives the label away/).waitFor();
    await look(page, "training-doubtful");
    await page.getByRole("link", { name: "Train without Kündigungsdatum" }).click();
    await page.getByText("Trained without Kündigungsdatum.").waitFor();
    await page.getByRole("button", { name: "Start the training" }).click();
    await page.getByRole("link", { name: "Open the model" }).waitFor();
    expect(await page.getByText(/gives the label away/).count()).toBe(0);
    await page.getByRole("link", { name: "Train again" }).click();
    await page.getByText("Trained without Kündigungsdatum.").waitFor();
  });
});
