// The log of `cupel serve` as a process, through a whole flow in which everything secret or of users carries a mark.
import { beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { formOf } from "../support/form.ts";
import { knownTable } from "../support/refinery.ts";
import { ask, endAll, FROM_SOURCE, poll, start } from "../support/server.ts";

/** Stands in whatever may not be logged. */
const MARK = "qZmark";
const PASSWORD = `${MARK} of the password`;
const ROOT = testFolder(endAll);
const FOLDER = join(ROOT, "state");

type Line = Record<string, unknown>;
type Answer = Record<string, string>;

/** Of one request, as the client saw it. */
interface Seen {
  id: string;
  status: number;
}

const seen: Seen[] = [];
const secrets: string[] = [];
let stdout = "";
let stderr = "";
let lines: Line[] = [];
let fault: Answer = {};

/** Marks in the names of columns and in the cells. */
const table = (rowCount: number, seed: number) =>
  knownTable(rowCount, seed).replaceAll("noise2", `${MARK}Column`).replaceAll("same", `${MARK}Cell`);
const file = (text: string) => new File([text], `${MARK}.csv`);
const isOver = ({ status }: Answer) => !["PENDING", "PROCESSING", "RUNNING"].includes(status!);

beforeAll(async () => {
  const environment = { CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD };
  const settings = ["--port", "0", "--workers", "2", "--log-level", "debug"];
  const child = start(FROM_SOURCE, ["serve", "--data", FOLDER, ...settings], environment);
  const errors = child.stderr.text();
  const out = child.stdout.getReader();
  const decoder = new TextDecoder();
  while (!/listening on \S+\n/.test(stdout)) stdout += decoder.decode((await out.read()).value, { stream: true });
  await drive(/listening on (\S+)/.exec(stdout)![1]!);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  stderr = await errors;
  lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}, 300_000);

async function drive(origin: string): Promise<void> {
  let credential = "";
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await ask(origin, credential, method, path, body, headers);
    seen.push({ id: response.headers.get("x-request-id")!, status: response.status });
    const text = await response.text();
    return (text.startsWith("{") ? JSON.parse(text) : { text }) as Answer;
  };

  await call("POST", "/api/login", { username: `${MARK}@example.org`, password: PASSWORD });
  await call("POST", "/api/login", { username: "ada@example.org", password: `${MARK} wrong` });
  const login = await call("POST", "/api/login", { username: "ada@example.org", password: PASSWORD });
  const token = login["access_token"]!;
  credential = token;
  const { apiKey } = await call("POST", "/api/v1/api-keys", {
    name: `${MARK} key`,
    scopes: ["read", "write", "predict"],
  });
  secrets.push(token, token.split(".")[2]!, apiKey!);
  await call("GET", `/api/v1/${MARK}?token=${token}`);
  await call("GET", "/api/v1/limits", undefined, { authorization: `Bearer ${MARK}` });
  await call("GET", `/api/v1/datasets?${MARK}=${MARK}`);
  await call("POST", "/api/v1/datasets", `{"${MARK}": `, { "content-type": "application/json" });
  credential = apiKey!;

  const names = { name: `${MARK} run`, trainFileName: `${MARK}.csv`, testFileName: `${MARK}.csv`, numberOfBuckets: 10 };
  const run = (await call("POST", "/api/v1/feature-refinery", names)) as unknown as {
    uploadTargets: Record<"url" | "kind" | "requiredHeader", string>[];
    startUrl: string;
    progressUrl: string;
  };
  for (const { url, kind, requiredHeader } of run.uploadTargets) {
    secrets.push(new URL(url).searchParams.get("signature")!);
    const [header, value] = requiredHeader.split(": ");
    const content = kind === "TRAIN" ? table(300, 1) : table(100, 2);
    await call("PUT", url, content, { [header!]: value!, "content-type": "text/csv" });
  }
  await call("POST", run.startUrl);
  await poll(
    () => call("GET", run.progressUrl),
    ({ state }) => ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT"].includes(state!),
  );

  const fields = { name: `${MARK} data`, description: `${MARK} words`, numberOfBuckets: "10" };
  const bad = await call(
    "POST",
    "/api/v1/datasets",
    formOf({ ...fields, name: `${MARK} bad`, file: file(`${MARK},y\n1,2,${MARK}\n`) }),
  );
  await poll(() => call("GET", `/api/v1/datasets/${bad["datasetKey"]}`), isOver);
  const { datasetKey } = await call("POST", "/api/v1/datasets", formOf({ ...fields, file: file(table(300, 3)) }));
  await poll(() => call("GET", `/api/v1/datasets/${datasetKey}`), isOver);
  const { trainingJobKey } = await call("POST", `/api/v1/training/datasets/${datasetKey}`, { scalingFactor: 2 });
  await poll(() => call("GET", `/api/v1/training/${trainingJobKey}`), isOver);
  const { modelKey } = await call("GET", `/api/v1/training/${trainingJobKey}`);
  const unlabelled = table(20, 4).replaceAll(/,[^,\n]*$/gm, "");
  const predictions = `/api/v1/predictions/models/${modelKey}`;
  const { predictionKey } = await call("POST", predictions, formOf({ file: file(unlabelled) }));
  await poll(() => call("GET", `/api/v1/predictions/${predictionKey}`), isOver);
  await call("GET", `/api/v1/predictions/${predictionKey}/file`);
  await call("POST", predictions, formOf({ file: file(`${MARK}\n1\n`) }));
  // Faults of the server: its own folders are not what they were.
  const results = join(FOLDER, "results");
  rmSync(results, { recursive: true });
  writeFileSync(results, "");
  const vain = await call("POST", predictions, formOf({ file: file(unlabelled) }));
  await poll(() => call("GET", `/api/v1/predictions/${vain["predictionKey"]}`), isOver);
  rmSync(join(FOLDER, "models", modelKey!), { recursive: true });
  fault = await call("GET", `/api/v1/models/${modelKey}/versions/1/file`);
  await call("DELETE", `/api/v1/datasets/${datasetKey}`);
}

