// Latency of one row scored over HTTP, asked by one client that waits for each answer, and of the bare call without a
// server: p50, p99, of the first requests and of those that come later, when the code is compiled.
// Usage: bun test/bench/live-rows.ts [TABLE.csv MODEL.cupel] [--trees N]
// [--requests N] [--program CUPEL] [--same-priority]
//   --program  the executable to time (dist/cupel); from source without
//   --trees    a forest of so many trees, grown on all of TABLE until its leaves are pure, in the place of MODEL
//   --same-priority  the client waits its turn among the server's threads, whose compilers take a core for milliseconds at a time; without,
//              it goes before them where the system allows that, as one on another machine does not wait for them either
//   MODEL  what `cupel run TABLE.csv` made; a training of the service on the head of the table makes way for it. A small training without.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCsv } from "../../engine/csv/read.ts";
import { type JsonRow, scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { formOf } from "../support/form.ts";
import { FROM_SOURCE } from "../support/server.ts";
import { forestFile } from "./forest-file.ts";
import type { Questions } from "./row-client.ts";
import { originOf, requestText, send } from "./server-client.ts";

const PASSWORD = "correct horse battery";
const HEAD_LINES = 2001;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "string", default: "20000" },
    program: { type: "string" },
    trees: { type: "string" },
    "same-priority": { type: "boolean", default: false },
  },
});
const bundled = join(import.meta.dir, "../fixtures/tables/online_shoppers.csv");
const [tablePath = bundled, modelPath] = positionals;
const bytes = readFileSync(tablePath);
const modelBytes = modelToTime();
const { rows, head } = readRows(bytes);

const folder = mkdtempSync(join(tmpdir(), "cupel-live-"));
const program = flags.program === undefined ? FROM_SOURCE : [flags.program];
const child = Bun.spawn([...program, "serve", "--data", folder, "--port", "0"], {
  env: { ...process.env, CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD },
  stdout: "pipe",
  stderr: "ignore",
});
try {
  const origin = await originOf(child.stdout);
  const json = { "content-type": "application/json" };
  const login = JSON.stringify({ username: "ada@example.org", password: PASSWORD });
  const { access_token: token } = await send(`${origin}/api/login`, "POST", login, json);
  const headers = { ...json, authorization: `Bearer ${token}` };
  const route = `${origin}/api/v1/predictions/models/${await trainModel(origin, `Bearer ${token}`)}/rows`;
  const champion = takeModelsPlace();
  const requests = rows.map((row) => requestText(route, "POST", JSON.stringify({ rows: [row] }), headers));
  tellHalves("POST …/rows", askByClient({ origin, requests, count: Number(flags.requests) }));
  const cache = new ModelCache();
  const times = Array.from({ length: Number(flags.requests) }, (_, at) => {
    const startMs = performance.now();
    scoreRows(cache, champion, [rows[at % rows.length]!]);
    return performance.now() - startMs;
  });
  tellHalves("the bare call", times);
} finally {
  child.kill("SIGTERM");
  await child.exited;
  rmSync(folder, { recursive: true });
}

/** The key of the model of a training of one attempt on the head of the table. */
async function trainModel(origin: string, authorization: string): Promise<string> {
  const form = formOf({ name: "rows", numberOfBuckets: "20", file: new File([head], "rows.csv") });
  const { datasetKey } = await send(`${origin}/api/v1/datasets`, "POST", form, { authorization });
  await untilCompleted(`${origin}/api/v1/datasets/${datasetKey}`, authorization);
  const body = JSON.stringify({ scalingFactor: 1, performanceThreshold: 0.01 });
  const headers = { authorization, "content-type": "application/json" };
  const { trainingJobKey } = await send(`${origin}/api/v1/training/datasets/${datasetKey}`, "POST", body, headers);
  const training = `${origin}/api/v1/training/${trainingJobKey}`;
  await untilCompleted(`${training}/progress`, authorization);
  const { modelKey } = await send(training, "GET", null, { authorization });
  return modelKey!;
}

async function untilCompleted(url: string, authorization: string): Promise<Record<string, string>> {
  for (;;) {
    const answer = await send(url, "GET", null, { authorization });
    if (answer["status"] === "COMPLETED") return answer;
    if (answer["status"] === "FAILED" || answer["status"] === "NOT_COMPLETED") throw new Error(JSON.stringify(answer));
    await Bun.sleep(50);
  }
}

/** Null for a model that is trained on the head of the table. */
function modelToTime(): Uint8Array | null {
  if (flags.trees !== undefined) return forestFile(tablePath, Number(flags.trees));
  return modelPath === undefined ? null : readFileSync(modelPath);
}

/** Puts the model given in the place of those trained; the path of one of them. */
function takeModelsPlace(): string {
  const stored = join(folder, "models");
  const paths = readdirSync(stored, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".cupel"))
    .map((name) => join(stored, name));
  if (modelBytes !== null) for (const path of paths) writeFileSync(path, modelBytes);
  return paths[0]!;
}

/**
 * Milliseconds of each request, asked by a process of its own. It compiles
 * little: its compilers would take the server's cores.
 */
function askByClient(questions: Questions): number[] {
  const path = join(folder, "questions.json");
  writeFileSync(path, JSON.stringify(questions));
  const first = ["chrt", "--fifo", "1"];
  const goesFirst = !flags["same-priority"] && Bun.which("chrt") !== null && Bun.spawnSync([...first, "true"]).success;
  process.stdout.write(goesFirst ? "The client goes before all other threads.\n" : "The client waits its turn.\n");
  const command = [process.execPath, join(import.meta.dir, "row-client.ts"), path];
  const asked = Bun.spawnSync(goesFirst ? [...first, ...command] : command, {
    env: { ...process.env, BUN_JSC_useDFGJIT: "0" },
    stderr: "inherit",
  });
  return JSON.parse(asked.stdout.toString());
}

function tellHalves(name: string, times: number[]): void {
  const half = times.length / 2;
  tell(`${name}, first half`, times.slice(0, half));
  tell(`${name}, second half`, times.slice(half));
}

function tell(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(3);
  process.stdout.write(
    `${name}: ${times.length} rows, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, most ${quantile(1)} ms\n`,
  );
}

/** Some rows without their label, numbers as numbers, and the first lines of the file. */
function readRows(file: Uint8Array): { rows: JsonRow[]; head: string } {
  const found: JsonRow[] = [];
  const lines = Buffer.from(file).toString().split("\n", HEAD_LINES).join("\n");
  readCsv(
    () => [Buffer.from(`${lines}\n`)],
    ({ names }) =>
      ({ records }) => {
        for (const record of records) {
          const cells = names.slice(0, -1).map((column, at) => [column, cellValue(record[at]!)] as const);
          found.push(Object.fromEntries(cells));
        }
      },
  );
  return { rows: found, head: `${lines}\n` };
}

function cellValue(cell: string): string | number | null {
  if (cell.trim() === "") return null;
  return Number.isNaN(Number(cell)) ? cell : Number(cell);
}
