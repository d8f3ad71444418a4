// The threshold of a version over HTTP: rows, files and downloads follow it, whole over a kill.
import { describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statePaths } from "../../../data/files/state-folder.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { thresholdOf } from "../../../engine/model/model-threshold.ts";
import { modelThreshold } from "../../../src/jobs/prediction-file.ts";
import { readTable } from "../../bench/outer-split.ts";
import { describeScenarios, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { withFolder } from "../../support/folders.ts";
import { binarySummary } from "../../support/summaries.ts";
import { addScorer } from "./service.ts";

const MODELS = join(import.meta.dir, "..", "..", "fixtures", "models");

const pathIn = (api: TestApi, version: number | string = 1, table: "credit_g" | "penguins" = "credit_g") =>
  `/api/v1/models/${addScorer(api, "ada", { table }).modelKey}/versions/${version}/threshold`;
const put = (name: string, body: unknown, more: Partial<Scenario>): Scenario => ({
  name,
  method: "PUT",
  path: (api) => pathIn(api),
  as: "ada",
  body,
  expect: { status: 400, code: "VALIDATION_FAILED", fields: ["threshold"] },
  ...more,
});

describeScenarios("choosing a threshold", startApi, [
  ...[0, 0.17, 1].map((threshold) =>
    put(
      `${threshold}`,
      { threshold },
      {
        expect: { status: 200, body: { version: 1, positiveLabel: "good", threshold, trainedThreshold: 0.5 } },
      },
    ),
  ),
  put("null: as trained", { threshold: null }, { expect: { status: 200, body: { threshold: 0.5 } } }),
  ...[-0.1, 1.1, "0.5", true].map((threshold) => put(JSON.stringify(threshold), { threshold }, {})),
  put("none", {}, {}),
  put("of three labels", { threshold: 0.5 }, { path: (api) => pathIn(api, 1, "penguins") }),
  put(
    "of no version",
    { threshold: 0.5 },
    {
      path: (api) => pathIn(api, 4),
      expect: { status: 400, code: "VALIDATION_FAILED", fields: ["version"] },
    },
  ),
]);

describe("a threshold that was chosen", () => {
  test("decides rows and downloads of its version alone, is shown, and goes again", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada", { table: "credit_g" });
      writeFileSync(api.state.locate(statePaths.modelSummary(modelKey)), JSON.stringify(binarySummary()));
      const ask = (method: "GET" | "PUT" | "POST", path: string, body?: unknown) =>
        api.request(method, path, { as: "ada", ...(body !== undefined && { body }) });
      const { header, records } = readTable(join(MODELS, "credit_g-input.csv"));
      const rows = records.slice(0, 40).map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])));
      const predict = async () => {
        const answer = await ask("POST", `/api/v1/predictions/models/${modelKey}/rows`, { rows });
        return ((await answer.json()) as { predictions: { label: string; probabilities: { good: number } }[] })
          .predictions;
      };
      const download = async (version: number) => {
        const answer = await ask("GET", `/api/v1/models/${modelKey}/versions/${version}/file`);
        return { etag: answer.headers.get("etag"), bytes: new Uint8Array(await answer.arrayBuffer()) };
      };
      const before = { rows: await predict(), file: await download(1), second: await download(2) };
      const path = `/api/v1/models/${modelKey}/versions/1/threshold`;

      expect((await ask("PUT", path, { threshold: 0.8 })).status).toBe(200);
      const after = { rows: await predict(), file: await download(1), second: await download(2) };
      after.rows.forEach(({ label, probabilities }, row) => {
        expect(probabilities).toEqual(before.rows[row]!.probabilities);
        expect(label).toBe(probabilities.good > 0.8 ? "good" : "bad");
      });
      expect(after.rows).not.toEqual(before.rows);
      expect(thresholdOf(unpackModel(after.file.bytes))).toMatchObject({ threshold: 0.8, trainedThreshold: 0.5 });
      expect(after.file.etag).not.toBe(before.file.etag);
      expect(after.second).toEqual(before.second);
      const details = (await (await ask("GET", `/api/v1/models/${modelKey}/details`)).json()) as {
        versions: { threshold: number; trainedThreshold: number }[];
      };
      expect(details.versions.map(({ threshold, trainedThreshold }) => [threshold, trainedThreshold])).toEqual([
        [0.8, 0.5],
        [0.5, 0.5],
        [0.5, 0.5],
      ]);

      expect((await ask("PUT", path, { threshold: null })).status).toBe(200);
      expect({ rows: await predict(), file: await download(1) }).toEqual({ rows: before.rows, file: before.file });
      expect(
        readdirSync(api.state.locate(statePaths.modelFolder(modelKey))).filter((name) => name.endsWith(".part")),
      ).toEqual([]);
    }));

  test("is one of those asked for at once, and the answers come in turn", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada", { table: "credit_g" });
      const path = `/api/v1/models/${modelKey}/versions/1/threshold`;
      const thresholds = Array.from({ length: 12 }, (_, index) => (index + 1) / 16);
      const answers = await Promise.all(
        thresholds.map((threshold) => api.request("PUT", path, { as: "ada", body: { threshold } })),
      );
      expect(answers.map(({ status }) => status)).toEqual(thresholds.map(() => 200));
      const file = api.state.locate(statePaths.modelVersion(modelKey, 1));
      expect(thresholds).toContain(thresholdOf(unpackModel(readFileSync(file)))!.threshold);
    }));

  test("needs a model whose files are sound", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada", { table: "credit_g" });
      const path = `/api/v1/models/${modelKey}/versions/1/threshold`;
      const file = api.state.locate(statePaths.modelVersion(modelKey, 1));
      const bytes = readFileSync(file);
      bytes[bytes.length - 40]! ^= 1;
      writeFileSync(file, bytes);
      const refused = await api.request("PUT", path, { as: "ada", body: { threshold: 0.4 } });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(readFileSync(file)).toEqual(bytes);
      expect(
        readdirSync(api.state.locate(statePaths.modelFolder(modelKey))).filter((name) => name.endsWith(".part")),
      ).toEqual([]);
    }));

  test("is stored whole or not at all, whenever the process is killed", () =>
    withFolder(async (folder) => {
      const file = join(folder, "v1.cupel");
      const original = join(MODELS, "credit_g-random-forest.cupel");
      copyFileSync(original, file);
      const trained = unpackModel(readFileSync(original));
      for (let kill = 1; kill <= 6; kill++) {
        const child = Bun.spawn(["bun", join(import.meta.dir, "..", "..", "support", "threshold-writer.ts"), file], {
          stdout: "pipe",
        });
        let stored = 0;
        for await (const chunk of child.stdout) {
          stored += chunk.filter((byte) => byte === 10).length;
          if (stored >= kill) break;
        }
        child.kill("SIGKILL");
        await child.exited;
        const { classWeights, trainedClassWeights, ...others } = unpackModel(readFileSync(file));
        expect(others).toEqual(trained);
        expect(trainedClassWeights).toBeNull();
        expect(modelThreshold(file)!.threshold * 64).toBeCloseTo(Math.round(classWeights![0]! * 64), 9);
      }
    }));
});
