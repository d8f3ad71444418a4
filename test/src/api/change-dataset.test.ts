// Changing how a dataset is read: what is stored, undone and refused, and what
// is shown of its rows and of doubts about them.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { listAudit } from "../../../data/audit.ts";
import { claimNextDataset, completeDataset, failDataset } from "../../../data/dataset-processing.ts";
import { type Dataset, findOwnedDataset, insertDataset, type NewDataset } from "../../../data/datasets.ts";
import { cancelTrainingJob } from "../../../data/training-jobs.ts";
import { claimNextTrainingJob, setTrainingVerdict } from "../../../data/training-runs.ts";
import { VERDICT_EXAMPLE } from "../../../src/api/verdict.ts";
import { ALL, addTrainingJob, FACTS, newDataset } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetAt } from "./intake.ts";

const TEXT = "machine,recorded,note,y\nm1,2027-01-01,a,no\nm2,2027-01-02,b,yes\n";
const COLUMNS = ["machine", "recorded", "note", "y"].map((name) => ({ ...FACTS.columns[0]!, name }));
const keys = new WeakMap<TestApi, string>();
const keyOf = (api: TestApi) => keys.get(api)!;
const datasetOf = (api: TestApi): Dataset => findOwnedDataset(api.database, api.ada.key, keyOf(api))!;

/** A dataset of ada's that was read, or could not be. */
function addRead(changes: Partial<NewDataset> = {}, errorReason: string | null = null) {
  return (api: TestApi) => {
    const { filePath, sizeBytes, sha256 } = addDatasetAt(api, "ada", "PROCESSING");
    writeFileSync(api.state.locate(filePath!), TEXT);
    claimNextDataset(api.database);
    const origin = {
      kind: "DIRECT_UPLOAD",
      file: { path: filePath!, sizeBytes: sizeBytes!, sha256: sha256! },
    } as const;
    const { key } = insertDataset(api.database, newDataset(api.ada.key, { origin, ...changes }), api.services.now())!;
    claimNextDataset(api.database);
    const now = api.services.now();
    if (errorReason === null) completeDataset(api.database, key, { ...FACTS, columns: COLUMNS }, now);
    else failDataset(api.database, key, errorReason, now, "KIND_UNREADABLE");
    keys.set(api, key);
  };
}

const CHOSEN: Partial<NewDataset> = {
  ...{ groupColumn: "machine", timeColumn: "recorded", keepKeyColumns: true, withoutColumns: ["note"] },
  missingValues: ["-"],
  columnChoices: [
    { name: "recorded", kind: "category", missingTexts: ["never"] },
    { name: "note", missingTexts: ["none"] },
  ],
};

const patch = (name: string, body: object, expected: Expected, before = addRead(CHOSEN)): Scenario => ({
  ...{ name, method: "PATCH", path: (api) => `/api/v1/datasets/${keyOf(api)}`, as: "ada", body, before },
  expect: expected,
});

/** What is stored then; all else stays as it was. */
const stores = (changed: object): Expected => ({
  status: 200,
  body: { status: "PROCESSING" },
  effect: (api) => {
    const dataset = datasetOf(api);
    expect(dataset).toMatchObject({ ...CHOSEN, labelColumn: "y", positiveLabel: "yes", ...changed });
    expect(dataset).toMatchObject({ status: "PROCESSING", columns: null, processedOn: null });
    expect(api.told).toEqual(["wake"]);
    expect(listAudit(api.database, {}, ALL).items).toMatchObject([
      { action: "positiveLabel" in changed ? "DATASET_RELABELLED" : "DATASET_CHANGED", objectKey: dataset.key },
    ]);
    expect(claimNextDataset(api.database)!.key).toBe(dataset.key);
  },
});
const refuses = (field: string, detail: RegExp): Expected => ({
  ...{ status: 400, code: "VALIDATION_FAILED", fields: [field] },
  body: { detail: expect.stringMatching(detail) },
  effect: (api) => {
    expect(datasetOf(api).status).not.toBe("PROCESSING");
    expect(api.told).toEqual([]);
  },
});
const choices = (...columnChoices: object[]) => ({ columnChoices });

describeScenarios("changes of a dataset", startApi, [
  patch(
    "are about the columns that are named",
    choices({ name: "machine", kind: "text" }),
    stores(choices(...CHOSEN.columnChoices!, { name: "machine", kind: "text" })),
  ),
  patch(
    "are about what is named of a column",
    choices({ name: "recorded", kind: "date" }, { name: "note", missingTexts: [" - ", "-"] }),
    stores(choices({ name: "recorded", kind: "date", missingTexts: ["never"] }, { name: "note", missingTexts: ["-"] })),
  ),
  patch(
    "undo what is null, and keep no choice of nothing",
    choices({ name: "recorded", kind: null }, { name: "note", missingTexts: null }),
    stores(choices({ name: "recorded", missingTexts: ["never"] })),
  ),
  patch("undo all choices", { columnChoices: null }, stores({ columnChoices: [] })),
  patch("keep all choices", { columnChoices: [] }, stores({})),
  patch("name the group alone", { groupColumn: "note" }, stores({ groupColumn: "note" })),
  patch(
    "undo whatever else was chosen",
    { groupColumn: null, timeColumn: null, keepKeyColumns: null, withoutColumns: null, missingValues: null },
    stores({ groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [], missingValues: null }),
  ),
  patch("name a column to leave out once", { withoutColumns: ["note", "note"] }, stores({ withoutColumns: ["note"] })),
  patch("name missing texts of the table", { missingValues: ["?", "x"] }, stores({ missingValues: ["?", "x"] })),
  patch("name the positive label alone", { positiveLabel: "no" }, stores({ positiveLabel: "no" })),
  patch(
    "name another label with its choices undone",
    { labelColumn: "note", withoutColumns: null, columnChoices: null },
    stores({ labelColumn: "note", positiveLabel: null, withoutColumns: [], columnChoices: [] }),
  ),
  patch(
    "lead out of a failure",
    choices({ name: "machine", kind: null }),
    stores(choices()),
    addRead(
      { ...CHOSEN, labelColumn: "y", positiveLabel: "yes", columnChoices: [{ name: "machine", kind: "number" }] },
      "No.",
    ),
  ),
]);

