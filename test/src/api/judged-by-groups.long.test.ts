// Whole runs over the API on a table of machines: judged at random and by
// machine, with and without a refinement before.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertUser } from "../../../data/users.ts";
import { Random } from "../../../engine/random.ts";
import type { ModelDetails } from "../../../src/api/models/model-details.ts";
import type { ModelDetail } from "../../../src/api/models/models.ts";
import type { RefinementAnswer } from "../../../src/api/refinements/refinement-result.ts";
import type { TrainingDetail } from "../../../src/api/training/training.ts";
import type { TrainingProgress } from "../../../src/api/training/training-progress.ts";
import { hashPassword } from "../../../src/auth/passwords.ts";
import { DEFAULT_TIME_CAPS } from "../../../src/common/limits.ts";
import { openService, type Service } from "../../../src/service/service.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { keepLog } from "../../support/kept-log.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const MACHINES = 60;
const ROWS = 20;
const NUMBERS = 5;
const folder = mkdtempSync(join(tmpdir(), "cupel-machines-"));
let service: Service;
let token = "";

/**
 * Each machine has its own place in the table and a label by chance: its rows
 * tell of each other, of new machines nothing does.
 */
function machineTable(): string {
  const random = new Random(3);
  const lines = ["machine,a,b,c,d,e,state"];
  for (let machine = 0; machine < MACHINES; machine++) {
    const label = random.nextBelow(2) === 0 ? "good" : "bad";
    const offsets = Array.from({ length: NUMBERS }, () => 10 * random.nextFloat());
    for (let row = 0; row < ROWS; row++) {
      const cells = offsets.map((offset) => (offset + 0.05 * random.nextFloat()).toFixed(4));
      lines.push([`m${machine}`, ...cells, label].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}

beforeAll(async () => {
  service = await openService({
    ...{ dataFolder: folder, workers: 2, memoryBudgetMib: 8_192, timeCaps: DEFAULT_TIME_CAPS },
    ...{
      requestsPerMinute: 100_000,
      isWatching: true,
      webhook: null,
      mayLackFiles: false,
      storage: UNLIMITED,
      spawnWorker,
      basePath: "",
    },
    ...{ publicUrl: null, hostNames: [], trustedProxies: [], corsOrigins: [], isTls: false, checkAnswers: true },
    log: keepLog().log,
  });
  const user = { key: crypto.randomUUID(), email: "ada@example.org", role: "user" } as const;
  insertUser(service.database, { ...user, passwordHash: await hashPassword("correct horse battery") }, new Date());
  const login = { username: user.email, password: "correct horse battery" };
  token = (await ask<{ access_token: string }>("POST", "/api/login", login)).access_token;
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = new Headers(token === "" ? {} : { authorization: `Bearer ${token}` });
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
  const response = await service.app.fetch(new Request(`http://localhost${path}`, { method, headers, ...sent }));
  const answer = await response.json();
  expect([path, response.ok, response.ok ? null : answer]).toEqual([path, true, null]);
  return answer as T;
}

async function until<T extends object>(path: string, field: keyof T, ends: RegExp): Promise<T> {
  for (;;) {
    const answer = await ask<T>("GET", path);
    if (ends.test(String(answer[field]))) return answer;
    await Bun.sleep(50);
  }
}

async function datasetOf(path: string, body: object): Promise<string> {
  const { datasetKey } = await ask<{ datasetKey: string }>("POST", path, body);
  const end = await until<{ status: string; errorReason: string | null }>(
    `/api/v1/datasets/${datasetKey}`,
    "status",
    /COMPLETED|FAILED/,
  );
  expect([end.status, end.errorReason]).toEqual(["COMPLETED", null]);
  return datasetKey;
}

/** The model of a training, and what the job and its progress say of it. */
async function trained(datasetKey: string, settings: object) {
  const started = { scalingFactor: 2, ...settings };
  const { trainingJobKey } = await ask<{ trainingJobKey: string }>(
    "POST",
    `/api/v1/training/datasets/${datasetKey}`,
    started,
  );
  const path = `/api/v1/training/${trainingJobKey}`;
  const job = await until<TrainingDetail>(path, "status", /COMPLETED|FAILED|TIMED_OUT/);
  const progress = await ask<TrainingProgress>("GET", `${path}/progress`);
  const model = await ask<ModelDetail>("GET", `/api/v1/models/${job.modelKey}`);
  const details = await ask<ModelDetails>("GET", `/api/v1/models/${job.modelKey}/details`);
  expect([job.verdict, progress.verdict, details.verdict]).toEqual([model.verdict, model.verdict, model.verdict]);
  return { job, details, verdict: model.verdict! };
}

function machineForm(): FormData {
  const form = new FormData();
  form.append("name", "machines");
  form.append("file", new Blob([machineTable()], { type: "text/csv" }), "machines.csv");
  return form;
}

test("judged at random the figure flatters, and the verdict says so; judged by machine it holds", async () => {
  const datasetKey = await datasetOf("/api/v1/datasets", machineForm());

  const random = await trained(datasetKey, {});
  expect(random.job.testPerformance).toBeGreaterThan(0.95);
  expect(random.verdict.judgedBy).toEqual({ kind: "random", groupColumn: null, timeColumn: null, groupCount: 0 });
  const [doubt] = random.verdict.doubts;
  // A look that a busy machine cuts off after ten seconds may not have come to the columns.
  const isNamed = random.verdict.isLookedAt || doubt!.code === "GROUPS_FLATTER";
  const named = { code: "GROUPS_FLATTER", columns: ["machine"], option: "--group machine" };
  expect(doubt).toMatchObject(isNamed ? named : { code: "FILE_ORDER_FLATTERS", columns: [] });
  expect(doubt!.level).toBe("serious");
  expect(doubt!.held!).toBeLessThan(0.75);

  const grouped = await trained(datasetKey, { groupColumn: "machine" });
  expect(grouped.job).toMatchObject({ groupColumn: "machine", keepKeyColumns: false });
  expect(grouped.job.testPerformance!).toBeLessThan(0.8);
  const { judgedBy, doubts } = grouped.verdict;
  expect(judgedBy).toEqual({ kind: "groups", groupColumn: "machine", timeColumn: null, groupCount: MACHINES });
  expect(doubts.map(({ code }) => code)).not.toContain("GROUPS_FLATTER");
  expect(grouped.details.columns.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);

  const refine = { groupColumn: "machine", withoutColumns: ["e"] };
  const { featureRefinementKey } = await ask<{ featureRefinementKey: string }>(
    "POST",
    `/api/v1/feature-refinery/datasets/${datasetKey}`,
    refine,
  );
  const run = `/api/v1/feature-refinery/${featureRefinementKey}`;
  const { state } = await until<{ state: string }>(`${run}/progress`, "state", /COMPLETED|ERROR|TIMEOUT/);
  expect(state).toBe("REFINEMENT_COMPLETED");
  const { columns, keptColumns, keptAccuracy } = await ask<RefinementAnswer>("GET", `${run}/result`);
  const reasons = new Map(columns.map(({ name, reason }) => [name, reason]));
  expect([reasons.get("machine"), reasons.get("e")]).toEqual(["KEPT_FOR_JUDGING", "LEFT_OUT"]);
  expect(keptColumns).toContain("machine");
  expect(keptColumns).not.toContain("e");
  expect(keptAccuracy!).toBeLessThan(0.85);

  const refinedKey = await datasetOf(`/api/v1/datasets/feature-refinery/${featureRefinementKey}`, { name: "refined" });
  const refined = await trained(refinedKey, {});
  expect(refined.job.groupColumn).toBe("machine");
  expect(refined.verdict.judgedBy.kind).toBe("groups");
  // Thirteen machines are held out: chance alone moves this figure by more than ten points.
  expect(refined.job.testPerformance!).toBeLessThan(0.9);

  for (const header of [keptColumns, columns.map(({ name }) => name)]) {
    const form = new FormData();
    form.append("_file", new Blob([`${header.join(",")}\n${header.map(() => "1").join(",")}\n`]), "new.csv");
    const query = `modelKey=${refined.job.modelKey}&filterColumns=true`;
    const { predictionKey } = await ask<{ predictionKey: string }>("POST", `/api/v1/predictions?${query}`, form);
    const { status } = await until<{ status: string }>(
      `/api/v1/predictions/${predictionKey}/progress`,
      "status",
      /COMPLETED|FAILED|TIMEOUT/,
    );
    expect([header, status]).toEqual([header, "COMPLETED"]);
  }
}, 300_000);
