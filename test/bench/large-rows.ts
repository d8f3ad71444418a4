// Large bodies sent to …/rows at once, while another process asks /healthz
// without a pause: how long it waits, and the memory.
// Usage: bun test/bench/large-rows.ts [--bodies 10] [--mib 5.6] [--program CUPEL]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FROM_SOURCE } from "../support/server.ts";
import { originOf, send } from "./server-client.ts";

const PASSWORD = "correct horse battery";
const MIB = 1024 * 1024;
const { values: flags } = parseArgs({
  options: {
    bodies: { type: "string", default: "10" },
    mib: { type: "string", default: "5.6" },
    program: { type: "string" },
  },
});
const bodyCount = Number(flags.bodies);
const bodyBytes = Math.floor(Number(flags.mib) * MIB);
const table = readFileSync(join(import.meta.dir, "../fixtures/tables/penguins.csv"), "utf8");

/** Bodies of the size asked for; `row` is one that the model takes. */
const SHAPES: Record<string, (row: Record<string, string>) => string> = {
  "1,000 rows of many columns": (row) => {
    const columnCount = Math.floor((bodyBytes / 1000 - 150) / 16);
    const more = Array.from({ length: columnCount }, (_, at) => [`c${String(at).padStart(4, "0")}`, 0.123456]);
    return JSON.stringify({ rows: Array(1000).fill({ ...row, ...Object.fromEntries(more) }) });
  },
  "1,000 rows of long texts": (row) =>
    JSON.stringify({ rows: Array(1000).fill({ ...row, note: "x".repeat(bodyBytes / 1000 - 160) }) }),
  "too many rows, all empty": () => `{"rows":[${"{},".repeat(bodyBytes / 3 - 10)}{}]}`,
  "one name over and over": () => `{${'"a":1,'.repeat(bodyBytes / 6 - 10)}"a":1}`,
};

const folder = mkdtempSync(join(tmpdir(), "cupel-large-rows-"));
const program = flags.program === undefined ? FROM_SOURCE : [flags.program];
const child = Bun.spawn([...program, "serve", "--data", join(folder, "state"), "--port", "0", "--log-level", "error"], {
  env: { ...process.env, CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD },
  stdout: "pipe",
  stderr: "inherit",
});
try {
  const origin = await originOf(child.stdout);
  const json = { "content-type": "application/json" };
  const login = JSON.stringify({ username: "ada@example.org", password: PASSWORD });
  const { access_token: token } = await send(`${origin}/api/login`, "POST", login, json);
  const headers = { authorization: `Bearer ${token}` };
  const modelKey = await train(origin, headers);
  const [header, first] = table.split("\n").map((line) => line.split(","));
  const row = Object.fromEntries(header!.map((name, at) => [name, first![at]!]));
  await Bun.sleep(3_000);
  for (const [name, bodyOf] of Object.entries(SHAPES)) {
    const body = bodyOf(row);
    const idleMib = residentMib();
    const asker = Bun.spawn([process.execPath, join(import.meta.dir, "healthz-client.ts"), origin], {
      stdin: "pipe",
      stdout: "pipe",
    });
    let peakMib = idleMib;
    const timer = setInterval(() => {
      peakMib = Math.max(peakMib, residentMib());
    }, 10);
    await Bun.sleep(500);
    const startMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: bodyCount }, async () => {
        const url = `${origin}/api/v1/predictions/models/${modelKey}/rows`;
        const response = await fetch(url, { method: "POST", headers: { ...headers, ...json }, body });
        await response.text();
        return response.status;
      }),
    );
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
    clearInterval(timer);
    asker.stdin.end();
    const waits = (JSON.parse(await asker.stdout.text()) as number[]).sort((a, b) => a - b);
    const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))]!.toFixed(0);
    print(`${bodyCount} × ${(body.length / MIB).toFixed(1)} MiB, ${name}: ${seconds} s, ${counted(answers)};`);
    print(`    /healthz p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)} ms (${waits.length} asked);`);
    print(`    resident ${idleMib.toFixed(0)} MiB before, ${peakMib.toFixed(0)} at the peak`);
    await Bun.sleep(2_000);
  }
} finally {
  child.kill("SIGKILL");
  await child.exited;
  rmSync(folder, { recursive: true });
}

async function train(origin: string, headers: Record<string, string>): Promise<string> {
  const form = new FormData();
  form.append("name", "penguins");
  form.append("numberOfBuckets", "10");
  form.append("file", new File([table], "penguins.csv", { type: "text/csv" }));
  const { datasetKey } = await send(`${origin}/api/v1/datasets`, "POST", form, headers);
  await until(`${origin}/api/v1/datasets/${datasetKey}`, headers);
  const settings = JSON.stringify({ scalingFactor: 0, performanceThreshold: 0.5 });
  const sent = { ...headers, "content-type": "application/json" };
  const { trainingJobKey } = await send(`${origin}/api/v1/training/datasets/${datasetKey}`, "POST", settings, sent);
  return (await until(`${origin}/api/v1/training/${trainingJobKey}`, headers))["modelKey"]!;
}

async function until(url: string, headers: Record<string, string>): Promise<Record<string, string>> {
  for (;;) {
    const answer = await send(url, "GET", null, headers);
    if (!/^(PENDING|PROCESSING|RUNNING)$/.test(answer["status"]!)) return answer;
    await Bun.sleep(50);
  }
}

/** Of the server and its threads. */
function residentMib(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024;
}

function counted(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
