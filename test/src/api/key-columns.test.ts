// Group and time columns, columns left out and how others are read, over
// HTTP: what is stored, inherited, shown and refused.
import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { claimNextDataset, completeDataset } from "../../../data/dataset-processing.ts";
import { findOwnedDataset, insertDataset, listDatasets, type NewDataset } from "../../../data/datasets.ts";
import { listRefinements, type NewRefinement } from "../../../data/refinements/refinements.ts";
import { listTrainingJobs } from "../../../data/training-jobs.ts";
import { ALL, FACTS, newDataset } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { formOf } from "../../support/form.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";

const NONE = { groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [], columnChoices: [] };
const CHOICES = [{ name: "recorded", kind: "category" as const }];
const BY_MACHINE = { ...NONE, groupColumn: "machine", withoutColumns: ["note"], columnChoices: CHOICES };
const LONG = "c".repeat(1_000);

/** What may be asked for, with what is stored then. */
const FITTING: readonly (readonly [string, object, object?])[] = [
  ["none of them", {}, NONE],
  ["a group column", { groupColumn: "machine" }],
  ["a group column of 1,000 characters", { groupColumn: LONG }],
  ["no group column by name", { groupColumn: null }],
  ["a time column", { timeColumn: "recorded" }],
  ["group and time", { groupColumn: "machine", timeColumn: "recorded", keepKeyColumns: true }],
  ["columns left out", { withoutColumns: ["note", "Kündigungsdatum"] }],
  ["an empty list of columns", { withoutColumns: [] }],
  ["a kind", { columnChoices: [{ name: "zip", kind: "category" }] }],
  ["an empty list of choices", { columnChoices: [] }],
  [
    "texts without blanks around, once, and no nulls",
    { columnChoices: [{ name: "a", kind: null, missingTexts: [" - ", "-", "", "k. A."] }] },
    { columnChoices: [{ name: "a", missingTexts: ["-", "k. A."] }] },
  ],
  [
    "no missing texts",
    { columnChoices: [{ name: "a", missingTexts: [] }] },
    { columnChoices: [{ name: "a", missingTexts: [] }] },
  ],
  ["nothing for a column", { columnChoices: [{ name: "a", kind: null }, { name: "b" }] }, { columnChoices: [] }],
];

/** What is refused whatever the file, with the field that is named. */
const REFUSED: readonly (readonly [object, string])[] = [
  [{ groupColumn: "" }, "groupColumn"],
  [{ groupColumn: `${LONG}c` }, "groupColumn"],
  [{ groupColumn: 7 }, "groupColumn"],
  [{ groupColumn: ["machine"] }, "groupColumn"],
  [{ timeColumn: "" }, "timeColumn"],
  [{ timeColumn: true }, "timeColumn"],
  [{ keepKeyColumns: "yes" }, "keepKeyColumns"],
  [{ keepKeyColumns: null }, "keepKeyColumns"],
  [{ withoutColumns: "note" }, "withoutColumns"],
  [{ withoutColumns: null }, "withoutColumns"],
  [{ withoutColumns: ["note", ""] }, "withoutColumns.1"],
  [{ withoutColumns: Array.from({ length: 1_001 }, () => "a") }, "withoutColumns"],
  [{ group: "machine" }, "group"],
  [{ columnChoices: null }, "columnChoices"],
  [{ columnChoices: { zip: "category" } }, "columnChoices"],
  [{ columnChoices: [{ kind: "number" }] }, "columnChoices.0.name"],
  [{ columnChoices: [{ name: "", kind: "number" }] }, "columnChoices.0.name"],
  [{ columnChoices: [{ name: "a", kind: "identifier" }] }, "columnChoices.0.kind"],
  [{ columnChoices: [{ name: "a", missingTexts: "-" }] }, "columnChoices.0.missingTexts"],
  [{ columnChoices: [{ name: "a", missingTexts: ["x".repeat(101)] }] }, "columnChoices.0.missingTexts.0"],
  [{ columnChoices: [{ name: "a", missingTexts: Array(51).fill("-") }] }, "columnChoices.0.missingTexts"],
  [{ columnChoices: [{ name: "a", role: "label" }] }, "columnChoices.0.role"],
  [{ columnChoices: [{ name: "a" }, { name: "b" }, { name: "a", kind: "date" }] }, "columnChoices.2.name"],
  [{ columnChoices: Array.from({ length: 1_001 }, (_, at) => ({ name: `c${at}` })) }, "columnChoices"],
];

