// Successors over the API: what they may be made of, refusals, who answers, and
// how it moves back; other users see nothing of it.
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { listAudit } from "../../../data/audit.ts";
import { deleteDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { joinLine } from "../../../data/model-lines.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { listPredictions } from "../../../data/predictions.ts";
import { claimNextSuccessor, findSuccessor, stepSuccessor } from "../../../data/successors.ts";
import type { ModelHealth } from "../../../src/api/models/model-health.ts";
import type { ModelLine } from "../../../src/api/successors/model-line.ts";
import type { Successor } from "../../../src/api/successors/successor-answer.ts";
import { describeScenarios, expectAnswer, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { formOf } from "../../support/form.ts";
import { addLabelled, addScorer, labelCounts, PENGUIN_COLUMNS } from "./service.ts";

const ALL = { offset: 0, limit: 1_000 };
const ROW = Object.fromEntries(
  PENGUIN_COLUMNS.map((name, at) => [name, ["Biscoe", 46.1, 13.2, 211, 4_500, "female"][at]!]),
);

/** A second model in the line of the first. */
function addLine(api: TestApi): { first: string; second: string } {
  const [first, second] = [addScorer(api, "ada").modelKey, addScorer(api, "ada").modelKey];
  joinLine(api.database, second, first);
  return { first, second };
}

function ask(api: TestApi, method: string, path: string, body?: object, as: "ada" | "bob" = "ada"): Promise<Response> {
  return api.request(method, path, { as, ...(body !== undefined && { body }) });
}

const start = (
  name: string,
  path: (api: TestApi) => string,
  expected: Scenario["expect"],
  body: object = {},
): Scenario => ({
  ...{ name, method: "POST", path, as: "ada", body, expect: expected },
});
const successorsOf = (modelKey: string) => `/api/v1/models/${modelKey}/successors`;

const unfit = (code: string, detail: RegExp): Scenario["expect"] => ({
  ...{ status: 409, code: "LABELS_UNFIT" },
  effect: (api, _, body) => {
    expect(body).toMatchObject({ errors: [{ field: "predictions", code }], detail: expect.stringMatching(detail) });
    expect(api.told).toEqual([]);
  },
});

describeScenarios("a successor", startApi, [
  start(
    "is asked for with all labelled predictions of the champion",
    (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey);
      addLabelled(api, modelKey, labelCounts(0, 10, 10));
      addLabelled(api, addScorer(api, "ada").modelKey);
      return successorsOf(modelKey);
    },
    {
      status: 201,
      body: { status: "JOINING", promote: "BY_HAND", datasetKey: null, comparison: null, nextPollAfterSeconds: 1 },
      effect: (api, answer, body) => {
        const { successorKey, sources, champion, firstModelKey } = body as Successor;
        expect(sources.map(({ fromRow, fileName }) => [fromRow, fileName])).toEqual([
          [0, "may.csv"],
          [0, "may.csv"],
        ]);
        expect([champion.modelKey, champion.version]).toEqual([firstModelKey, 1]);
        expect(answer.headers.get("location")).toEndWith(`/api/v1/successors/${successorKey}`);
        expect(listAudit(api.database, {}, ALL).items[0]).toMatchObject({
          ...{ action: "SUCCESSOR_STARTED", objectKey: successorKey, detail: "BY_HAND" },
        });
        expect(api.told).toEqual(["wake"]);
      },
    },
  ),
  start(
    "needs a hundred labelled rows",
    (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey, labelCounts(50, 49, 0));
      return successorsOf(modelKey);
    },
    unfit("TOO_FEW_LABELS", /99 labelled rows/),
  ),
  start(
    "needs labels at all",
    (api) => successorsOf(addScorer(api, "ada").modelKey),
    unfit("TOO_FEW_LABELS", /0 labelled/),
  ),
  start(
    "needs more than one label",
    (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey, labelCounts(200, 0, 0));
      return successorsOf(modelKey);
    },
    unfit("ONE_LABEL", /same label/),
  ),
  start(
    "takes no label that the champion does not know",
    (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey, { ...labelCounts(100, 100, 0), unknownLabels: 3 });
      return successorsOf(modelKey);
    },
    unfit("UNKNOWN_LABEL", /3 rows have a label/),
  ),
  start(
    "takes no predictions of others, nor of other models",
    (api) => successorsOf(addScorer(api, "ada").modelKey),
    {
      ...{ status: 400, code: "VALIDATION_FAILED" },
      effect: (_, __, body) =>
        expect(body).toMatchObject({ errors: [{ field: "predictions.0", code: "NOT_LABELLED" }] }),
    },
    { predictions: ["8a0d5c1a-52b0-4c57-8a3b-5f2f9f7f1f10"] },
  ),
  start(
    "is refused where the champion's dataset is deleted",
    (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey);
      const { datasetKey } = findOwnedModel(api.database, api.ada.key, modelKey)!.model;
      deleteDataset(api.database, api.ada.key, datasetKey, api.services.now());
      return successorsOf(modelKey);
    },
    { status: 410, code: "FILE_REMOVED" },
  ),
]);

