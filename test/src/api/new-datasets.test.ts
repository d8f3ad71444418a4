// Creating datasets over HTTP, as JSON and as a form: the answer, every limit
// of every field, and what is left of a refusal.
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { findOwnedDataset, listDatasets } from "../../../data/datasets.ts";
import { ALL } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetAt } from "./intake.ts";

const DATASETS = "/api/v1/datasets";
const CSV = "tenure,left\n12,no\n3,yes\n";
const ASKED = { name: "churn", numberOfBuckets: 20 };
const DIRECT_BYTES = 32 * 1024 * 1024;

const datasetsOf = (api: TestApi) =>
  listDatasets(api.database, api.ada.key, ALL).items.map(
    ({ key }) => findOwnedDataset(api.database, api.ada.key, key)!,
  );
const filesOf = ({ services: { state } }: TestApi) =>
  ["uploads", "files"].flatMap((folder) => readdirSync(state.locate(folder)));

const stored = (row: object): Expected => ({
  status: 201,
  effect: (api) => expect(datasetsOf(api)).toMatchObject([row]),
});
const nothing = (api: TestApi) => {
  expect(datasetsOf(api)).toEqual([]);
  expect(filesOf(api)).toEqual([]);
  expect(api.told).toEqual([]);
};
const refused = (...fields: string[]): Expected => ({
  status: 400,
  code: "VALIDATION_FAILED",
  fields,
  effect: nothing,
});

function create(name: string, body: unknown, expected: Expected, more: Partial<Scenario> = {}): Scenario {
  return { name, method: "POST", path: DATASETS, as: "ada", body, expect: expected, ...more };
}

const withField = (field: string, value: unknown) => ({ ...ASKED, [field]: value });
const fits = (field: string, value: unknown) =>
  create(`${field} ${describeValue(value)}`, withField(field, value), stored({ [field]: value }));
const fails = (field: string, value: unknown, wrong = field) =>
  create(`${field} ${describeValue(value)} is refused`, withField(field, value), refused(wrong));

function describeValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `of ${typeof value === "string" ? value.length : "many"} characters` : text;
}

describeScenarios("creating a dataset for an upload", startApi, [
  create("answers as the contract has it", ASKED, {
    status: 201,
    effect: (api, response, body) => {
      const { key, ...row } = datasetsOf(api)[0]!;
      const url = `http://localhost${DATASETS}/${key}`;
      const signature = /\?expires=\d+&least=10&most=534773760&signature=[\w-]+$/;
      expect(body).toEqual({
        datasetKey: key,
        status: "PENDING",
        datasetCreationProgressUrl: url,
        datasetUploadInfo: {
          uploadUrl: expect.stringContaining(`http://localhost/api/v1/uploads/${key}/DATASET?`),
          extraHeaders: { "x-cupel-content-length-range": "10,534773760" },
        },
      });
      expect((body as { datasetUploadInfo: { uploadUrl: string } }).datasetUploadInfo.uploadUrl).toMatch(signature);
      expect(response.headers.get("location")).toBe(url);
      expect(row).toMatchObject({ status: "PENDING", source: "UPLOAD", filePath: null, description: null });
      expect(Date.parse(row.uploadExpiresOn!) - Date.parse(row.createdOn)).toBeGreaterThanOrEqual(3_599_000);
      expect(api.told).toEqual([]);
    },
  }),
  fits("name", "abc"),
  fits("name", "n".repeat(30)),
  fits("name", "Größe <1> / 2"),
  fits("name", "\u{1f600}".repeat(30)),
  create("trims the name", withField("name", " abc "), stored({ name: "abc" })),
  ...[
    "ab",
    "n".repeat(31),
    "",
    "   ",
    " ab ",
    7,
    null,
    "two\nlines",
    "abc\n",
    "a\tb",
    "nul\0",
    "a\u2028b",
    "\u{1f600}".repeat(31),
    "\u{1f600}a",
    "half \ud83d",
    " \u{1f600}a ",
  ].map((name) => fails("name", name)),
  fits("description", "abc"),
  fits("description", "d".repeat(150)),
  fits("description", "Two lines,\r\n\ta tab"),
  ...["ab", "d".repeat(151), "", 7, null, "nul\0", "bell\u0007"].map((description) =>
    fails("description", description),
  ),
  ...[4, 255, 256, 1000].map((numberOfBuckets) => fits("numberOfBuckets", numberOfBuckets)),
  ...[3, 1001, "20", 20.5, 0, -4, null].map((numberOfBuckets) => fails("numberOfBuckets", numberOfBuckets)),
  fits("labelColumn", "left"),
  fits("positiveLabel", "no"),
  fits("missingValues", ["-", "unknown"]),
  fits("missingValues", []),
  fits("hasHeader", false),
  create("has a header unless told otherwise", withField("name", "abc"), stored({ hasHeader: true })),
  fails("hasHeader", "no"),
  fails("labelColumn", ""),
  fails("missingValues", "-"),
  fails("missingValues", ["m".repeat(101)], "missingValues.0"),
  fails("removeLeaks", true),
  fails("file", CSV),
  create("needs a name", {}, refused("name")),
  create("has 20 buckets unless told otherwise", { name: "churn" }, stored({ numberOfBuckets: 20 })),
  create("a body of 70 KB is refused", withField("description", "d".repeat(70_000)), {
    status: 413,
    code: "BODY_TOO_LARGE",
  }),
  create(
    "a name is taken once, blanks aside",
    withField("name", "churn "),
    { status: 409, code: "NAME_TAKEN", fields: ["name"] },
    {
      before: (api) => addDatasetAt(api, "ada", "PENDING", "churn"),
    },
  ),
  create(
    "names differ by case",
    withField("name", "Churn"),
    { status: 201 },
    {
      before: (api) => addDatasetAt(api, "ada", "PENDING", "churn"),
    },
  ),
  create("another user's names are free", ASKED, stored({ name: "churn" }), {
    before: (api) => addDatasetAt(api, "bob", "PENDING", "churn"),
  }),
]);

