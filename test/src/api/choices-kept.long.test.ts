// Choices for columns through whole runs of the service, with restarts
// between: the models are those of the command line.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statePaths } from "../../../data/files/state-folder.ts";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import type { DatasetRecord } from "../../../src/api/datasets/datasets.ts";
import type { ModelDetails } from "../../../src/api/models/model-details.ts";
import type { RefinementItem } from "../../../src/api/refinements/feature-refinery.ts";
import type { TrainingDetail } from "../../../src/api/training/training.ts";
import { run } from "../../../src/commands/run.ts";
import type { Service } from "../../../src/service/service.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { testFolder } from "../../support/folders.ts";
import { formOf } from "../../support/form.ts";
import { runOptions, spawnWorker, testConsole } from "../../support/in-process.ts";
import { openTestService, SignedIn } from "../../support/live-service.ts";

const root = testFolder(() => service.close());
const dataFolder = join(root, "state");
let service: Service;
const ada = new SignedIn(() => service);

/** Codes that look like numbers, ages with texts of their own, a column to leave out. */
function table(): string {
  const rows = Array.from({ length: 400 }, (_, at) => {
    const zip = 10_100 + ((at * 7) % 9);
    const age = at % 9 === 2 ? "-999" : at % 11 === 4 ? "unknown" : String(18 + ((at * 37) % 61));
    const isIn = [0, 3, 4, 7].includes(zip - 10_100);
    const label = isIn !== (at % 13 === 0) && age !== "unknown" ? "yes" : "no";
    return [zip, age, ["red", "blue", "none"][(at * 5) % 3], (at * 31) % 97, at % 10, label].join(",");
  });
  return `zip,age,colour,noise,later,answer\n${rows.join("\n")}\n`;
}

const COLUMN_CHOICES = [
  { name: "zip", kind: "category" as const },
  { name: "age", missingTexts: ["-999"] },
  { name: "colour", missingTexts: ["none"] },
];
const CHOICES = { columnChoices: COLUMN_CHOICES, withoutColumns: ["later"], missingValues: ["?"] };

async function restart(): Promise<void> {
  await service.close();
  service = await openTestService(dataFolder);
}

beforeAll(async () => {
  mkdirSync(dataFolder);
  service = await openTestService(dataFolder);
  await ada.signIn();
});
const readDataset = (key: string) =>
  ada.until<DatasetRecord>(`/api/v1/datasets/${key}`, ({ status }) => !/PENDING|PROCESSING/.test(status));
const trained = (key: string) =>
  ada.until<TrainingDetail>(`/api/v1/training/${key}`, ({ status }) => !/PENDING|RUNNING/.test(status));
const modelOf = (modelKey: string) => unpackModel(readFileSync(join(dataFolder, statePaths.modelVersion(modelKey, 1))));
/** Without who made it, when, and the name of the table. */
const made = ({ columns, features, model, missingMarkers, labels }: ModelFile) => {
  return { columns, features, model, missingMarkers, labels };
};

async function onCommandLine(name: string, refine: boolean): Promise<{ model: ModelFile; summary: RunSummary }> {
  const path = join(root, "table.csv");
  writeFileSync(path, table());
  const { columnChoices, withoutColumns, missingValues } = CHOICES;
  const options = { columnChoices, withoutColumns, missingMarkers: missingValues, label: "answer", refine };
  const outFolder = join(root, name);
  expect(await run(runOptions(path, outFolder, options), testConsole(), spawnWorker)).toBe(0);
  return {
    model: unpackModel(readFileSync(join(outFolder, "model.cupel"))),
    summary: JSON.parse(readFileSync(join(outFolder, "summary.json"), "utf8")),
  };
}

