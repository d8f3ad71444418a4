// A process of its own that runs two predictions: one while it may open no more
// files, one after. `bun … <folder> <first> <second>`
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../data/database/database.ts";
import { openStateFolder } from "../../data/files/state-folder.ts";
import { claimNextPrediction } from "../../data/predictions.ts";
import { runPrediction } from "../../src/jobs/flow-prediction.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { WorkerPool } from "../../workers/pool.ts";
import { fixtureTable, spawnWorker } from "./in-process.ts";
import { startUnlimited } from "./job-run.ts";
import { servicesOf } from "./job-state.ts";

const folder = process.argv[2]!;
const database = openDatabase(folder);
const services = servicesOf(database, openStateFolder(folder), []);
const pool = new WorkerPool(spawnWorker, 1);
const next = () => runPrediction(claimNextPrediction(database, new Date())!, startUnlimited(pool, null), services);

// The thread is there before files run out.
const limits = untilCancelled(new Int32Array(new SharedArrayBuffer(4)));
await pool.run("readTable", { path: fixtureTable("penguins"), label: null, missingMarkers: null }, limits);
const taken: number[] = [];
try {
  for (;;) taken.push(openSync(join(folder, "cupel.lock"), "a"));
} catch {
  await next();
}
for (const file of taken) closeSync(file);
await next();
pool.close();
database.close();
