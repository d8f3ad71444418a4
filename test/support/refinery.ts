// Tables and runs for tests of refinements: columns of known worth, and a refinement in this process with real workers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../../engine/random.ts";
import { refine } from "../../src/refining/refine.ts";
import type { RefineContext, RefineOptions, RefineOutcome } from "../../src/refining/refinement-job.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { WorkerPool } from "../../workers/pool.ts";
import type { PairAnswer } from "../../workers/reading/read-pair.ts";
import { spawnWorker } from "./in-process.ts";

/** Columns: two with a signal, a copy of one, an interaction, noise, a constant, a running number; the label last. */
export function knownTable(rowCount: number, seed: number): string {
  const random = new Random(seed);
  const lines = ["id,strong,weak,copy,left,right,noise1,noise2,noise3,always,label"];
  for (let row = 0; row < rowCount; row++) {
    const strong = Number(random.nextFloat().toFixed(4));
    const weak = random.nextBelow(4);
    const left = random.nextBelow(2);
    const right = random.nextBelow(2);
    const score = 2.5 * strong + 0.5 * (weak === 3 ? 1 : 0) + 1.5 * (left ^ right) + 0.6 * random.nextFloat();
    const noise = [random.nextFloat().toFixed(3), "abcde"[random.nextBelow(5)], random.nextBelow(2)];
    const label = score > 2.4 ? "yes" : "no";
    const cells = [1000 + row, strong.toFixed(4), ` w${weak} `, (9 - 3 * strong).toFixed(4), `l${left}`, `r${right}`];
    lines.push([...cells, ...noise, "same", label].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** The label has nothing to do with the columns. */
export function noiseTable(rowCount: number, seed: number): string {
  const random = new Random(seed);
  const cells = () => [
    random.nextFloat().toFixed(3),
    random.nextBelow(7),
    "abc"[random.nextBelow(3)],
    "yn"[random.nextBelow(2)],
  ];
  return `a,b,c,label\n${Array.from({ length: rowCount }, () => cells().join(",")).join("\n")}\n`;
}

export interface RefineryFixture {
  pair: PairAnswer;
  run(changes?: Partial<RefineContext>, options?: Partial<RefineOptions>): Promise<RefineOutcome>;
  pool: WorkerPool;
}

/** Reads the two tables once; each `run` refines them afresh. */
export async function withRefinery(
  train: string,
  test: string,
  workers: number,
  use: (fixture: RefineryFixture) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-refine-"));
  const pool = new WorkerPool(spawnWorker, workers);
  try {
    const [trainPath, testPath] = [join(folder, "train.csv"), join(folder, "test.csv")];
    writeFileSync(trainPath, train);
    writeFileSync(testPath, test);
    const request = { trainPath, testPath, label: null, missingMarkers: null };
    const pair = await pool.run("readPair", request, untilCancelled(newFlag()));
    const { table, columns } = pair.source;
    const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
    const source = {
      table,
      columns,
      train: rows.subarray(0, pair.trainRowCount),
      test: rows.subarray(pair.trainRowCount),
    };
    const run: RefineryFixture["run"] = (changes, options) => {
      return refine(
        source,
        { numberOfBuckets: 10, seed: 1, timeLimitSeconds: 600, removeLeaks: false, ...options },
        {
          pool,
          cancelFlag: newFlag(),
          startMs: performance.now(),
          journal: null,
          listener: silentListener,
          writeFiles: null,
          ...changes,
        },
      );
    };
    await use({ pair, run, pool });
  } finally {
    pool.close();
    rmSync(folder, { recursive: true });
  }
}

/** A flag of its own for each run: cancelling reaches all work that carries it. */
export function newFlag(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

export const silentListener: RefineContext["listener"] = {
  state: () => {},
  progress: () => {},
  rows: () => {},
};
