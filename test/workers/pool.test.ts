// The worker pool: order, errors by kind, cancelling, and threads that die or hang.
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, WorkerPool } from "../../workers/pool.ts";
import { fixtureTable, spawnWorker } from "../support/in-process.ts";

const newFlag = () => new Int32Array(new SharedArrayBuffer(4));
const request = (path: string) => ({ path, label: null, missingMarkers: null });

let pool: WorkerPool | null = null;
afterEach(() => {
  pool?.close();
  pool = null;
});

/** A thread that runs the given source in place of the program's worker, for faults that a sound worker does not have. */
const faulty = (source: string) => () =>
  new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));

describe("the pool", () => {
  test("runs more work than it has threads, and answers each", async () => {
    pool = new WorkerPool(spawnWorker, 2);
    const limits = untilCancelled(newFlag());
    const tables = ["penguins", "credit_g", "churn", "penguins", "penguins"] as const;
    const answers = await Promise.all(
      tables.map((name) => pool!.run("readTable", request(fixtureTable(name)), limits)),
    );
    expect(answers.map(({ table }) => table.rowCount)).toEqual([344, 1000, 5000, 344, 344]);
    expect(answers[0]!.table.classes.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test("bad input comes back as such, with its line", async () => {
    pool = new WorkerPool(spawnWorker, 1);
    const error = await pool
      .run("readTable", request(join(import.meta.dir, "absent")), untilCancelled(newFlag()))
      .catch((caught) => caught);
    expect(error).toBeInstanceOf(InputError);
    expect(error.code).toBe("FILE_NOT_FOUND");
  });

  test("a fault in one piece of work leaves the thread fit for the next", async () => {
    pool = new WorkerPool(spawnWorker, 1);
    const limits = untilCancelled(newFlag());
    const fault = pool.run("baseline", { arenaId: 99, which: "ml-naivebayes", seed: 1 }, limits);
    await expect(fault).rejects.toThrow("arena 99 is not open");
    expect((await pool.run("readTable", request(fixtureTable("penguins")), limits)).table.rowCount).toBe(344);
  });

  test("cancelling drops what waits and what runs, by the flag it carries", async () => {
    pool = new WorkerPool(spawnWorker, 1);
    const doomed = untilCancelled(newFlag());
    const spared = untilCancelled(newFlag());
    const path = fixtureTable("churn");
    const first = pool.run("readTable", request(path), doomed).catch((error) => error);
    const second = pool.run("readTable", request(path), doomed).catch((error) => error);
    const third = pool.run("readTable", request(path), spared);
    pool.cancel(doomed.cancelFlag);
    expect(await first).toBeInstanceOf(Cancelled);
    expect(await second).toBeInstanceOf(Cancelled);
    expect((await third).table.rowCount).toBe(5000);
  });

  test("a thread that dies gives its work back and is replaced", async () => {
    let started = 0;
    pool = new WorkerPool(
      () => (started++ === 0 ? faulty("self.onmessage = () => process.exit(3);")() : spawnWorker()),
      1,
    );
    const limits = untilCancelled(newFlag());
    const lost = pool.run("readTable", request(fixtureTable("penguins")), limits).catch((error) => error);
    expect(await lost).toBeInstanceOf(WorkerLost);
    expect((await pool.run("readTable", request(fixtureTable("penguins")), limits)).table.rowCount).toBe(344);
    expect(started).toBe(2);
  });

  test("a thread that hangs is ended once its work is cancelled", async () => {
    let started = 0;
    pool = new WorkerPool(
      () => (started++ === 0 ? faulty("self.onmessage = () => { for (;;); };")() : spawnWorker()),
      1,
    );
    const limits = untilCancelled(newFlag());
    const hung = pool.run("readTable", request(fixtureTable("penguins")), limits).catch((error) => error);
    pool.cancel(limits.cancelFlag);
    expect(await hung).toBeInstanceOf(Cancelled);
    const next = untilCancelled(newFlag());
    expect((await pool.run("readTable", request(fixtureTable("penguins")), next)).table.rowCount).toBe(344);
  });
});