const datasetsOf = (api: TestApi) => listDatasets(api.database, api.ada.key, ALL).items;
const runsOf = (api: TestApi) => listRefinements(api.database, api.ada.key, ALL).items;
const jobsOf = (api: TestApi) => listTrainingJobs(api.database, api.ada.key, ALL).items;
const filesOf = ({ state }: TestApi) => ["uploads", "files"].flatMap((folder) => readdirSync(state.locate(folder)));

/** All that fits and all that is refused, for one way of asking. */
function fieldTable(
  path: Scenario["path"],
  base: object,
  rowsOf: (api: TestApi) => readonly object[],
): readonly Scenario[] {
  const asked = (name: string, fields: object, expected: Expected): Scenario => ({
    ...{ name, method: "POST", path, as: "ada", body: { ...base, ...fields } },
    expect: expected,
  });
  return [
    ...FITTING.map(([name, fields, stored = fields]) =>
      asked(name, fields, { status: 201, effect: (api) => expect(rowsOf(api)).toMatchObject([stored]) }),
    ),
    ...REFUSED.map(([fields, field]) =>
      asked(`refuses ${JSON.stringify(fields).slice(0, 40)}`, fields, {
        ...{ status: 400, code: "VALIDATION_FAILED", fields: [field] },
        effect: (api) => expect(rowsOf(api)).toEqual([]),
      }),
    ),
  ];
}

describeScenarios(
  "the key columns of a dataset",
  startApi,
  fieldTable("/api/v1/datasets", { name: "machines" }, datasetsOf),
);
describeScenarios(
  "the key columns of a refinement",
  startApi,
  fieldTable("/api/v1/feature-refinery", { name: "machines" }, runsOf),
);

const CSV = "machine,recorded,note,left\nm1,2027-01-01,a,no\nm2,2027-01-02,b,yes\n";
function form(fields: readonly (readonly [string, string])[]): FormData {
  const data = formOf({ name: "machines" });
  for (const [name, value] of fields) data.append(name, value);
  data.append("file", new Blob([CSV], { type: "text/csv" }), "machines.csv");
  return data;
}
const send = (name: string, fields: readonly (readonly [string, string])[], expected: Expected): Scenario => ({
  ...{ name, method: "POST", path: "/api/v1/datasets", as: "ada", body: form(fields), expect: expected },
});
const refusedForm = (field: string, detail: RegExp): Expected => ({
  ...{ status: 400, code: "VALIDATION_FAILED", fields: [field] },
  body: { detail: expect.stringMatching(detail) },
  effect: (api) => expect([datasetsOf(api), filesOf(api)]).toEqual([[], []]),
});

