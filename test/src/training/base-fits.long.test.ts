// Fits of versions: each is made once, ahead where told to, and again where its first caller was cancelled.
import { afterAll, expect, test } from "bun:test";
import { openTraining } from "../../../engine/search/open-training.ts";
import type { FoundSettings } from "../../../engine/search/refit.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { BaseFits } from "../../../src/training/base-fits.ts";
import { type ToWorker, untilCancelled } from "../../../workers/messages.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { readTable } from "../../../workers/reading/read-table.ts";
import { forestOf } from "../../support/forests.ts";
import { fixtureTable, spawnWorker } from "../../support/in-process.ts";

const { table } = readTable({ path: fixtureTable("penguins"), label: null, missingMarkers: null }, neverStop);
const task = openTraining(table, { numberOfBuckets: 20, target: null, seed: 5 });
let fitCount = 0;
const pool = new WorkerPool(() => {
  const worker = spawnWorker();
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (message: ToWorker) => {
    if (message.kind === "work") fitCount++;
    post(message);
  };
  return worker;
}, 1);
const taskId = pool.openTask(task);
afterAll(() => pool.close());

const BASE = {
  buckets: 20,
  settings: { algorithm: "naive Bayes", variant: "plain", smoothing: 1 },
  seed: 3,
} as const;
const FOREST = {
  buckets: "fine",
  settings: forestOf({ treeCount: 130, featuresPerSplit: 2, minLeafRows: 1 }),
  seed: 7,
} as const;
const FOUND: FoundSettings = { ...BASE, mains: null };
const limitsOf = () => untilCancelled(new Int32Array(new SharedArrayBuffer(4)));

test("a fit is made once for all that ask, ahead where it was begun, and on other rows anew", async () => {
  const fits = new BaseFits(pool, taskId, false);
  const before = fitCount;
  fits.begin([BASE], 1, limitsOf());
  const [first, second] = await Promise.all([fits.of(FOUND, 1, limitsOf()), fits.of(FOUND, 1, limitsOf())]);
  expect(second[0]).toBe(first[0]!);
  expect(fitCount - before).toBe(1);
  expect(await fits.of(FOUND, null, limitsOf())).not.toEqual(first);
  expect(fitCount - before).toBe(2);
});

test("a fit that was begun and cancelled is made for who asks later", async () => {
  const fits = new BaseFits(pool, taskId, false);
  const early = limitsOf();
  fits.begin([BASE], 2, early);
  const lost = fits.of(FOUND, 2, limitsOf()).catch((error) => error);
  pool.cancel(early.cancelFlag);
  // What runs already may end well all the same.
  const found = await lost;
  if (!Array.isArray(found)) expect(found).toBeInstanceOf(Cancelled);
  expect(await fits.of(FOUND, 2, limitsOf())).toHaveLength(1);
});

test("a forest whose trees threads share is the forest of one thread", async () => {
  const found: FoundSettings = { ...FOREST, mains: null };
  const before = fitCount;
  const whole = await new BaseFits(pool, taskId, false).of(found, 1, limitsOf());
  expect(fitCount - before).toBe(1);
  expect(await new BaseFits(pool, taskId, true).of(found, 1, limitsOf())).toEqual(whole);
  // Two halves, and what puts them together.
  expect(fitCount - before).toBe(4);
});
