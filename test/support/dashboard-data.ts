// What browser tests begin with: datasets and models made over the API, so that only what is tested is clicked through.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { signIn } from "./browser.ts";
import { formOf } from "./form.ts";
import { poll, type Server, type Status } from "./server.ts";

const isOver = ({ status }: Status) => !["PENDING", "PROCESSING", "RUNNING"].includes(status);

/** A dataset of a file, ready for training. */
export async function addDataset({ call }: Server, path: string, settings: { labelColumn?: string }): Promise<string> {
  const form = new FormData();
  const name = basename(path, ".csv");
  for (const [field, value] of Object.entries({ name, numberOfBuckets: "20", ...settings })) form.append(field, value);
  form.append("file", new File([readFileSync(path)], basename(path)));
  const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  await poll(() => call<Status>("GET", `/api/v1/datasets/${datasetKey}`), isOver);
  return datasetKey;
}

/** A model trained on a dataset, quickly. */
export async function addModel({ call }: Server, datasetKey: string, scalingFactor: number): Promise<string> {
  const path = `/api/v1/training/datasets/${datasetKey}`;
  const { trainingJobKey } = await call<{ trainingJobKey: string }>("POST", path, { scalingFactor });
  await poll(() => call<Status>("GET", `/api/v1/training/${trainingJobKey}/progress`), isOver);
  const { modelKey } = await call<{ modelKey: string }>("GET", `/api/v1/training/${trainingJobKey}`);
  return modelKey;
}

/** A prediction of a file, and the labels of its rows, which stand in the file too. */
export async function addLabelledPrediction({ call }: Server, modelKey: string, csv: string): Promise<string> {
  const file = formOf({ file: new File([csv], "may.csv") });
  const path = `/api/v1/predictions/models/${modelKey}`;
  const { predictionKey } = await call<{ predictionKey: string }>("POST", path, file);
  await poll(() => call<Status>("GET", `/api/v1/predictions/${predictionKey}/progress`), isOver);
  const labels = formOf({ file: new File([csv], "labels.csv") });
  await call("POST", `/api/v1/predictions/${predictionKey}/outcomes`, labels);
  return predictionKey;
}

/** The page goes on in the name of a user who has nothing. */
export async function signInAsAnother(page: Page, { call }: Server): Promise<void> {
  const email = "bob@example.org";
  const { password } = await call<{ password: string }>("POST", "/api/v1/users", { email, role: "user" });
  await page.getByText("ada@example.org").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, email, password);
}
