// Predictions in a browser: a file whose columns do not fit, one that is scored, and a row typed by hand.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { describeBrowser, look, PASSWORD } from "../../support/browser.ts";
import { addDataset, addModel, signInAsAnother } from "../../support/dashboard-data.ts";
import { formOf } from "../../support/form.ts";
import { fixtureTable } from "../../support/in-process.ts";

const PENGUINS = readFileSync(fixtureTable("penguins"), "utf8");
const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

describeBrowser("predictions", (start) => {
  test("explain columns that do not fit before anything is sent, score a file, and show what came of it", async () => {
    const { page, server, address } = await start();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 2);
    await page.getByRole("link", { name: "Predictions" }).click();
    await page.getByText("No predictions yet").waitFor();
    await look(page, "predictions-empty");
    await page.goto(`${address}#/models/${modelKey}`);
    await page.getByRole("link", { name: "Predict a file" }).click();
    await page.getByLabel("File").setInputFiles(csv("renamed.csv", PENGUINS.replace("body_mass_g", "Body_mass")));
    await page.getByText("The file lacks 1 of the 6 columns that the model needs.").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("body_mass_g is missing");
    expect(await page.getByRole("button", { name: "Predict" }).isDisabled()).toBeTrue();
    await look(page, "new-prediction-mismatch");
    await page.getByLabel("File").setInputFiles(csv("broken.csv", "\u0000\u0001"));
    await page.getByRole("alert").filter({ hasText: "Nothing was sent" }).waitFor();
    const words = PENGUINS.replaceAll(/^(\w+),[\d.]+,/gm, "$1,long,");
    await page.getByLabel("File").setInputFiles(csv("words.csv", words));
    await page.getByRole("alert").filter({ hasText: "cannot be read as numbers such as 1234.5" }).waitFor();
    expect(await page.getByRole("button", { name: "Predict" }).isDisabled()).toBeTrue();
    expect(sent).toEqual([]);
    const unknown = PENGUINS.replace("Torgersen", "Atlantis").replace("Adelie", "Dodo");
    await page.getByLabel("File").setInputFiles(csv("penguins.csv", unknown));
    await page.getByText("All 6 columns that the model needs are there.").waitFor();
    await page.getByLabel("The first row is the header").uncheck();
    await page.getByText("The file lacks 6 of the 6 columns that the model needs.").waitFor();
    await page.getByLabel("The first row is the header").check();
    await page.getByText("All 6 columns that the model needs are there.").waitFor();
    await page.getByLabel("Name the 3 columns that decided each row.").check();
    await look(page, "new-prediction");
    await page.getByRole("button", { name: "Predict" }).click();
    await page.getByRole("heading", { name: "The first rows" }).waitFor();
    await page.getByText(/^20 rows of \d+/).waitFor();
    expect(await page.getByRole("img", { name: /^Predicted labels of the file/ }).count()).toBe(1);
    const path = `/api/v1/predictions/models/${modelKey}`;
    expect(sent).toEqual([path, `${path}/rows`]);
    const first = page.getByRole("table", { name: "The first rows of the result" }).getByRole("row").nth(1);
    expect(await first.textContent()).toMatch(/[a-z_]+ [+−]\d+\.\d\d · /);
    expect(await first.getByRole("cell", { name: "Atlantis" }).textContent()).toContain("unknown");
    // The seventh column is not shown.
    expect(await first.textContent()).toContain("species unknown");
    const columns = page.getByRole("table", { name: "Columns, those that shifted the most first" });
    expect(await columns.getByRole("row").count()).toBe(7);
    await page.getByText("no column differs from the training rows beyond chance").waitFor();
    await page.getByText(/^The file has labels: \d+\.\d% \[.*\] of 333 rows are predicted right\.$/).waitFor();
    expect(await page.getByRole("img", { name: /^Confusion matrix, this file/ }).count()).toBe(1);
    await look(page, "prediction");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the CSV" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("penguins-predicted.csv");
    expect(readFileSync(await file.path(), "utf8")).toMatch(
      /^.*,prediction,confidence,probability_female,probability_male,reason_1,reason_1_effect,.*,reason_3_effect\n/,
    );
    await page.getByText("Add the true labels").click();
    const truth = PENGUINS.trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[5] || '""');
    const labels = page.getByLabel("File of labels");
    await labels.setInputFiles(csv("short.csv", "truth\nmale\n"));
    await page.getByRole("button", { name: "Add the labels" }).click();
    const refusal = page.getByRole("alert").filter({ hasText: "The file of labels has 1 row; the prediction has" });
    await refusal.waitFor();
    await labels.setInputFiles(csv("labels.csv", `when,truth\n${truth.map((one) => `now,${one}`).join("\n")}\n`));
    await page.getByRole("combobox", { name: "Column of the labels" }).selectOption("truth");
    await look(page, "outcomes-form");
    await page.getByRole("button", { name: "Add the labels" }).click();
    await page.getByText(/^\d+\.\d% \[.*\] of 333 rows are predicted right/).waitFor();
    expect(await page.getByRole("img", { name: /^Confusion matrix, the true labels/ }).count()).toBe(1);
    await look(page, "outcomes");
    await page.getByRole("button", { name: "Delete the labels" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the labels" }).click();
    await page.getByText("Add the true labels").waitFor();
    await page.getByRole("link", { name: "Predictions" }).first().click();
    await page.getByRole("link", { name: "penguins v1" }).waitFor();
    await page.getByRole("link", { name: "penguins.csv" }).waitFor();
    await look(page, "predictions");
    await page.getByRole("button", { name: "File" }).click();
    await page.locator("th[aria-sort=ascending]").getByText("File").waitFor();
    await page.getByRole("link", { name: "penguins.csv" }).click();
    await page.getByRole("heading", { name: "Prediction of penguins.csv" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No predictions yet").waitFor();

    const [header, ...rows] = PENGUINS.trimEnd().split("\n");
    const form = formOf({ file: new File([`${header}\n`, `${rows.join("\n")}\n`.repeat(2_000)], "long.csv") });
    const { predictionKey } = await server.call<{ predictionKey: string }>("POST", path, form);
    await page.goto(`${address}#/predictions/${predictionKey}`);
    await page.getByText("Predicting the rows").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("It ends without a result, and the file that was sent goes too.").waitFor();
    await look(page, "prediction-end");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No predictions yet").waitFor();
  });

  test("score one row of the training file, and by hand, with marks at cells that the model cannot use", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 2);
    await page.goto(`${address}#/models/${modelKey}/row`);
    await page.getByText("Your prediction appears here.").waitFor();
    await page.getByText("Begun from row 1 of the training file, where the label is male.").waitFor();
    expect(await page.getByLabel("bill_length_mm").inputValue()).toBe("39.1");
    await page.getByRole("button", { name: "Another row" }).click();
    await page.getByText("Begun from row 2 of the training file, where the label is female.").waitFor();
    await look(page, "row-begun");
    await page.getByLabel("species").fill("Dodo");
    await page.getByLabel("bill_length_mm").fill("twelve");
    await page.getByLabel("bill_depth_mm").fill("");
    await page.getByRole("button", { name: "Predict" }).click();
    await page.getByText("This answer rests on 3 of 6 cells: 1 is empty, the model cannot use 2.").waitFor();
    expect(await page.getByLabel("bill_length_mm").getAttribute("aria-invalid")).toBe("true");
    await page.getByText("This is no number: taken as missing.").waitFor();
    await page.getByText("The training file does not have this value.").waitFor();
    await page.getByRole("heading", { name: "Why" }).waitFor();
    await look(page, "row-odd");
    await page.getByLabel("bill_length_mm").fill("12");
    expect(await page.getByText("This is no number").count()).toBe(0);
    await page.getByRole("button", { name: "Clear all" }).click();
    expect(await page.getByLabel("bill_length_mm").inputValue()).toBe("");
    await page.getByText("Your prediction appears here.").waitFor();
    await page.getByLabel("species").fill("Gentoo");
    await page.getByLabel("body_mass_g").fill("6000");
    await page.getByLabel("bill_depth_mm").fill("17");
    await page.getByRole("button", { name: "Predict" }).click();
    const answer = page.getByRole("region", { name: "Prediction" });
    await answer.getByText("with a confidence of").waitFor();
    expect(await answer.textContent()).toContain("predictsmale");
    await look(page, "row");
  });

  test("lose nothing to a session that has ended or a line that is cut, and say what is wrong with a row", async () => {
    const { page, server, address } = await start();
    const datasetKey = await addDataset(server, fixtureTable("penguins"), { labelColumn: "sex" });
    const modelKey = await addModel(server, datasetKey, 0);
    await page.goto(`${address}#/models/${modelKey}/predict`);
    await page.getByLabel("File").setInputFiles(csv("cut.csv", PENGUINS.replace(/\n.*\n/, "\n1,2\n")));
    // As on a line on which nothing moves.
    await page.route("**/api/v1/predictions/**", () => undefined);
    const predict = page.getByRole("button", { name: "Predict", exact: true });
    await predict.click();
    await page.getByRole("progressbar", { name: "Sending cut.csv" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.unroute("**/api/v1/predictions/**");
    // As after an hour: the server no longer takes the token.
    const expired = JSON.stringify({ code: "INVALID_TOKEN", detail: "The token has expired.", requestId: "" });
    const problem = { status: 401, contentType: "application/problem+json", body: expired };
    await page.route("**/api/v1/predictions/**", (route) => route.fulfill(problem), { times: 1 });
    await predict.click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The file was not scored.").waitFor();
    expect(await page.getByRole("note").textContent()).toContain("Line 2 has 2 cells; the header has 7.");
    await look(page, "prediction-failed");
    const { hash } = new URL(page.url());
    await signInAsAnother(page, server);
    await page.goto(`${address}${hash}`);
    await page.getByText("There is no prediction with this key.").waitFor();
  });
});