describeScenarios("the key columns of a form with its file", startApi, [
  send(
    "are stored, lists as several parts",
    [
      ["groupColumn", "machine"],
      ["timeColumn", "recorded"],
      ["keepKeyColumns", "true"],
      ["withoutColumns", "note"],
      ["missingValues", "-"],
      ["withoutColumns", "recorded"],
    ],
    {
      status: 201,
      effect: (api) =>
        expect(datasetsOf(api)).toMatchObject([
          {
            ...{ groupColumn: "machine", timeColumn: "recorded", keepKeyColumns: true },
            ...{ withoutColumns: ["note", "recorded"], missingValues: ["-"] },
          },
        ]),
    },
  ),
  send(
    "come with choices for single columns, each as JSON",
    [
      ["columnChoices", '{"name": "machine", "kind": "category"}'],
      ["columnChoices", '{"name": "note", "missingTexts": ["-"]}'],
    ],
    {
      status: 201,
      effect: (api) =>
        expect(datasetsOf(api)).toMatchObject([
          {
            columnChoices: [
              { name: "machine", kind: "category" },
              { name: "note", missingTexts: ["-"] },
            ],
          },
        ]),
    },
  ),
  send(
    "choose for columns of the file alone",
    [
      ["columnChoices", '{"name": "machine", "kind": "category"}'],
      ["columnChoices", '{"name": "notes", "kind": "text"}'],
    ],
    refusedForm("columnChoices.1.name", /Did you mean "note"\?/),
  ),
  send(
    "are refused where a choice is no JSON",
    [["columnChoices", "machine: category"]],
    refusedForm("columnChoices.0", /must be an object; it is "machine: category"/),
  ),
  send(
    "name a column of the file",
    [["groupColumn", "machin"]],
    refusedForm("groupColumn", /Did you mean "machine"\?/),
  ),
  send("are not the label", [["timeColumn", "left"]], refusedForm("timeColumn", /is the label/)),
  send(
    "are not the label that is asked for",
    [
      ["labelColumn", "note"],
      ["groupColumn", "note"],
    ],
    refusedForm("groupColumn", /is the label/),
  ),
  send(
    "leave out columns of the file alone",
    [
      ["withoutColumns", "note"],
      ["withoutColumns", "notes"],
    ],
    refusedForm("withoutColumns.1", /no column "notes" to leave out/),
  ),
  send(
    "are the columns' numbers where there is no header",
    [
      ["hasHeader", "false"],
      ["groupColumn", "column_1"],
    ],
    { status: 201 },
  ),
  send(
    "are no texts of the first row where there is no header",
    [
      ["hasHeader", "false"],
      ["groupColumn", "machine"],
    ],
    refusedForm("groupColumn", /no column "machine"/),
  ),
]);

const COLUMNS = ["machine", "recorded", "note", "y"].map((name) => ({ ...FACTS.columns[0]!, name }));
const keys = new WeakMap<TestApi, string>();
const keyOf = (api: TestApi) => keys.get(api)!;

/** A COMPLETED dataset of those columns. */
function completed(changes: Partial<NewDataset> = {}) {
  return (api: TestApi) => {
    const { filePath, sizeBytes, sha256 } = addDatasetAt(api, "ada", "PROCESSING");
    claimNextDataset(api.database);
    const file = { path: filePath!, sizeBytes: sizeBytes!, sha256: sha256! };
    const origin = { kind: "DIRECT_UPLOAD", file } as const;
    const { key } = insertDataset(api.database, newDataset(api.ada.key, { ...changes, origin }), api.services.now())!;
    claimNextDataset(api.database);
    completeDataset(api.database, key, { ...FACTS, columns: COLUMNS }, api.services.now());
    keys.set(api, key);
  };
}

/** On a dataset that is judged by machine. */
function onDataset(path: string, name: string, body: object, expected: Expected): Scenario {
  return {
    ...{ name, method: "POST", path: (api) => `${path}/${keyOf(api)}`, as: "ada", body, expect: expected },
    before: completed(BY_MACHINE),
  };
}

