// Processor time of whole predictions of files on a server, all its threads, with `--watch on` and `off` in turns. Each
// file has its report either way; what differs is that its counts are added to the day's.
// Usage: bun test/bench/watch-jobs.ts PROGRAM SECONDS CSV…   (PROGRAM: the executable)
// Both servers begin with copies of one state folder, so they have the same
// versions, and each version is champion in turn.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { formatRecord } from "../../engine/csv/write.ts";
import { formOf } from "../support/form.ts";
import { endAll, poll, type Server, serve } from "../support/server.ts";
import { readTable } from "./outer-split.ts";

/** Predictions of one server before it is the other's turn, and such turns that compile the code of both. */
const IN_A_ROW = 5;
const WARM_TURNS = 10;
const [program = "", seconds = "60", ...paths] = process.argv.slice(2);

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Trained {
  modelKey: string;
  trainingJobKey: string;
  versions: { version: number; algorithm: string }[];
}

say("| table | champion | rows | without | more | more, and quartiles | pairs |");
say("|---|---|---|---|---|---|---|");
for (const path of paths) {
  const folder = mkdtempSync(join(tmpdir(), "watch-jobs-"));
  try {
    const trained = await train(path, join(folder, "off"));
    cpSync(join(folder, "off"), join(folder, "on"), { recursive: true });
    const servers = {
      off: await serve([program], join(folder, "off"), { CUPEL_WATCH: "off" }),
      on: await serve([program], join(folder, "on"), { CUPEL_WATCH: "on" }),
    };
    const rows = newRows(path);
    for (const { version, algorithm } of trained.versions) {
      for (const server of Object.values(servers))
        await server.call("POST", `/api/v1/training/${trained.trainingJobKey}/champion`, { version });
      const pairs = await compare(servers, trained.modelKey, rows.text);
      say(`| ${basename(path, ".csv")} | ${algorithm} | ${rows.count} | ${figures(pairs)}`);
    }
  } finally {
    await endAll();
    rmSync(folder, { recursive: true });
  }
}

async function train(path: string, folder: string): Promise<Trained> {
  const server = await serve([program], folder);
  const form = formOf({
    name: basename(path),
    numberOfBuckets: "20",
    file: new File([readFileSync(path)], basename(path)),
  });
  const { datasetKey } = await server.call<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  await ended(server, `/api/v1/datasets/${datasetKey}`);
  const asked = { scalingFactor: 7 };
  const made = await server.call<{ trainingJobKey: string }>("POST", `/api/v1/training/datasets/${datasetKey}`, asked);
  const { modelKey } = await ended(server, `/api/v1/training/${made.trainingJobKey}`);
  const model = await server.call<Omit<Trained, "modelKey">>("GET", `/api/v1/models/${modelKey}`);
  server.child.kill("SIGTERM");
  await server.child.exited;
  return { ...model, modelKey: modelKey! };
}

/** The table's rows as new ones come, without the label, which is the last column. */
function newRows(path: string): { text: string; count: number } {
  const { header, records } = readTable(path);
  const lines = [header, ...records].map((cells) =>
    formatRecord(cells.slice(0, -1), { delimiter: ",", lineEnding: "\n" }),
  );
  return { text: lines.join(""), count: records.length };
}

async function compare(servers: { on: Server; off: Server }, modelKey: string, text: string) {
  const measure = async (server: Server) => {
    const startMs = cpuMs(server.child.pid);
    for (let time = 0; time < IN_A_ROW; time++) {
      const form = formOf({ file: new File([text], "new.csv") });
      const path = `/api/v1/predictions/models/${modelKey}`;
      const { predictionKey } = await server.call<{ predictionKey: string }>("POST", path, form);
      await ended(server, `/api/v1/predictions/${predictionKey}`);
    }
    return (cpuMs(server.child.pid) - startMs) / IN_A_ROW;
  };
  const pairs: { on: number; off: number }[] = [];
  for (let turn = 0; turn < WARM_TURNS; turn++) for (const server of [servers.on, servers.off]) await measure(server);
  const endMs = performance.now() + 1_000 * Number(seconds);
  while (performance.now() < endMs) {
    if (pairs.length % 2 === 0) pairs.push({ on: await measure(servers.on), off: await measure(servers.off) });
    else {
      const off = await measure(servers.off);
      pairs.push({ on: await measure(servers.on), off });
    }
  }
  return pairs;
}

async function ended(server: Server, path: string): Promise<{ status: string; modelKey?: string }> {
  const answer = await poll(
    () => server.call<{ status: string; modelKey?: string }>("GET", path),
    ({ status }) => !["PENDING", "PROCESSING", "RUNNING"].includes(status),
  );
  if (answer.status !== "COMPLETED") throw new Error(`${path} ended as ${answer.status}`);
  return answer;
}

/** Processor time of a process's threads so far; none of them ends while files are scored. */
function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanos.reduce((sum, own) => sum + own, 0) / 1e6;
}

function figures(pairs: readonly { on: number; off: number }[]): string {
  const quantile = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
  const off = quantile(
    pairs.map((pair) => pair.off),
    0.5,
  );
  const more = pairs.map((pair) => pair.on - pair.off);
  const percent = (share: number) => `${((100 * quantile(more, share)) / off).toFixed(1)}%`;
  const middle = quantile(more, 0.5).toFixed(2);
  return `${off.toFixed(2)} ms | ${middle} ms | ${percent(0.5)} (${percent(0.25)} to ${percent(0.75)}) | ${pairs.length} |`;
}