test("what is chosen for a dataset makes the model that the same options make", async () => {
  const form = formOf({
    name: "answers",
    labelColumn: "answer",
    file: new File([table()], "table.csv", { type: "text/csv" }),
  });
  const { datasetKey } = await ada.ask<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  const found = await readDataset(datasetKey);
  const kinds = (record: DatasetRecord) => record.columns.map(({ kind }) => kind);
  expect(kinds(found).slice(0, 3)).toEqual(["number", "number", "category"]);
  await ada.ask("PATCH", `/api/v1/datasets/${datasetKey}`, CHOICES);
  await restart();
  const chosen = await readDataset(datasetKey);
  expect(chosen).toMatchObject({ ...CHOICES, status: "COMPLETED" });
  expect(chosen.columns[0]).toMatchObject({ kind: "category", foundKind: "number" });
  // Texts are found no more where some are named: then "unknown" is a value, and the column no longer one of numbers.
  expect(chosen.columns[1]).toMatchObject({ missingTexts: ["-999"] });
  expect(chosen.columns[2]).toMatchObject({ missingTexts: ["none"] });

  const { trainingJobKey } = await ada.ask<{ trainingJobKey: string }>(
    "POST",
    `/api/v1/training/datasets/${datasetKey}`,
    {
      scalingFactor: 2,
    },
  );
  await restart();
  const job = await trained(trainingJobKey);
  expect(job).toMatchObject({ status: "COMPLETED", columnChoices: COLUMN_CHOICES, withoutColumns: ["later"] });
  const own = await onCommandLine("plain", false);
  expect(made(modelOf(job.modelKey!))).toEqual(made(own.model));
  const details = await ada.ask<ModelDetails>("GET", `/api/v1/models/${job.modelKey}/details`);
  expect(details.columns.find(({ name }) => name === "zip")).toMatchObject({ kind: "category", foundKind: "number" });
  const report = readFileSync(join(root, "plain", "report.html"), "utf8");
  expect(report).toContain("category, as chosen (number by its cells)");
  expect(readFileSync(join(dataFolder, statePaths.modelReport(job.modelKey!)), "utf8")).toContain("as chosen");

  // A training may read the columns otherwise, and leaves the dataset as it is.
  const other = await ada.ask<{ trainingJobKey: string }>("POST", `/api/v1/training/datasets/${datasetKey}`, {
    ...{ scalingFactor: 0, columnChoices: [] },
  });
  const { modelKey } = await trained(other.trainingJobKey);
  expect(modelOf(modelKey!).columns.find(({ name }) => name === "zip")).toMatchObject({ kind: "number" });
  expect((await readDataset(datasetKey)).columnChoices).toEqual(COLUMN_CHOICES);
}, 300_000);

test("a refinement and the training that follows it take the choices along", async () => {
  const { datasets } = await ada.ask<{ datasets: DatasetRecord[] }>("GET", "/api/v1/datasets");
  const [{ datasetKey }] = datasets as [DatasetRecord];
  const { featureRefinementKey } = await ada.ask<{ featureRefinementKey: string }>(
    "POST",
    `/api/v1/feature-refinery/datasets/${datasetKey}`,
    { thenTrain: { scalingFactor: 2 } },
  );
  await restart();
  const run = await ada.until<RefinementItem>(
    `/api/v1/feature-refinery/${featureRefinementKey}`,
    ({ plannedTraining }) => !/WAITING|PREPARING/.test(plannedTraining!.status),
  );
  expect(run).toMatchObject({ columnChoices: COLUMN_CHOICES, plannedTraining: { status: "STARTED" } });
  const job = await trained(run.plannedTraining!.trainingJobKey!);
  const { model, summary } = await onCommandLine("refined", true);
  const kept = summary.refinement!.keptColumns;
  const ofKept = COLUMN_CHOICES.filter(({ name }) => kept.includes(name));
  expect(ofKept).toContainEqual(COLUMN_CHOICES[0]!);
  expect(job.columnChoices).toEqual(ofKept);
  expect((await readDataset(job.datasetKey)).columnChoices).toEqual(ofKept);
  const readings = ({ columns }: ModelFile) => columns.map(({ name, kind, reading }) => ({ name, kind, reading }));
  expect(readings(modelOf(job.modelKey!))).toEqual(readings(model));
}, 300_000);