const lineOf = async (api: TestApi, key: string) =>
  (await (await ask(api, "GET", `/api/v1/models/${key}/line`)).json()) as ModelLine;
const answering = async (api: TestApi, key: string) => {
  const answer = await ask(api, "POST", `/api/v1/predictions/models/${key}/rows`, { rows: [ROW] });
  return ((await answer.json()) as { modelKey: string }).modelKey;
};

describe("a line", () => {
  test("answers by the model that was promoted, for rows and files, and moves back", () =>
    withApi(async (api) => {
      const { first, second } = addLine(api);
      expect(await answering(api, first)).toBe(first);
      expect((await ask(api, "POST", `/api/v1/models/${second}/promote`)).status).toBe(200);
      expect([await answering(api, first), await answering(api, second)]).toEqual([second, second]);
      for (const [key, detail] of [
        [second, /^It answers at the address of its line's first model/],
        [first, new RegExp(`^Another model answers at its address.*POST /api/v1/models/${first}/promote`)],
      ] as const) {
        const refused = await ask(api, "DELETE", `/api/v1/models/${key}`);
        const body = { detail: expect.stringMatching(detail) };
        await expectAnswer(api, refused, { status: 409, code: "IN_USE", body });
      }
      expect(await answering(api, first)).toBe(second);
      const form = formOf({
        file: new File([`${PENGUIN_COLUMNS.join(",")}\n${Object.values(ROW).join(",")}\n`], "june.csv"),
      });
      const made = await api.request("POST", `/api/v1/predictions/models/${first}`, { as: "ada", body: form });
      expect(made.status).toBe(201);
      for (const key of [first, second]) {
        const { items } = listPredictions(api.database, api.ada.key, ALL, key);
        expect(items.map(({ modelKey, askedModelKey }) => [modelKey, askedModelKey])).toEqual([[second, first]]);
      }
      for (let times = 0; times < 2; times++) await ask(api, "POST", `/api/v1/models/${first}/promote`);
      expect([await answering(api, first), await answering(api, second)]).toEqual([first, second]);
      const none = { labelledPredictions: 0, labelledRows: 0 };
      expect(await lineOf(api, second)).toMatchObject({ firstModelKey: first, answeringModelKey: first, ...none });
      const told = listAudit(api.database, {}, ALL).items.filter(({ action }) => action === "MODEL_PROMOTED");
      expect(told.map(({ objectKey, detail }) => [objectKey, detail])).toEqual([
        [first, "BY_HAND"],
        [second, "BY_HAND"],
      ]);
      expect((await ask(api, "DELETE", `/api/v1/models/${first}`)).status).toBe(204);
      expect(await answering(api, second)).toBe(second);
    }));

  test("has a shadow that decides the same rows and never answers; both are counted", () =>
    withApi(async (api) => {
      const { first, second } = addLine(api);
      const set = await ask(api, "PUT", `/api/v1/models/${second}/shadow`, { modelKey: second });
      expect(((await set.json()) as ModelLine).shadowModelKey).toBe(second);
      const path = `/api/v1/predictions/models/${first}/rows`;
      const rows = (count: number) => ({ rows: Array.from({ length: count }, () => ROW) });
      for (const body of [rows(3), { ...rows(900) }]) {
        for (const to of [path, `${path}?counted=false`]) {
          const answer = await ask(api, "POST", to, body);
          expect([answer.status, ((await answer.json()) as { modelKey: string }).modelKey]).toEqual([200, first]);
        }
      }
      const health = async (key: string) =>
        (await (await ask(api, "GET", `/api/v1/models/${key}/versions/1/health`)).json()) as ModelHealth;
      const { rowCount, shadows } = await health(first);
      expect([rowCount, (await health(second)).rowCount]).toEqual([903, 903]);
      expect(shadows).toMatchObject([
        { modelKey: second, version: 1, rowCount: 903, agreedCount: 903, unansweredCount: 0 },
      ]);
      await ask(api, "PUT", `/api/v1/models/${first}/shadow`, { modelKey: null });
      expect(await answering(api, first)).toBe(first);
      expect((await health(second)).rowCount).toBe(903);
    }));

  test("answers as ever where its shadow cannot take the rows, or is deleted", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada");
      const other = addScorer(api, "ada", { table: "credit_g" }).modelKey;
      await ask(api, "PUT", `/api/v1/models/${modelKey}/shadow`, { modelKey: other });
      expect(await answering(api, modelKey)).toBe(modelKey);
      const health = await ask(api, "GET", `/api/v1/models/${modelKey}/versions/1/health`);
      expect(((await health.json()) as ModelHealth).shadows).toMatchObject([{ rowCount: 0, unansweredCount: 1 }]);
      expect((await ask(api, "DELETE", `/api/v1/models/${other}`)).status).toBe(204);
      expect([await answering(api, modelKey), (await lineOf(api, modelKey)).shadowModelKey]).toEqual([modelKey, null]);
      const foreign = addScorer(api, "bob").modelKey;
      expect((await ask(api, "PUT", `/api/v1/models/${modelKey}/shadow`, { modelKey: foreign })).status).toBe(400);
    }));
});

