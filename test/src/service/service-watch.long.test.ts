// What the log, the figures and the audit trail of a whole service hear, of requests, jobs, limits and restarts.
import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAudit } from "../../../data/audit.ts";
import { type Database, openDatabase } from "../../../data/database/database.ts";
import { insertDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findUserByEmail } from "../../../data/users.ts";
import type { Service } from "../../../src/service/service.ts";
import { addUser, newDataset } from "../../data/state.ts";
import { type ReadSample, readExposition } from "../../support/exposition.ts";
import { withFolder } from "../../support/folders.ts";
import { formOf } from "../../support/form.ts";
import { until } from "../../support/job-state.ts";
import { type KeptLog, keepLog } from "../../support/kept-log.ts";
import { addServiceUser, openTestService, PASSWORD, USER } from "../../support/live-service.ts";
import { knownTable } from "../../support/refinery.ts";

afterEach(() => {
  setSystemTime();
});

const KEY = "8c1b2a34-5d6e-4f70-8a9b-0c1d2e3f4a5b";

interface World {
  service: Service;
  kept: KeptLog;
  /** By the administrator, where nothing else is said. */
  ask(
    method: string,
    path: string,
    sent?: { authorization?: string | null; body?: string | FormData },
  ): Promise<Response>;
  figures(): Promise<ReadSample[]>;
}

async function withService(
  folder: string,
  use: (world: World) => Promise<void>,
  requestsPerMinute = 100_000,
): Promise<void> {
  const kept = keepLog();
  const service = await openTestService(folder, { workers: 1, requestsPerMinute, log: kept.log });
  const { app } = service;
  let token = "";
  const ask: World["ask"] = async (method, path, { authorization = `Bearer ${token}`, body } = {}) => {
    const headers = new Headers(authorization === null ? {} : { authorization });
    if (typeof body === "string") headers.set("content-type", "application/json");
    return app.fetch(new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }));
  };
  try {
    await addServiceUser(service, "admin");
    const body = JSON.stringify({ username: USER, password: PASSWORD });
    const login = await ask("POST", "/api/login", { authorization: null, body });
    ({ access_token: token } = (await login.json()) as { access_token: string });
    await use({ service, kept, ask, figures: async () => readExposition(await (await ask("GET", "/metrics")).text()) });
  } finally {
    await service.close();
  }
}

const sampleOf = (samples: readonly ReadSample[], name: string, labels: Record<string, string> = {}) =>
  samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))?.value;

function formWith(table: string): FormData {
  const form = formOf({ name: "customers", numberOfBuckets: "10", file: new File([table], "table.csv") });
  return form;
}

