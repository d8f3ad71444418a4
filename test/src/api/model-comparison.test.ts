// Two models side by side over HTTP.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { nameModel } from "../../../data/models.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { binarySummary, manyClassesSummary } from "../../support/summaries.ts";
import { addScorer } from "./service.ts";

const UNKNOWN = "11111111-2222-4333-8444-555555555555";
const NOT_FOUND = { status: 404, code: "NOT_FOUND" } as const;

function addModel(api: TestApi, summary: RunSummary | null): string {
  const { modelKey } = addScorer(api, "ada");
  if (summary !== null) writeFileSync(api.state.locate(statePaths.modelSummary(modelKey)), JSON.stringify(summary));
  return modelKey;
}

/** The binary run with its first row decided wrong by all, and others only by this one. */
function summaryOf(wrong: number, change: Partial<RunSummary> = {}): RunSummary {
  const summary = binarySummary();
  const bits = new Uint8Array(125);
  bits[0] = 1;
  bits[1] = wrong;
  const wrongRows = Buffer.from(bits).toString("base64");
  return {
    ...summary,
    holdout: { ...summary.holdout, digest: "d" },
    versions: summary.versions.map((version) => ({ ...version, wrongRows })),
    ...change,
  };
}

const compare = (
  name: string,
  first: RunSummary | null,
  second: RunSummary | null,
  expected: Expected,
  rest = "",
): Scenario => ({
  name,
  method: "GET",
  path: (api) => {
    const [a, b] = [addModel(api, first), addModel(api, second)];
    nameModel(api.database, api.ada.key, { modelKey: b, version: null }, { name: "spring" });
    nameModel(api.database, api.ada.key, { modelKey: b, version: 2 }, { name: "small" });
    return `/api/v1/models/compare?a=${a}&b=${b.toUpperCase()}${rest}`;
  },
  as: "ada",
  expect: expected,
});

const FEWER = summaryOf(0b111, {
  scalingFactor: 5,
  columns: binarySummary().columns.map((column, at) => (at === 1 ? { ...column, used: false } : column)),
});
const { columns: COLUMNS, versions: VERSIONS } = binarySummary();
const isFeature = ({ role, used }: RunSummary["columns"][number]) => role === "feature" && used;

describeScenarios("two models side by side", startApi, [
  compare("on the same rows, with what differs", summaryOf(1), FEWER, {
    status: 200,
    body: {
      a: {
        version: 1,
        name: null,
        versionName: null,
        label: "churn",
        heldOutRows: 1_000,
        rows: 5_000,
        elapsedSeconds: 74.2,
      },
      b: { name: "spring", versionName: null, baseline: { label: "no", accuracy: 0.845 } },
      judgedOn: "SAME_ROWS",
      difference: { isPaired: true, firstAlone: 2, secondAlone: 0, isWithinChance: true },
      statements: [
        expect.stringContaining("A alone decides 2 of them right"),
        expect.stringContaining("within chance"),
      ],
      settings: [{ name: "scalingFactor", a: 19, b: 5 }],
      columns: { both: COLUMNS.filter(isFeature).length - 1, onlyA: [COLUMNS[1]!.name], onlyB: [] },
    },
    effect: (_, __, body) => {
      const { importance } = body as { importance: { name: string; a: number; b: number }[] };
      expect(importance[0]).toEqual({
        name: VERSIONS[0]!.importance[0]!.name,
        a: VERSIONS[0]!.importance[0]!.mean,
        b: VERSIONS[0]!.importance[0]!.mean,
      });
    },
  }),
  compare(
    "other versions than the champions",
    summaryOf(1),
    summaryOf(1),
    { status: 200, body: { a: { version: 3 }, b: { version: 2, versionName: "small" } } },
    "&aVersion=3&bVersion=2",
  ),
  compare("that predict other labels", summaryOf(1), manyClassesSummary(), {
    status: 200,
    body: { judgedOn: "OTHER_LABELS", difference: null, statements: [expect.stringContaining("other labels")] },
  }),
  compare("on other rows", summaryOf(1), summaryOf(1, { holdout: { ...binarySummary().holdout, digest: "e" } }), {
    status: 200,
    body: { judgedOn: "OTHER_ROWS", difference: { isPaired: false } },
  }),
  compare("one of which has only its figures", summaryOf(1), null, {
    ...NOT_FOUND,
    body: { detail: expect.stringContaining("`b`") },
  }),
  compare(
    "a version that was not kept",
    summaryOf(1, { versions: VERSIONS.slice(0, 1) }),
    FEWER,
    NOT_FOUND,
    "&aVersion=2",
  ),
  compare(
    "version 4",
    summaryOf(1),
    FEWER,
    { status: 400, code: "VALIDATION_FAILED", fields: ["bVersion"] },
    "&bVersion=4",
  ),
  {
    ...compare("a version of a model with another of it", null, null, {
      status: 200,
      body: { a: { version: 1 }, b: { version: 2 } },
    }),
    path: (api) => {
      const key = addModel(api, summaryOf(1));
      return `/api/v1/models/compare?a=${key}&b=${key}&bVersion=2`;
    },
  },
  {
    ...compare("read otherwise", null, null, {
      status: 200,
      body: {
        settings: [
          { name: "withoutColumns", a: null, b: "id, when" },
          { name: "columnChoices", a: null, b: 'plan: category, missing "x", "-"; age: missing nothing' },
        ],
      },
    }),
    path: (api) => {
      const [a, b] = [addModel(api, summaryOf(1)), addModel(api, summaryOf(1))];
      const choices = [
        { name: "plan", kind: "category", missingTexts: ["x", "-"] },
        { name: "age", missingTexts: [] },
      ];
      api.database.client.run("UPDATE trainingJobs SET columnChoices = ?, withoutColumns = ? WHERE modelKey = ?", [
        JSON.stringify(choices),
        JSON.stringify(["id", "when"]),
        b,
      ]);
      return `/api/v1/models/compare?a=${a}&b=${b}`;
    },
  },
  {
    ...compare("only one", null, null, { status: 400, code: "VALIDATION_FAILED", fields: ["b"] }),
    path: `/api/v1/models/compare?a=${UNKNOWN}`,
  },
]);