/** A form of fields, in order, and a file. */
function form(
  fields: readonly (readonly [string, string])[],
  file: string | Uint8Array<ArrayBuffer> | null = CSV,
): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  if (file !== null) data.append("file", new Blob([file], { type: "text/csv" }), "ch;urn.csv");
  return data;
}

const FIELDS = [
  ["name", "churn"],
  ["numberOfBuckets", "20"],
] as const;

describeScenarios("creating a dataset from a form", startApi, [
  create("is in processing at once", form(FIELDS), {
    status: 201,
    effect: (api, _, body) => {
      const { key, ...row } = datasetsOf(api)[0]!;
      expect(body).toEqual({
        datasetKey: key,
        status: "PROCESSING",
        datasetCreationProgressUrl: `http://localhost${DATASETS}/${key}`,
      });
      const sha256 = createHash("sha256").update(CSV).digest("hex");
      expect(row).toMatchObject({
        status: "PROCESSING",
        source: "UPLOAD",
        sizeBytes: CSV.length,
        sha256,
        uploadExpiresOn: null,
      });
      expect(readFileSync(api.services.state.locate(row.filePath!), "utf8")).toBe(CSV);
      expect(filesOf(api)).toHaveLength(1);
      expect(api.told).toEqual(["wake"]);
    },
  }),
  create(
    "takes every field, lists as several parts",
    form([
      ["description", "two words"],
      ["missingValues", "-"],
      ...FIELDS,
      ["labelColumn", "left"],
      ["missingValues", "?"],
      ["positiveLabel", "no"],
      ["hasHeader", "false"],
    ]),
    stored({
      hasHeader: false,
      ...{ name: "churn", description: "two words", numberOfBuckets: 20, labelColumn: "left", positiveLabel: "no" },
      missingValues: ["-", "?"],
    }),
  ),
  create("needs a name", form([]), refused("name")),
  create("has 20 buckets unless told otherwise", form([["name", "churn"]]), stored({ numberOfBuckets: 20 })),
  create(
    "3 buckets are refused",
    form([
      ["name", "churn"],
      ["numberOfBuckets", "3"],
    ]),
    refused("numberOfBuckets"),
  ),
  create(
    "20.5 buckets are refused",
    form([
      ["name", "churn"],
      ["numberOfBuckets", "20.5"],
    ]),
    refused("numberOfBuckets"),
  ),
  create(
    "two letters are no name",
    form([
      ["name", " ab "],
      ["numberOfBuckets", "20"],
    ]),
    refused("name"),
  ),
  create("an unknown field is refused", form([...FIELDS, ["rows", "3"]]), refused("rows")),
  create("a field comes once", form([...FIELDS, ["name", "again"]]), refused("name")),
  create(
    "a missing value that is too long is refused",
    form([...FIELDS, ["missingValues", "m".repeat(101)]]),
    refused("missingValues.0"),
  ),
  create("a form without a file is refused", form(FIELDS, null), {
    status: 400,
    code: "MALFORMED_MULTIPART",
    effect: nothing,
  }),
  create("a file of 9 bytes is refused", form(FIELDS, "a,b\n1,2\n3"), {
    status: 400,
    code: "FILE_TOO_SMALL",
    effect: nothing,
  }),
  create("a file of 10 bytes", form(FIELDS, "a,b\n1,2\n3,"), stored({ sizeBytes: 10 })),
  create("a file of 32 MB", form(FIELDS, new Uint8Array(DIRECT_BYTES).fill(65)), stored({ sizeBytes: DIRECT_BYTES })),
  create("a file of a byte more is refused", form(FIELDS, new Uint8Array(DIRECT_BYTES + 1).fill(65)), {
    status: 413,
    code: "BODY_TOO_LARGE",
    body: { detail: expect.stringMatching(/^The file .* at most 32 MiB here\. .* 510 MiB, .* `uploadUrl`/) },
    effect: nothing,
  }),
  create(
    "a taken name leaves no file",
    form(FIELDS),
    {
      status: 409,
      code: "NAME_TAKEN",
      effect: (api) => expect(filesOf(api)).toEqual([]),
    },
    { before: (api) => addDatasetAt(api, "ada", "PENDING", "churn") },
  ),
]);
