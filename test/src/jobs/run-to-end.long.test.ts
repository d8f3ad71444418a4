// The frame of flows: after a written, a refused and a postponed end, which files and journals stay.
import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { openUnitJournal } from "../../../data/files/unit-journal.ts";
import type { JobRun } from "../../../src/jobs/job-run.ts";
import { type Held, type JobEnd, jobEnd, runToEnd } from "../../../src/jobs/run-to-end.ts";
import { AMPLE_ROOM, type StorageRoom } from "../../../src/storage/storage-room.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { startUnlimited } from "../../support/job-run.ts";
import { type JobState, withJobState } from "../../support/job-state.ts";

const pool = new WorkerPool(spawnWorker, 1);
afterAll(() => pool.close());

const JOURNAL = statePaths.journal(randomUUID());
const NAMED = statePaths.file(randomUUID());
const OTHER = statePaths.file(randomUUID());

interface Left {
  files: string[];
  released: number;
  faults: unknown[];
}

/** Runs a flow that holds a journal, two files and a quota; what is left of them afterwards. */
async function left(
  work: (run: JobRun) => JobEnd | null,
  failed: (error: unknown) => JobEnd = () => jobEnd(() => true),
  room: StorageRoom = AMPLE_ROOM,
) {
  let found: Left | undefined;
  await withJobState(async (jobs) => {
    let released = 0;
    const run = startUnlimited(pool, null);
    const hold = (held: Held) => {
      held.journal = openUnitJournal(at(jobs, JOURNAL), "identity");
      held.releases.push(() => released++);
      held.files.push(NAMED, OTHER);
      for (const path of held.files) writeFileSync(at(jobs, path), "rows");
    };
    await runToEnd(
      run,
      { ...jobs.services, room },
      {
        job: "job",
        work: async (held) => {
          hold(held);
          return work(run);
        },
        failed,
      },
    );
    const files = [JOURNAL, NAMED, OTHER].filter((path) => existsSync(at(jobs, path)));
    found = { files, released, faults: jobs.faults };
  });
  return found!;
}

const at = ({ state }: JobState, path: string) => state.locate(path);

test("a written end keeps the files that rows name", async () => {
  const found = await left(() => jobEnd(() => true, [NAMED]));
  expect(found).toEqual({ files: [NAMED], released: 1, faults: [] });
});

test("a refused end keeps no file, but the journal, which goes at the next start", async () => {
  const found = await left(() => jobEnd(() => false, [NAMED]));
  expect(found).toEqual({ files: [JOURNAL], released: 1, faults: [] });
});

test("work that has to begin again keeps everything", async () => {
  expect(await left(() => null)).toEqual({ files: [JOURNAL, NAMED, OTHER], released: 1, faults: [] });
});

test.each(["works on", "throws"])("a program that ends first leaves a flow that %s to the next start", async (how) => {
  const found = await left(
    (run) => {
      run.isSuspended = true;
      if (how === "throws") throw new Error("cancelled");
      return jobEnd(unexpected);
    },
    () => jobEnd(unexpected),
  );
  expect(found).toEqual({ files: [JOURNAL, NAMED, OTHER], released: 1, faults: [] });
});

test("a job that was dropped ends without a word, and keeps no file", async () => {
  const found = await left(
    (run) => {
      run.isDropped = true;
      throw new Error("cancelled");
    },
    () => jobEnd(unexpected),
  );
  expect(found).toEqual({ files: [JOURNAL], released: 1, faults: [] });
});

test("work that throws ends as its flow says", async () => {
  const thrown = new Error("bad rows");
  const heard: unknown[] = [];
  const found = await left(
    () => {
      throw thrown;
    },
    (error) =>
      jobEnd(() => {
        heard.push(error);
        return true;
      }),
  );
  expect(found).toEqual({ files: [], released: 1, faults: [] });
  expect(heard).toEqual([thrown]);
});

test("a fault that is none of the disk ends the wait for room", async () => {
  const full = Object.assign(new Error("no room"), { code: "ENOSPC" });
  const fault = new Error("a fault of ours");
  const heard: unknown[] = [];
  const room: StorageRoom = {
    isFull: true,
    require: () => {
      throw fault;
    },
  };
  const found = await left(
    () => {
      throw full;
    },
    (error) => {
      heard.push(error);
      return jobEnd(() => true);
    },
    room,
  );
  expect(found).toEqual({ files: [], released: 1, faults: [] });
  expect(heard).toEqual([full, fault]);
});

test("a fault of the database rejects and keeps everything", async () => {
  const fault = new Error("no such table");
  const broken = () => {
    throw fault;
  };
  await expect(left(() => jobEnd(broken))).rejects.toBe(fault);
});

function unexpected(): never {
  throw new Error("written, although nobody asked for it");
}
