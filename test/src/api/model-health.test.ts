// GET …/versions/{n}/health: what predictions and rows added up to, for the owner alone; what to expect of them.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { findModelVersion } from "../../../data/models.ts";
import { addWatchCounts } from "../../../data/watch-counts.ts";
import { packModel } from "../../../engine/model/model-file.ts";
import type { ScoredCounts } from "../../../engine/watch/scored-counts.ts";
import type { ModelHealth } from "../../../src/api/models/model-health.ts";
import { describeScenarios, startApi, type TestApi, withApi } from "../../support/api.ts";
import { watchedPenguins } from "../../support/watched-model.ts";
import { addScorer } from "./service.ts";

const DAY_S = 86_400;
const MODEL = watchedPenguins();

function countsOf(rowCount: number, isShifted = false): ScoredCounts {
  const each = (shares: readonly number[]) => shares.map((share) => Math.round(share * rowCount));
  const number = each(isShifted ? [0, 0, 0, 0, 0, 0, 1] : [0.035, 0, 0, 0.32, 0.325, 0.32, 0]);
  const category = each([0.035, 0, 0.32, 0.645]);
  const full = (codes: readonly number[]) => [...codes, ...new Array<number>(14 - codes.length).fill(0)];
  return {
    ...{ rowCount, countedRows: rowCount, asTrained: true },
    cells: MODEL.columns.map(({ name, reading }) =>
      full(
        reading.kind === "category" || (isShifted && name !== "body_mass_g")
          ? reading.kind === "category"
            ? category
            : each([0.035, 0, 0, 0.32, 0.325, 0.32, 0])
          : number,
      ),
    ),
    decisions: each([0.375, 0.25, 0.375]),
    confidence: { sum: rowCount * 0.7, tenths: each([0, 0, 0, 0, 0.125, 0.125, 0.25, 0.25, 0.125, 0.125]) },
    reliability: each([0, 1, 0]),
  };
}

/** A model with counts of its training rows, used on the days before today as told. */
function used(api: TestApi, days: readonly (readonly [daysAgo: number, counts: ScoredCounts])[]): string {
  const { modelKey } = addScorer(api, "ada");
  const path = api.state.locate(findModelVersion(api.database, modelKey, 1)!.filePath);
  writeFileSync(path, packModel(MODEL));
  // The same day of a month, so that stretches do not depend on when the test runs.
  const now = api.services.now();
  const middle = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12);
  api.pass((middle - now.getTime()) / 1_000);
  for (const [daysAgo, counts] of days) {
    addWatchCounts(api.database, { modelKey, version: 1 }, counts, new Date(middle - daysAgo * DAY_S * 1_000));
  }
  return modelKey;
}

const healthPath = (modelKey: string, version = 1, query = "") =>
  `/api/v1/models/${modelKey}/versions/${version}/health${query}`;
const STEADY = [
  [3, countsOf(400)],
  [2, countsOf(400)],
] as const;

describeScenarios("the health of a version", startApi, [
  {
    name: "is steady where rows come as in training",
    method: "GET",
    path: (api) => healthPath(used(api, STEADY)),
    as: "ada",
    expect: {
      status: 200,
      body: { state: "STEADY", isCounting: true, version: 1, rowCount: 800, falseAlarmsPerMonth: 0.01, alarmShare: 0 },
      effect: (_, __, body) => {
        const { message, stretches, condition } = body as ModelHealth;
        expect(message).toStartWith("Steady: the rows of ");
        expect(condition).toBe("if the relation of the columns to the label has not changed");
        expect(stretches.map(({ isOver, isShifted, rowCount }) => [isOver, isShifted, rowCount])).toEqual([
          [true, false, 400],
          [true, false, 400],
        ]);
        const [first] = stretches;
        expect(first!.expected!.mean).toBeCloseTo(0.7, 12);
        expect(first!.decisions.map(({ count, trained }) => [count, trained])).toEqual([
          [150, 0.375],
          [100, 0.25],
          [150, 0.375],
        ]);
      },
    },
  },
  {
    name: "is shifted where a column of the newest stretch is, which comes first",
    method: "GET",
    path: (api) => healthPath(used(api, [...STEADY, [1, countsOf(400, true)]])),
    as: "ada",
    expect: {
      status: 200,
      body: { state: "SHIFTED" },
      effect: (_, __, body) => {
        const { message, stretches, alarmShare } = body as ModelHealth;
        expect(message).toContain("1 column has shifted");
        expect(alarmShare).toBeCloseTo(1 / 3, 12);
        expect(stretches[2]).toMatchObject({ isShifted: true, shiftedColumns: 1 });
        expect(stretches[2]!.columns[0]).toMatchObject({
          ...{ name: "body_mass_g", verdict: "SHIFTED" },
          difference: expect.stringContaining("lie above 5,000, the highest in training"),
        });
      },
    },
  },
  {
    name: "does not judge today before it is over",
    method: "GET",
    path: (api) => healthPath(used(api, [...STEADY, [0, countsOf(400, true)]])),
    as: "ada",
    expect: {
      status: 200,
      body: { state: "STEADY", rowCount: 1_200 },
      effect: (_, __, body) =>
        expect((body as ModelHealth).stretches[2]).toMatchObject({ isOver: false, isShifted: null, shiftedColumns: 0 }),
    },
  },
  {
    name: "looks back as far as it is asked",
    method: "GET",
    path: (api) => healthPath(used(api, [[45, countsOf(400)], ...STEADY]), 1, "?months=1"),
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) => expect((body as ModelHealth).stretches).toHaveLength(2),
    },
  },
  {
    name: "needs rows",
    method: "GET",
    path: (api) => healthPath(used(api, [])),
    as: "ada",
    expect: { status: 200, body: { state: "TOO_FEW_ROWS", rowCount: 0, lastUsedOn: null, alarmShare: null } },
  },
  {
    name: "of a model of an earlier version is not watched",
    method: "GET",
    path: (api) => healthPath(used(api, STEADY), 2),
    as: "ada",
    expect: { status: 200, body: { state: "NOT_WATCHED", version: 2 } },
  },
  {
    name: "of too many months is refused",
    method: "GET",
    path: (api) => healthPath(used(api, STEADY), 1, "?months=14"),
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["months"] },
  },
]);

test("rows that were scored a moment ago are among them", () =>
  withApi(async (api) => {
    const modelKey = used(api, []);
    const row = Object.fromEntries(MODEL.columns.map(({ name }) => [name, null]));
    const sent = { as: "ada", body: { rows: [row, row] } } as const;
    expect((await api.request("POST", `/api/v1/predictions/models/${modelKey}/rows`, sent)).status).toBe(200);
    const answer = await api.request("GET", healthPath(modelKey), { as: "ada" });
    const health = (await answer.json()) as ModelHealth;
    expect([health.rowCount, health.stretches.map(({ rowCount }) => rowCount)]).toEqual([2, [2]]);
  }));
