// A server as a process of its own, from source or as the executable, and the whole flow over HTTP against it.
import { expect } from "bun:test";
import { join } from "node:path";
import { formOf } from "./form.ts";
import { knownTable } from "./refinery.ts";

export const PASSWORD = "correct horse battery";
/** How the program is started from source. */
export const FROM_SOURCE: readonly string[] = [process.execPath, join(import.meta.dir, "../../src/main.ts")];

const children: Bun.Subprocess[] = [];

/** Ends what still runs. */
export async function endAll(): Promise<void> {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(({ exited }) => exited));
}

export function start(program: readonly string[], args: readonly string[], environment: Record<string, string> = {}) {
  const child = Bun.spawn([...program, ...args], {
    env: { ...process.env, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.push(child);
  return child;
}

export interface Server {
  child: ReturnType<typeof start>;
  printed: string;
  token: string;
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
}

/** Starts the server on a folder and logs in. */
export async function serve(
  program: readonly string[],
  folder: string,
  settings: Record<string, string> = {},
): Promise<Server> {
  const environment = { ...settings, CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD };
  const child = start(program, ["serve", "--data", folder, "--port", "0", "--workers", "2"], environment);
  const printed = await readUntil(child.stdout, /listening on (http:\S+)\n/);
  const origin = /listening on (\S+)/.exec(printed)![1]!;
  const answer = await ask(origin, "", "POST", "/api/login", { username: "ada@example.org", password: PASSWORD });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const call = async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await ask(origin, token, method, path, body, headers);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text.startsWith("{") ? JSON.parse(text) : text) as T;
  };
  return { child, printed, token, call };
}

/** A request: an object goes as JSON, texts and forms as they are. `credential` may be empty. */
export function ask(
  origin: string,
  credential: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const isJson = body !== undefined && typeof body !== "string" && !(body instanceof FormData);
  return fetch(path.startsWith("http") ? path : `${origin}${path}`, {
    method,
    headers: {
      ...(credential !== "" && { authorization: `Bearer ${credential}` }),
      ...(isJson && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string | FormData) }),
  });
}

export async function readUntil(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (pattern.test(text)) return text;
  }
  throw new Error(`the process ended after: ${text}`);
}

/** Reads on, so that a child never waits for a reader. */
export async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

/** Asks again until the answer is final; each question waits for its answer, and the server is given a moment. */
export async function poll<T>(ask: () => Promise<T>, isFinal: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isFinal(answer)) return answer;
    await Bun.sleep(50);
  }
}

interface CreatedRun {
  featureRefinementKey: string;
  uploadTargets: { kind: "TRAIN" | "TEST"; url: string; requiredHeader: string }[];
  startUrl: string;
  progressUrl: string;
}
export type Status = { status: string };
export type Progress = { state: string; progressCompleted: number; progressTotal: number };
const isOver = ({ status }: Status) => !["PENDING", "PROCESSING", "RUNNING"].includes(status);
export const isRefined = ({ state }: Progress) =>
  ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"].includes(state);

export async function startRefinement({ call }: Server, name: string, rowCount: number): Promise<CreatedRun> {
  const created = await call<CreatedRun>("POST", "/api/v1/feature-refinery", { name, numberOfBuckets: 10 });
  for (const { kind, url, requiredHeader } of created.uploadTargets) {
    const [header, value] = requiredHeader.split(": ");
    const table = kind === "TRAIN" ? knownTable(rowCount, 1) : knownTable(400, 2);
    await call("PUT", url, table, { [header!]: value!, "content-type": "text/csv" });
  }
  await call("POST", created.startUrl);
  return created;
}

/** Refinement, dataset, training, champion, predictions and the column filter, on a fresh folder. */
export async function driveFlow(program: readonly string[], folder: string): Promise<void> {
  const server = await serve(program, folder);
  const { call, child, printed } = server;
  expect(printed).toContain("Added the administrator ada@example.org.");
  expect(printed).not.toContain(PASSWORD);
  const { featureRefinementKey: key, progressUrl } = await startRefinement(server, "known", 1_200);
  const progress = await poll(() => call<Progress>("GET", progressUrl), isRefined);
  expect([progress.state, progress.progressCompleted]).toEqual(["REFINEMENT_COMPLETED", progress.progressTotal]);
  const result = await call<{ keptColumns: string[]; reachedTarget: number }>(
    "GET",
    `/api/v1/feature-refinery/${key}/result`,
  );
  expect(result.keptColumns).toEqual(["strong", "weak", "left", "right"]);

  const dataset = await call<{ datasetKey: string }>("POST", `/api/v1/datasets/feature-refinery/${key}`, {
    name: "refined",
    numberOfBuckets: 10,
  });
  const datasetPath = `/api/v1/datasets/${dataset.datasetKey}`;
  const ready = await poll(() => call<Status & { recommendedThreshold: number }>("GET", datasetPath), isOver);
  expect([ready.status, ready.recommendedThreshold]).toEqual(["COMPLETED", result.reachedTarget]);

  const job = await call<{ trainingJobKey: string }>("POST", `/api/v1/training/datasets/${dataset.datasetKey}`, {
    scalingFactor: 5,
    performanceThreshold: 0.6,
  });
  const jobPath = `/api/v1/training/${job.trainingJobKey}`;
  await poll(() => call<Status>("GET", `${jobPath}/progress`), isOver);
  const trained = await call<Status & { modelKey: string }>("GET", jobPath);
  expect(trained.status).toBe("COMPLETED");
  const modelPath = `/api/v1/models/${trained.modelKey}`;
  const { versions } = await call<{ versions: { version: number }[] }>("GET", modelPath);

  const file = new File([knownTable(50, 3)], "new.csv");
  for (const { version } of versions) {
    await call("POST", `${jobPath}/champion`, { version });
    const form = formOf({ file: file });
    const made = await call<{ predictionKey: string }>("POST", `/api/v1/predictions/models/${trained.modelKey}`, form);
    const path = `/api/v1/predictions/${made.predictionKey}`;
    const ended = await poll(() => call<Status & { version: number; rowCount: number }>("GET", path), isOver);
    expect(ended).toMatchObject({ status: "COMPLETED", version, rowCount: 50 });
    const lines = (await call<string>("GET", `${path}/file`)).trimEnd().split("\n");
    expect([lines.length, lines[0]!.endsWith(",prediction,confidence,probability_no,probability_yes")]).toEqual([
      51,
      true,
    ]);
  }
  // The column filter goes by position: whole files are stripped, stripped
  // ones pass, others are refused (contract 4.6).
  const cells = knownTable(50, 3)
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const tableOf = (positions: readonly number[]) =>
    cells.map((row) => positions.map((position) => row[position]).join(",")).join("\n");
  const send = async (positions: readonly number[]) => {
    const form = formOf({ _file: new File([tableOf(positions)], "new.csv") });
    const path = `/api/v1/predictions?modelKey=${trained.modelKey}&filterColumns=true`;
    const made = await call<{ predictionKey: string }>("POST", path, form);
    const ended = await poll(
      () => call<Status & { rowCount: number }>("GET", `/api/v1/predictions/${made.predictionKey}`),
      isOver,
    );
    return [ended.status, ended.rowCount];
  };
  expect(await send([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual(["COMPLETED", 50]);
  expect(await send([1, 2, 4, 5])).toEqual(["COMPLETED", 50]);
  await expect(send([1, 2, 4, 5, 6])).rejects.toThrow(/400.*COLUMN_MISMATCH/s);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
}