/** What is asked of a dataset judged by machine, and what then counts; or the field that is refused. */
const ON_DATASET: readonly (readonly [string, object, object | string])[] = [
  ["are the dataset's unless others are named", {}, BY_MACHINE],
  ["may be others", { groupColumn: "note" }, { ...BY_MACHINE, groupColumn: "note" }],
  ["may come on top", { timeColumn: "recorded" }, { ...BY_MACHINE, timeColumn: "recorded" }],
  ["may be taken back", { groupColumn: null, withoutColumns: [], columnChoices: [] }, NONE],
  ["may be features", { keepKeyColumns: true }, { ...BY_MACHINE, keepKeyColumns: true }],
  ["must be columns of the dataset", { groupColumn: "machines" }, "groupColumn"],
  ["must not be the label", { timeColumn: "y" }, "timeColumn"],
  ["may read a column otherwise", { columnChoices: [] }, { ...BY_MACHINE, columnChoices: [] }],
  [
    "are about columns of the dataset alone",
    { columnChoices: [{ name: "recrded", kind: "date" }] },
    "columnChoices.0.name",
  ],
  [
    "are about no label",
    {
      columnChoices: [
        { name: "note", kind: "text" },
        { name: "y", kind: "number" },
      ],
    },
    "columnChoices.1.name",
  ],
  ["leave out columns of the dataset alone", { withoutColumns: ["note", "nota"] }, "withoutColumns.1"],
  ["leave out no label", { withoutColumns: ["note", "y"] }, "withoutColumns.1"],
];
const tableOn = (path: string, rowsOf: (api: TestApi) => readonly object[]) =>
  ON_DATASET.map(([name, body, outcome]) =>
    onDataset(
      path,
      name,
      body,
      typeof outcome === "string"
        ? {
            ...{ status: 400, code: "VALIDATION_FAILED", fields: [outcome] },
            effect: (api) => expect(rowsOf(api)).toEqual([]),
          }
        : { status: 201, effect: (api) => expect(rowsOf(api)).toMatchObject([outcome]) },
    ),
  );

describeScenarios("the key columns of a training", startApi, tableOn("/api/v1/training/datasets", jobsOf));
describeScenarios(
  "the key columns of a dataset's refinement",
  startApi,
  tableOn("/api/v1/feature-refinery/datasets", runsOf),
);

const addRun = (changes: Partial<NewRefinement>) => (api: TestApi) => {
  keys.set(api, addRunAt(api, "ada", "REFINEMENT_COMPLETED", changes).key);
};

describeScenarios("the key columns of a refinement's dataset", startApi, [
  {
    name: "are the refinement's, but for columns that are not in its file",
    method: "POST",
    path: (api) => `/api/v1/datasets/feature-refinery/${keyOf(api)}`,
    as: "ada",
    body: { name: "refined" },
    before: addRun({
      ...{ groupColumn: "tenure", keepKeyColumns: true, withoutColumns: ["plan"] },
      columnChoices: [
        { name: "plan", kind: "text" },
        { name: "tenure", missingTexts: ["-"] },
      ],
    }),
    expect: {
      status: 201,
      effect: (api, _, body) => {
        const { datasetKey } = body as { datasetKey: string };
        const dataset = findOwnedDataset(api.database, api.ada.key, datasetKey);
        const columnChoices = [{ name: "tenure", missingTexts: ["-"] }];
        expect(dataset).toMatchObject({ ...NONE, groupColumn: "tenure", keepKeyColumns: true, columnChoices });
      },
    },
  },
]);

const shows = (name: string, path: (api: TestApi) => string, before: (api: TestApi) => void): Scenario => ({
  ...{ name, method: "GET", path, as: "ada", before, expect: { status: 200, body: BY_MACHINE } },
});

describeScenarios("key columns are shown", startApi, [
  shows("by a dataset", (api) => `/api/v1/datasets/${keyOf(api)}`, completed(BY_MACHINE)),
  shows("by a refinement", (api) => `/api/v1/feature-refinery/${keyOf(api)}`, addRun(BY_MACHINE)),
]);

describeScenarios("key columns are shown", startApi, [
  shows(
    "by a training",
    (api) => `/api/v1/training/${jobsOf(api)[0]!.key}`,
    async (api: TestApi) => {
      completed(BY_MACHINE)(api);
      await api.request("POST", `/api/v1/training/datasets/${keyOf(api)}`, { as: "ada", body: {} });
    },
  ),
]);
