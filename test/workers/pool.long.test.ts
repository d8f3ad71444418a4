// The worker pool: order, errors by kind, cancelling, and threads that die or hang.
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
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

/**
 * A thread that runs the given source in place of the program's worker, for faults that a sound worker does not have.
 */
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

  test("ends threads that have nothing to do, and starts others for new work", async () => {
    const ended: Promise<unknown>[] = [];
    const spawn = () => {
      const worker = spawnWorker();
      ended.push(new Promise((resolve) => worker.addEventListener("close", resolve)));
      return worker;
    };
    pool = new WorkerPool(spawn, 2, 60_000, 10);
    const limits = untilCancelled(newFlag());
    const read = () => pool!.run("readTable", request(fixtureTable("penguins")), limits);
    await Promise.all([read(), read()]);
    expect(ended).toHaveLength(2);
    await Promise.all(ended);
    expect((await read()).table.rowCount).toBe(344);
    expect([ended.length, pool.replacedCount]).toEqual([3, 0]);
  });

  test("replaces a thread that has done much work, without losing any", async () => {
    let spawned = 0;
    const spawn = () => {
      spawned++;
      return faulty(
        "onmessage = ({ data }) => postMessage({ id: data.id, outcome: 'done', answer: { id: data.id } });",
      )();
    };
    pool = new WorkerPool(spawn, 1);
    const limits = untilCancelled(newFlag());
    const answers = await Promise.all(
      Array.from({ length: 2_250 }, () => pool!.run("readTable", request("any"), limits) as Promise<unknown>),
    );
    expect(answers).toEqual(Array.from({ length: 2_250 }, (_, index) => ({ id: index + 1 })));
    expect([spawned, pool.replacedCount]).toEqual([3, 0]);
  });

  test("starts its threads ahead where it is told to", async () => {
    let spawned = 0;
    pool = new WorkerPool(() => {
      spawned++;
      return spawnWorker();
    }, 3);
    pool.warmUp(2);
    expect(spawned).toBe(2);
    pool.warmUp(8);
    pool.warmUp(8);
    expect([spawned, pool.busyCount]).toEqual([3, 0]);
    const limits = untilCancelled(newFlag());
    expect((await pool.run("readTable", request(fixtureTable("penguins")), limits)).table.rowCount).toBe(344);
    expect(spawned).toBe(3);
  });

  test("begins more urgent work before other work that waits, each in its order", async () => {
    pool = new WorkerPool(spawnWorker, 1);
    const limits = untilCancelled(newFlag());
    const begun: string[] = [];
    const run = (name: string, urgency: number) =>
      pool!.run("readTable", request(fixtureTable("penguins")), { ...limits, urgency }).then(() => begun.push(name));
    await Promise.all([run("a", 0), run("b", 0), run("c", 1), run("d", 1), run("e", 2), run("f", 1), run("g", 0)]);
    expect(begun).toEqual(["a", "e", "c", "d", "f", "b", "g"]);
  });

  test("narrowed to fewer threads has no more at work, and ends the others once they are free", async () => {
    pool = new WorkerPool(spawnWorker, 3);
    const limits = untilCancelled(newFlag());
    const read = () => pool!.run("readTable", request(fixtureTable("penguins")), limits);
    const first = Promise.all([read(), read(), read(), read()]);
    pool.narrow(1);
    pool.narrow(2);
    expect([pool.size, pool.busyCount]).toEqual([1, 3]);
    await first;
    expect(pool.busyCount).toBe(0);
    const later = [read(), read()];
    expect(pool.busyCount).toBe(1);
    await Promise.all(later);
    expect(pool.replacedCount).toBe(0);
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
    const fault = pool.run("baseline", { taskId: 99, which: "ml-naivebayes", seed: 1 }, limits);
    await expect(fault).rejects.toThrow("task 99 is not open");
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

  test("a task that is closed takes along what waits for it, and nothing else", async () => {
    pool = new WorkerPool(spawnWorker, 1);
    const limits = untilCancelled(newFlag());
    const read = () => pool!.run("readTable", request(fixtureTable("penguins")), limits);
    const first = read();
    const ofTask = pool.run("baseline", { taskId: 99, which: "ml-naivebayes", seed: 1 }, limits);
    const last = read();
    pool.closeTask(99);
    await expect(ofTask).rejects.toBeInstanceOf(Cancelled);
    expect((await Promise.all([first, last])).map(({ table }) => table.rowCount)).toEqual([344, 344]);
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

  test("a thread that does not answer long after its time was up is ended, and the next piece of work is done", async () => {
    let started = 0;
    const hangs = faulty("self.onmessage = () => { for (;;); };");
    pool = new WorkerPool(() => (started++ === 0 ? hangs() : spawnWorker()), 1, 10);
    const overdue = { ...untilCancelled(newFlag()), mostSeconds: 0.01 };
    const hung = pool.run("readTable", request(fixtureTable("penguins")), overdue).catch((error) => error);
    const next = pool.run("readTable", request(fixtureTable("penguins")), untilCancelled(newFlag()));
    expect(await hung).toBeInstanceOf(OutOfTime);
    expect([(await next).table.rowCount, pool.replacedCount]).toEqual([344, 1]);
  });

  test("a thread is not ended for the time that the whole process stood still", async () => {
    // Answers once its flag is raised: it stands still with the rest.
    const answers = `self.onmessage = ({ data: { id, request } }) => {
      Atomics.wait(request.cancelFlag, 0, 0);
      self.postMessage({ id, outcome: "done", answer: { id } });
    };`;
    pool = new WorkerPool(faulty(answers), 1, 2_400);
    const flag = newFlag();
    const run = (mostSeconds: number) =>
      pool!.run("readTable", request("x"), { ...untilCancelled(flag), mostSeconds }) as Promise<unknown>;
    const goOn = () => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    };
    const first = run(60);
    goOn();
    await first;
    Atomics.store(flag, 0, 0);
    const asked = run(0);
    Bun.sleepSync(2_500);
    // The timers of before are due now, and what they would end has hardly gone on.
    setImmediate(goOn);
    expect(await asked).toEqual({ id: 2 });
    expect(pool.replacedCount).toBe(0);
  });

  test("work whose deadline has passed is handed out all the same, and told so", async () => {
    const tells = `self.onmessage = ({ data: { id, request } }) =>
      self.postMessage({ id, outcome: "done", answer: { leftMs: request.leftMs } });`;
    pool = new WorkerPool(faulty(tells), 1);
    const limits = { cancelFlag: newFlag(), deadlineMs: performance.now() - 1_000, mostSeconds: 600 };
    const answer = (await pool.run("readTable", request("x"), limits)) as unknown as { leftMs: number };
    expect(answer.leftMs).toBeLessThanOrEqual(-1_000);
    const unlimited = (await pool.run(
      "readTable",
      request("x"),
      untilCancelled(newFlag()),
    )) as unknown as typeof answer;
    expect(unlimited.leftMs).toBe(Number.POSITIVE_INFINITY);
  });

  test("work that is limited by the processor's seconds has more by the clock", async () => {
    const tells = `self.onmessage = ({ data: { id, request: { leftMs, processorMs } } }) =>
      self.postMessage({ id, outcome: "done", answer: { leftMs, processorMs } });`;
    pool = new WorkerPool(faulty(tells), 1);
    const limits = { ...untilCancelled(newFlag()), mostSeconds: 10 };
    const told = async (byProcessor: boolean) =>
      (await pool!.run("readTable", request("x"), { ...limits, byProcessor })) as unknown;
    expect(await told(true)).toEqual({ leftMs: 25_000, processorMs: 10_000 });
    expect(await told(false)).toEqual({ leftMs: 10_000, processorMs: undefined });
  });

  test("threads that die as soon as they live are not started without end", async () => {
    let started = 0;
    const dies = faulty("process.exit(3);");
    pool = new WorkerPool(() => {
      started++;
      return dies();
    }, 2);
    const limits = untilCancelled(newFlag());
    const lost = [1, 2, 3].map(() => pool!.run("readTable", request("x"), limits).catch((error) => error));
    for (const error of await Promise.all(lost)) expect(error).toBeInstanceOf(WorkerLost);
    expect([started, pool.busyCount]).toEqual([3, 0]);
  });

  test("threads that cannot be started fail the work, and later work tries again", async () => {
    let isPossible = false;
    pool = new WorkerPool(() => {
      if (!isPossible) throw new Error("no more threads");
      return spawnWorker();
    }, 2);
    const limits = untilCancelled(newFlag());
    const failed = [1, 2].map(() => pool!.run("readTable", request(fixtureTable("penguins")), limits));
    for (const run of failed) await expect(run).rejects.toThrow("no more threads");
    isPossible = true;
    expect((await pool.run("readTable", request(fixtureTable("penguins")), limits)).table.rowCount).toBe(344);
  });
});