test("nothing secret and nothing of a user gets into what the process prints", () => {
  for (const text of [stdout, stderr]) {
    expect(text.toLowerCase()).not.toContain(MARK.toLowerCase());
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toContain(FOLDER);
    expect(text).not.toMatch(/signature|\n\s+at \S/);
  }
  expect(secrets.map(({ length }) => length > 40)).toEqual([true, true, true, true, true]);
});

test("every line says when, how grave and what; people read the standard output", () => {
  for (const line of lines) {
    expect(line["time"]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(line["event"]).toMatch(/^[a-z.]+$/);
    expect(["error", "warn", "info", "debug"]).toContain(line["level"] as string);
  }
  expect(stdout).toMatch(/^Added the administrator ada@example\.org\.\nlistening on http:\S+\n$/);
  const events = lines.map(({ event }) => event);
  expect(events.slice(0, 2)).toEqual(["service.recovered", "service.listening"]);
  expect(events.slice(-2)).toEqual(["service.stopping", "service.stopped"]);
});

test("each request has a line under the id that its answer carried", () => {
  const requests = lines.filter(({ event }) => event === "request");
  expect(requests.map(({ requestId, status }) => ({ id: requestId as string, status: status as number }))).toEqual(
    seen,
  );
  for (const { route, level, status, method } of requests) {
    if (route !== null) expect(route).toMatch(/^\/[\w/{}.-]*$/);
    const isQuiet = (status as number) < 400 && method === "GET";
    expect(level).toBe((status as number) >= 500 ? "error" : isQuiet ? "debug" : "info");
  }
});

test("each job has a line at its begin and at its end", () => {
  const ended = lines.filter(({ event }) => event === "job.ended");
  const begun = lines.filter(({ event }) => event === "job.begun");
  expect(ended.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    "refinement REFINEMENT_COMPLETED",
    "dataset FAILED",
    "dataset COMPLETED",
    "training COMPLETED",
    "prediction COMPLETED",
    "prediction FAILED",
  ]);
  expect(begun.map(({ key }) => key)).toEqual(ended.map(({ key }) => key));
  for (const { elapsedMs } of ended) expect(elapsedMs).toBeGreaterThanOrEqual(0);
  const stages = lines.filter(({ event }) => event === "job.entered").map(({ state }) => state);
  expect(stages).toContain("REFINING_LOOP_1");
});

test("a fault is told without its message: of a request under the id that the client was given, of a job under its key", () => {
  expect(fault["code"]).toBe("INTERNAL");
  const failed = lines.findLast(({ event }) => event === "job.ended");
  const [ofJob, ofRequest, ...others] = lines.filter(({ event }) => event === "fault");
  expect(others).toEqual([]);
  const route = "/api/v1/models/{modelKey}/versions/{version}/file";
  expect(ofRequest).toMatchObject({
    level: "error",
    requestId: fault["requestId"]!,
    route,
    fault: "InputError",
    code: "FILE_NOT_FOUND",
  });
  expect(ofJob).toMatchObject({ level: "error", fault: "Error", code: expect.stringMatching(/^E[A-Z]+$/) });
  expect(ofJob!["at"]).toMatch(/^(src|data|engine|workers)\/[\w/-]+\.ts:\d+$/);
  expect(ofJob!["where"]).toBe(`prediction ${failed!["key"]}`);
});

test("the audit trail has it all as well, and nothing secret either", async () => {
  const child = start(FROM_SOURCE, ["audit", "--data", FOLDER, "--json"]);
  const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
  expect(code).toBe(0);
  expect(text.toLowerCase()).not.toContain(MARK.toLowerCase());
  for (const secret of secrets) expect(text).not.toContain(secret);
  const actions = text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as Line)["action"]);
  expect(actions).toEqual([
    ...["USER_ADDED", "LOGIN_REFUSED", "LOGIN_REFUSED", "LOGIN", "API_KEY_CREATED"],
    ...["REFINEMENT_CREATED", "REFINEMENT_STARTED", "DATASET_CREATED", "DATASET_CREATED", "TRAINING_STARTED"],
    ...["PREDICTION_CREATED", "PREDICTION_FILE_DOWNLOADED", "PREDICTION_CREATED", "DATASET_DELETED"],
  ]);
});

test.each(["thrown", "rejected"])(
  "a fault that nobody caught (%s) ends the process with a line, without its message",
  async (how) => {
    const child = start(
      [process.execPath, join(import.meta.dir, "../support/crashing-serve.ts")],
      [join(ROOT, how), how],
    );
    const [text, code] = await Promise.all([child.stderr.text(), child.exited]);
    expect(code).toBe(1);
    const last = text.trimEnd().split("\n").at(-1)!;
    expect(JSON.parse(last)).toMatchObject({ level: "error", event: "service.crashed", fault: "TypeError" });
    expect(text).not.toContain("secret");
  },
);