describe("a successor that is under way", () => {
  const started = async (api: TestApi, body: object = {}) => {
    const { modelKey } = addScorer(api, "ada");
    const predictionKey = addLabelled(api, modelKey);
    const answer = await ask(api, "POST", successorsOf(modelKey), body);
    return { modelKey, predictionKey, answer, made: (await answer.json()) as Successor };
  };

  test("is the only one of its line, keeps the champion from being deleted, and goes with all it kept aside", () =>
    withApi(async (api) => {
      const { modelKey, made } = await started(api, { promote: "WHEN_BETTER", oldRows: 0 });
      expect(made).toMatchObject({ promote: "WHEN_BETTER", oldRows: 0 });
      const again = await ask(api, "POST", successorsOf(modelKey), {});
      expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([409, "SUCCESSOR_UNDER_WAY"]);
      expect((await ask(api, "DELETE", `/api/v1/models/${modelKey}`)).status).toBe(409);
      const { database, state } = api;
      const keptPath = statePaths.file(crypto.randomUUID());
      writeFileSync(state.locate(keptPath), "rows");
      const claimed = claimNextSuccessor(database)!;
      stepSuccessor(database, claimed, { status: "COMPARING", keptPath, keptBytes: 4 }, api.services.now());
      const path = `/api/v1/successors/${made.successorKey}`;
      expect((await ask(api, "DELETE", path, undefined, "bob")).status).toBe(404);
      expect((await ask(api, "GET", path, undefined, "bob")).status).toBe(404);
      for (let times = 0; times < 2; times++) expect((await ask(api, "DELETE", path)).status).toBe(204);
      expect([existsSync(state.locate(keptPath)), (await ask(api, "GET", path)).status]).toEqual([false, 404]);
      expect(findSuccessor(database, made.successorKey)).toMatchObject({ status: "CANCELLED", keptPath: null });
      expect((await ask(api, "DELETE", `/api/v1/models/${modelKey}`)).status).toBe(204);
    }));

  test("takes what an earlier one kept aside, and what it learned from no more", () =>
    withApi(async (api) => {
      const { modelKey, predictionKey, made } = await started(api);
      const { database, services } = api;
      const challengerKey = addScorer(api, "ada").modelKey;
      joinLine(database, challengerKey, modelKey);
      const sources = made.sources.map((source) => ({ ...source, learnedRows: 70, keptRows: 50, keptFromRow: 70 }));
      const end = { status: "COMPLETED", challengerKey, challengerVersion: 1, sources, trainRows: 300 } as const;
      stepSuccessor(database, findSuccessor(database, made.successorKey)!, end, services.now());
      await ask(api, "POST", `/api/v1/models/${challengerKey}/promote`);
      addLabelled(api, challengerKey);
      const next = (await (await ask(api, "POST", successorsOf(modelKey), {})).json()) as Successor;
      expect(next.champion.modelKey).toBe(challengerKey);
      expect(next.sources.map(({ predictionKey: key, fromRow }) => [key === predictionKey, fromRow])).toEqual([
        [true, 70],
        [false, 0],
      ]);
      const list = await ask(api, "GET", successorsOf(challengerKey));
      const { successors } = (await list.json()) as { successors: Successor[] };
      expect(successors.map(({ successorKey, isAnswering }) => [successorKey, isAnswering])).toEqual([
        [next.successorKey, false],
        [made.successorKey, true],
      ]);
    }));
});