describe("the figures", () => {
  test("of requests go by the route's pattern, whatever is asked for", () =>
    withFolder((folder) =>
      withService(folder, async ({ service, ask, figures }) => {
        for (let index = 0; index < 20; index++) {
          await ask("GET", `/api/v1/datasets/${randomUUID()}`);
          await ask("GET", `/${randomUUID()}?x=${index}`);
          await ask("DELETE", `/api/v1/models/datasets/${KEY}`);
        }
        await ask("GET", "/healthz", { authorization: null });
        const samples = await figures();
        const counts = samples.filter(({ name }) => name === "cupel_http_request_duration_seconds_count");
        const routes = new Set(service.app.routes.map(({ path }) => path));
        for (const { labels } of counts) expect(routes.has(labels["route"]!) || labels["route"] === "none").toBe(true);
        expect(counts.map(({ labels: { route, method, status }, value }) => [route, method, status, value])).toEqual([
          ["/api/login", "POST", "2xx", 1],
          ["/api/v1/datasets/{datasetKey}", "GET", "4xx", 20],
          ["none", "GET", "4xx", 20],
          ["none", "DELETE", "4xx", 20],
          ["/healthz", "GET", "2xx", 1],
        ]);
      }),
    ));

  test("of jobs, uploads, threads and room follow what happens", () =>
    withFolder((folder) =>
      withService(folder, async ({ service, ask, figures }) => {
        const table = knownTable(60, 1);
        const before = await figures();
        expect(sampleOf(before, "cupel_jobs", { kind: "dataset", state: "COMPLETED" })).toBeUndefined();
        expect((await ask("POST", "/api/v1/datasets", { body: formWith(table) })).status).toBe(201);
        expect((await ask("POST", "/api/v1/datasets", { body: `{"name":"open","numberOfBuckets":10}` })).status).toBe(
          201,
        );
        const isIdle = () => service.scheduler.running().length === 0;
        await until(() => statusOfFirst(service) === "COMPLETED" && isIdle(), "the end of the dataset");
        const after = await figures();
        const grown = (name: string, labels?: Record<string, string>) =>
          sampleOf(after, name, labels)! - sampleOf(before, name, labels)!;
        expect(sampleOf(after, "cupel_jobs", { kind: "dataset", state: "COMPLETED" })).toBe(1);
        expect(sampleOf(after, "cupel_jobs", { kind: "dataset", state: "OPEN" })).toBe(1);
        const done = { kind: "dataset", end: "COMPLETED" };
        expect(sampleOf(after, "cupel_job_duration_seconds_count", done)).toBe(1);
        expect(sampleOf(after, "cupel_job_queue_length", { kind: "dataset" })).toBe(0);
        expect(grown("cupel_upload_bytes_total")).toBe(table.length);
        expect(sampleOf(after, "cupel_uploads_in_progress")).toBe(0);
        expect(grown("cupel_stored_bytes", { part: "files" })).toBe(table.length);
        expect(sampleOf(after, "cupel_worker_threads", { pool: "heavy" })).toBe(1);
        expect(sampleOf(after, "cupel_worker_threads_busy", { pool: "light" })).toBe(0);
        expect(sampleOf(after, "cupel_worker_threads_replaced_total", { pool: "light" })).toBe(0);
        expect(sampleOf(after, "cupel_faults_total")).toBe(0);
        expect(sampleOf(after, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
        expect(sampleOf(after, "cupel_disk_free_bytes")).toBeGreaterThan(0);
      }),
    ));
});

/** Of the datasets. */
function statusOfFirst({ database }: Service): string {
  return database.client.query<{ status: string }, []>("SELECT status FROM datasets ORDER BY id").get()!.status;
}

describe("a limit that was hit", () => {
  test("stands in the log each time, and in the audit trail once a minute for each caller", () =>
    withFolder((folder) =>
      withService(
        folder,
        async ({ service, kept, ask }) => {
          // The clock stands still: none of what was used up comes back.
          setSystemTime(new Date());
          const statuses = [];
          for (let index = 0; index < 8; index++) statuses.push((await ask("GET", "/api/v1/limits")).status);
          expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
          const refused = kept.events("request").filter(({ status }) => status === 429);
          expect(refused.map(({ code, level }) => `${code} ${level}`)).toEqual(Array(5).fill("TOO_MANY_REQUESTS info"));
          const { items } = listAudit(service.database, { action: "LIMIT_HIT" }, { offset: 0, limit: 9 });
          expect(items).toMatchObject([
            { detail: "TOO_MANY_REQUESTS", email: "ada@example.org", requestId: refused[0]!["requestId"] },
          ]);
        },
        3,
      ),
    ));
});

describe("a fault", () => {
  test("of the disk that /readyz finds is told in one line", () =>
    withFolder((folder) =>
      withService(folder, async ({ kept, ask, figures }) => {
        rmSync(join(folder, "uploads"), { recursive: true });
        writeFileSync(join(folder, "uploads"), "");
        expect((await ask("GET", "/readyz")).status).toBe(503);
        expect(kept.events("request").slice(1)).toMatchObject([
          { level: "error", route: "/readyz", code: "UNAVAILABLE" },
        ]);
        expect(kept.events("fault")).toEqual([]);
        expect(sampleOf(await figures(), "cupel_faults_total")).toBe(0);
      }),
    ));

  test("of a request is counted and told under its id; the client learns the id alone", () =>
    withFolder((folder) =>
      withService(folder, async ({ service, kept, ask, figures }) => {
        service.database.client.run("ALTER TABLE apiKeys RENAME TO away");
        const response = await ask("GET", "/api/v1/api-keys");
        service.database.client.run("ALTER TABLE away RENAME TO apiKeys");
        const { code, requestId } = (await response.json()) as { code: string; requestId: string };
        expect([response.status, code, requestId]).toEqual([500, "INTERNAL", response.headers.get("x-request-id")!]);
        expect(kept.events("fault")).toMatchObject([
          { level: "error", requestId, route: "/api/v1/api-keys", fault: "SQLiteError", code: "SQLITE_ERROR" },
        ]);
        expect(sampleOf(await figures(), "cupel_faults_total")).toBe(1);
      }),
    ));
});

describe("a restart", () => {
  test("tells what was found, and each job that goes on", () =>
    withFolder(async (folder) => {
      await withService(folder, async () => {});
      const key = leaveHalfDone(folder);
      await withService(folder, async ({ kept, service }) => {
        await until(() => kept.events("job.ended").length > 0, "the end of the job");
        expect(kept.events("service.recovered")).toMatchObject([{ resumed: 1, ended: 0, removedParts: 1 }]);
        expect(kept.events("job.begun")).toMatchObject([{ kind: "dataset", key, restarts: 2 }]);
        expect(kept.events("job.ended")).toMatchObject([{ kind: "dataset", key, state: "COMPLETED" }]);
        expect(service.scheduler.running()).toEqual([]);
      });
    }));

  test("is preceded by a line for each job that is left for it", () =>
    withFolder(async (folder) => {
      let kept = keepLog();
      let key = "";
      await withService(folder, async (world) => {
        kept = world.kept;
        const { database, scheduler } = world.service;
        const { key: userKey } = findUserByEmail(database, "ada@example.org")!;
        key = addQueuedTable(database, folder, userKey, knownTable(60_000, 1));
        scheduler.wake();
        await kept.first("job.begun");
      });
      expect(kept.events("job.suspended")).toMatchObject([{ kind: "dataset", key }]);
      expect(kept.events("job.ended")).toEqual([]);
    }));
});

/** A dataset that a process was killed in the middle of, for the second time, and a part of a file. */
function leaveHalfDone(folder: string): string {
  const database = openDatabase(folder);
  const key = addQueuedTable(database, folder, addUser(database, "bob@example.org"), knownTable(60, 1));
  database.client.run("UPDATE datasets SET claimed = 1, restarts = 1");
  database.close();
  writeFileSync(join(folder, "files", `.${randomUUID()}.csv.${randomUUID()}.part`), "half");
  return key;
}

/** A dataset that waits to be processed. */
function addQueuedTable(database: Database, folder: string, userKey: string, table: string): string {
  const path = statePaths.file(randomUUID());
  writeFileSync(join(folder, path), table);
  const origin = { kind: "DIRECT_UPLOAD", file: { path, sizeBytes: table.length, sha256: "ab".repeat(32) } } as const;
  return insertDataset(database, newDataset(userKey, { origin }), new Date())!.key;
}
