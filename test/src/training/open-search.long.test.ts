// A large table's sample: as large as the machine gets through in time, and the same after a restart.
import { expect, test } from "bun:test";
import { LEAST_SEARCH_ROWS, MOST_SEARCH_ROWS } from "../../../engine/search/search-sample.ts";
import { INDEPENDENT_ROWS } from "../../../engine/splits/row-keys.ts";
import { FIRST_LEVEL, type Table } from "../../../engine/table/table.ts";
import { openSearch } from "../../../src/training/open-search.ts";
import { newJobControl } from "../../../src/work/job-control.ts";
import type { TableAnswer } from "../../../workers/messages.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";

const ROWS = 210_000;
const values = Float64Array.from({ length: 50 }, (_, index) => index);
const levels = Uint8Array.from({ length: ROWS }, (_, row) => FIRST_LEVEL + ((row * 31) % 50));
const table: Table = {
  rowCount: ROWS,
  features: [{ kind: "number", name: "x", column: 0, part: null, values }],
  levels: [levels],
  labels: ["a", "b"],
  classes: levels.map((level, row) => Number(level > 25 !== (row % 3 === 0))),
};
const source = { table, keys: INDEPENDENT_ROWS } as TableAnswer;

async function rowsWithin(seconds: number, units = new Map<string, unknown>(), isStopped = false): Promise<number> {
  const pool = new WorkerPool(spawnWorker, 1);
  const control = newJobControl();
  if (isStopped) Atomics.store(control.stopFlag, 0, 1);
  const journal = {
    find: (id: string) => units.get(id),
    append: (id: string, answer: unknown) => units.set(id, answer),
  };
  const options = { numberOfBuckets: 10, scalingFactor: 19, target: null, timeLimitSeconds: 3_600, seed: 1 };
  const endMs = performance.now() + 1_000 * seconds;
  try {
    const { task, growth } = await openSearch(source, options, { pool, control, journal }, endMs);
    expect(growth?.table.rowCount).toBe(ROWS);
    return task.split.learning.length;
  } finally {
    pool.close();
  }
}

test("the sample is the largest where there is time, and the smallest where there is none or the run was stopped", async () => {
  expect(Math.abs((await rowsWithin(36_000)) - MOST_SEARCH_ROWS)).toBeLessThan(5);
  expect(Math.abs((await rowsWithin(0)) - LEAST_SEARCH_ROWS)).toBeLessThan(5);
  expect(Math.abs((await rowsWithin(36_000, new Map(), true)) - LEAST_SEARCH_ROWS)).toBeLessThan(5);
});

test("a restart has the sample that attempts of the journal learned from", async () => {
  const units = new Map<string, unknown>();
  const first = await rowsWithin(36_000, units);
  expect(await rowsWithin(0, units)).toBe(first);
});