describeScenarios("changes of a dataset that are refused", startApi, [
  patch("without any", {}, refuses("body", /Name what is to change: labelColumn, /)),
  patch("for an unknown column", choices({ name: "nota", kind: "text" }), refuses("columnChoices.0.name", /"note"\?/)),
  patch(
    "for the label",
    choices({ name: "note", kind: null }, { name: "y", kind: "text" }),
    refuses("columnChoices.1.name", /"y" is the label/),
  ),
  patch(
    "twice for a column",
    choices({ name: "note", kind: "text" }, { name: "note", missingTexts: [] }),
    refuses("columnChoices.1.name", /named twice/),
  ),
  patch("for a group that is the label", { groupColumn: "y" }, refuses("groupColumn", /is the label/)),
  patch("for an unknown time", { timeColumn: "record" }, refuses("timeColumn", /Did you mean "recorded"\?/)),
  patch("for an unknown column to leave out", { withoutColumns: ["notes"] }, refuses("withoutColumns.0", /"note"\?/)),
  patch("for a label that is the group", { labelColumn: "machine" }, refuses("groupColumn", /is the label/)),
  patch(
    "for a label that is left out",
    { labelColumn: "note", columnChoices: null },
    refuses("withoutColumns.0", /"note" is the label, which cannot be left out/),
  ),
  patch(
    "for a label that has choices",
    { labelColumn: "note", withoutColumns: null },
    refuses("columnChoices", /"note" is the label, whose texts are the classes/),
  ),
  patch(
    "for a column that the file of a failed dataset does not have",
    choices({ name: "machines", kind: "text" }),
    refuses("columnChoices.0.name", /Did you mean "machine"\?/),
    addRead({}, "No."),
  ),
  patch(
    "of kinds that there are not",
    choices({ name: "note", kind: "constant" }),
    refuses("columnChoices.0.kind", /./),
  ),
]);

const inUse = (detail: RegExp): Expected => ({
  ...{ status: 409, code: "IN_USE" },
  body: { detail: expect.stringMatching(detail) },
  effect: (api) => expect([datasetOf(api).status, api.told]).toEqual(["COMPLETED", []]),
});
const training = (isOver: boolean) => (api: TestApi) => {
  addRead(CHOSEN)(api);
  const { key, userKey } = addTrainingJob(api.database, datasetOf(api));
  if (isOver) cancelTrainingJob(api.database, userKey, key, api.services.now());
};

describeScenarios("changes of a dataset in use", startApi, [
  patch(
    "wait for a training that uses it",
    { groupColumn: null },
    inUse(/A training uses this dataset/),
    training(false),
  ),
  patch("are possible once that is over", { groupColumn: null }, stores({ groupColumn: null }), training(true)),
  patch(
    "are no other label then",
    { labelColumn: "note", withoutColumns: null },
    inUse(/used this dataset's label already/),
    (api) => {
      training(true)(api);
      api.database.client.run("UPDATE datasets SET columnChoices = '[]'");
    },
  ),
  patch(
    "of a refinement are made where it began",
    { groupColumn: null },
    inUse(/change the dataset that was refined/),
    (api) => {
      addRead(CHOSEN)(api);
      api.database.client.run("UPDATE datasets SET source = 'REFINEMENT'");
    },
  ),
  patch("wait until its file is read", { groupColumn: null }, { status: 409, code: "DATASET_NOT_READY" }, (api) => {
    keys.set(api, addDatasetAt(api, "ada", "PROCESSING").key);
  }),
]);

const LEAK = { ...VERDICT_EXAMPLE.doubts[0]!, code: "LEAK_SUSPECT", columns: ["note"], option: "--without note" };
const FEW = { ...VERDICT_EXAMPLE.doubts[0]!, code: "FEW_ROWS", columns: [] };

/** A dataset whose training doubts machine and note. */
const doubted = (changes: Partial<NewDataset>) => (api: TestApi) => {
  addRead(changes)(api);
  const dataset = datasetOf(api);
  addTrainingJob(api.database, dataset);
  const { key } = claimNextTrainingJob(api.database, api.services.now())!;
  const doubts = [...VERDICT_EXAMPLE.doubts, LEAK, FEW];
  setTrainingVerdict(api.database, key, { ...VERDICT_EXAMPLE, doubts });
  // Nothing is known of its rows yet.
  addTrainingJob(api.database, dataset);
};
const look = (name: string, before: (api: TestApi) => void, body: object): Scenario => ({
  ...{ name, method: "GET", path: (api) => `/api/v1/datasets/${keyOf(api)}`, as: "ada", before },
  expect: { status: 200, body },
});

describeScenarios("a dataset shows", startApi, [
  look("its choices", addRead(CHOSEN), { ...CHOSEN, doubts: [] }),
  look("the doubts that a choice answers", doubted({}), { doubts: [...VERDICT_EXAMPLE.doubts, LEAK] }),
  look("none that a choice has answered", doubted({ groupColumn: "machine", withoutColumns: ["note"] }), {
    doubts: [],
  }),
]);
