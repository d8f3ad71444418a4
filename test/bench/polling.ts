// Latency of polling: 64 clients ask for progress, before and while trainings run on all workers. Prints p50 and p99.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { originOf, send } from "./server-client.ts";

const CLIENTS = 64;
const SECONDS = 10;
const PASSWORD = "correct horse battery";
const TABLE = join(import.meta.dir, "../fixtures/tables/online_shoppers.csv");

const folder = mkdtempSync(join(tmpdir(), "cupel-polling-"));
const child = Bun.spawn(
  [process.execPath, join(import.meta.dir, "../../src/main.ts"), "serve", "--data", folder, "--port", "0"],
  {
    env: { ...process.env, CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD },
    stdout: "pipe",
    stderr: "inherit",
  },
);
try {
  await measure(await originOf(child.stdout));
} finally {
  child.kill("SIGTERM");
  await child.exited;
  rmSync(folder, { recursive: true });
}

async function measure(origin: string): Promise<void> {
  const json = { "content-type": "application/json" };
  const login = { username: "ada@example.org", password: PASSWORD };
  const { access_token: token } = await send(`${origin}/api/login`, "POST", JSON.stringify(login), json);
  const bearer = { authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append("name", "visits");
  form.append("numberOfBuckets", "20");
  form.append("file", new File([readFileSync(TABLE)], "visits.csv"));
  const { datasetKey } = await send(`${origin}/api/v1/datasets`, "POST", form, bearer);
  for (let status = ""; status !== "COMPLETED"; ) {
    ({ status = "" } = await send(`${origin}/api/v1/datasets/${datasetKey}`, "GET", null, bearer));
  }
  await poll("idle", `${origin}/api/v1/datasets/${datasetKey}`, bearer);
  const training = `${origin}/api/v1/training/datasets/${datasetKey}`;
  const body = JSON.stringify({ scalingFactor: 60, performanceThreshold: 1 });
  const { trainingJobKey } = await send(training, "POST", body, { ...bearer, ...json });
  await send(training, "POST", body, { ...bearer, ...json });
  await poll("training", `${origin}/api/v1/training/${trainingJobKey}/progress`, bearer);
}

async function poll(name: string, url: string, headers: Record<string, string>): Promise<void> {
  const times: number[] = [];
  const endMs = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < endMs) {
        const startMs = performance.now();
        await send(url, "GET", null, headers);
        times.push(performance.now() - startMs);
        // Each client asks about twenty times a second: far more than nextPollAfterSeconds asks for.
        await Bun.sleep(50);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(1);
  process.stdout.write(
    `${name}: ${times.length} requests, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, most ${quantile(1)} ms\n`,
  );
}
