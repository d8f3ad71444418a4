// Memory of a service over a thousand small jobs: resident memory, threads and
// descriptors after each hundred, and idle at the end.
// Usage: bun test/bench/many-jobs.ts [PROGRAM] [JOBS]   (PROGRAM: the
// executable; from source where it is left out or -)
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formOf } from "../support/form.ts";
import { knownTable } from "../support/refinery.ts";
import { drain, endAll, FROM_SOURCE, poll, type Server, serve } from "../support/server.ts";

const STEP = 100;
/** Clients that each go through the jobs below, one after the other. */
const CLIENTS = 4;
/** Idle threads are ended within it. */
const IDLE_SECONDS = [10, 75];
const TRAIN = knownTable(150, 1);
const TEST = knownTable(80, 2);
const NEW_ROWS = TEST.replaceAll(/,[^,\n]*$/gm, "");

const [program = "-", asked = "1000"] = process.argv.slice(2);
const jobCount = Number(asked);
const folder = mkdtempSync(join(tmpdir(), "cupel-many-jobs-"));
let done = 0;
let serial = 0;
try {
  const server = await serve(program === "-" ? FROM_SOURCE : [program], folder);
  void drain(server.child.stderr);
  const { apiKey } = await server.call<{ apiKey: string }>("POST", "/api/v1/api-keys", {
    name: "bench",
    scopes: ["read", "write", "predict"],
  });
  const call: Server["call"] = (method, path, body, headers = {}) =>
    server.call(method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });
  print("| jobs | resident MiB | most so far | threads | descriptors | seconds |");
  print("|---|---|---|---|---|---|");
  await Bun.sleep(2_000);
  const startMs = performance.now();
  const show = (what: string) => print(figures(server.child.pid, what, (performance.now() - startMs) / 1000));
  show("0");
  await Promise.all(Array.from({ length: CLIENTS }, () => client(call, show)));
  let idleSeconds = 0;
  for (const seconds of IDLE_SECONDS) {
    await Bun.sleep(1_000 * (seconds - idleSeconds));
    idleSeconds = seconds;
    show(`${done}, idle ${seconds} s`);
  }
  server.child.kill("SIGTERM");
  await server.child.exited;
} finally {
  await endAll();
  rmSync(folder, { recursive: true });
}

/**
 * Three datasets with a training and a prediction each, then a refinement, until there were enough jobs of all clients.
 */
async function client(call: Server["call"], show: (what: string) => void): Promise<void> {
  const count = () => {
    done++;
    if (done % STEP === 0) show(`${done}`);
    return done < jobCount;
  };
  for (;;) {
    for (let round = 0; round < 3; round++) {
      const datasetKey = await makeDataset(call);
      if (!count()) return;
      const modelKey = await trainOn(call, datasetKey);
      if (!count()) return;
      await predictWith(call, modelKey);
      if (!count()) return;
    }
    await refineTables(call);
    if (!count()) return;
  }
}

async function makeDataset(call: Server["call"]): Promise<string> {
  const form = formOf({ name: `table ${++serial}`, numberOfBuckets: "10", file: new File([TRAIN], "table.csv") });
  const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  await ended(call, `/api/v1/datasets/${datasetKey}`);
  return datasetKey;
}

async function trainOn(call: Server["call"], datasetKey: string): Promise<string> {
  const path = `/api/v1/training/datasets/${datasetKey}`;
  const { trainingJobKey } = await call<{ trainingJobKey: string }>("POST", path, { scalingFactor: 2 });
  return (await ended(call, `/api/v1/training/${trainingJobKey}`)).modelKey!;
}

async function predictWith(call: Server["call"], modelKey: string): Promise<void> {
  const form = formOf({ file: new File([NEW_ROWS], "new.csv") });
  const made = await call<{ predictionKey: string }>("POST", `/api/v1/predictions/models/${modelKey}`, form);
  await ended(call, `/api/v1/predictions/${made.predictionKey}`);
  await call("GET", `/api/v1/predictions/${made.predictionKey}/file`);
}

async function refineTables(call: Server["call"]): Promise<void> {
  type Target = { kind: "TRAIN" | "TEST"; url: string; requiredHeader: string };
  const asked = { name: `refinement ${++serial}`, numberOfBuckets: 10 };
  const created = await call<{ featureRefinementKey: string; startUrl: string; uploadTargets: readonly Target[] }>(
    "POST",
    "/api/v1/feature-refinery",
    asked,
  );
  for (const { kind, url, requiredHeader } of created.uploadTargets) {
    const [header, value] = requiredHeader.split(": ");
    const headers = { [header!]: value!, "content-type": "text/csv" };
    await call("PUT", url, kind === "TRAIN" ? TRAIN : TEST, headers);
  }
  await call("POST", created.startUrl);
  const progress = `/api/v1/feature-refinery/${created.featureRefinementKey}/progress`;
  const isOver = (state: string) => ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"].includes(state);
  const { state } = await poll(
    () => call<{ state: string }>("GET", progress),
    ({ state }) => isOver(state),
  );
  if (state !== "REFINEMENT_COMPLETED") throw new Error(`a refinement ended as ${state}`);
}

async function ended(call: Server["call"], path: string): Promise<{ status: string; modelKey?: string }> {
  const isOver = (status: string) => !["PENDING", "PROCESSING", "RUNNING"].includes(status);
  const answer = await poll(
    () => call<{ status: string; modelKey?: string }>("GET", path),
    ({ status }) => isOver(status),
  );
  if (answer.status !== "COMPLETED") throw new Error(`${path} ended as ${answer.status}`);
  return answer;
}

function figures(pid: number, what: string, seconds: number): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)![1]);
  const mib = (name: string) => (figure(name) / 1024).toFixed(0);
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  return `| ${what} | ${mib("VmRSS")} | ${mib("VmHWM")} | ${figure("Threads")} | ${descriptors} | ${seconds.toFixed(0)} |`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
