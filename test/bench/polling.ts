// Latency of polling: 64 clients ask for progress, before and while trainings run on all workers. Prints p50 and p99.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formOf } from "../support/form.ts";
import { drain, endAll, FROM_SOURCE, type Server, serve } from "../support/server.ts";

const CLIENTS = 64;
const SECONDS = 10;
const TABLE = join(import.meta.dir, "../fixtures/tables/online_shoppers.csv");

const folder = mkdtempSync(join(tmpdir(), "cupel-polling-"));
try {
  await measure(await serve(FROM_SOURCE, folder));
} finally {
  await endAll();
  rmSync(folder, { recursive: true });
}

async function measure({ call, child }: Server): Promise<void> {
  void drain(child.stderr);
  const form = formOf({ name: "visits", numberOfBuckets: "20", file: new File([readFileSync(TABLE)], "visits.csv") });
  const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  const dataset = `/api/v1/datasets/${datasetKey}`;
  for (let status = ""; status !== "COMPLETED"; ) ({ status } = await call<{ status: string }>("GET", dataset));
  await poll("idle", () => call("GET", dataset));
  const training = `/api/v1/training/datasets/${datasetKey}`;
  const body = { scalingFactor: 60, performanceThreshold: 1 };
  const { trainingJobKey } = await call<{ trainingJobKey: string }>("POST", training, body);
  await call("POST", training, body);
  await poll("training", () => call("GET", `/api/v1/training/${trainingJobKey}/progress`));
}

async function poll(name: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const endMs = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < endMs) {
        const startMs = performance.now();
        await ask();
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
