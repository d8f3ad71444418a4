// The look at a table within its time: what ended it is told.
import { afterAll, expect, test } from "bun:test";
import { neverStop } from "../../../engine/stop-signal.ts";
import { checkLeakage } from "../../../src/training/leakage-check.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { readTable } from "../../../workers/reading/read-table.ts";
import { fixtureTable, spawnWorker } from "../../support/in-process.ts";

const answer = readTable({ path: fixtureTable("penguins"), label: null, missingMarkers: null }, neverStop);
const pool = new WorkerPool(spawnWorker, 1);

afterAll(() => pool.close());

const look = (timeLimitSeconds: number) =>
  checkLeakage(answer, answer.table.rowCount, {
    ...{ pool, cancelFlag: new Int32Array(new SharedArrayBuffer(4)), timeLimitSeconds, seed: 1, journal: null },
  });

test("a run's short time limit that ended the look is told, and a longer one lets it finish", async () => {
  const whole = (await look(3_600))!;
  expect([whole.isCut, whole.dependence!.isWhole, "cutBy" in whole]).toEqual([false, true, false]);
  const cut = (await look(0.1))!;
  expect([cut.dependence!.isWhole, cut.dependence!.outOfTime, cut.cutBy]).toEqual([false, true, "TIME_LIMIT"]);
});
