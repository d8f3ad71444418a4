// Refinements on the server to each of their ends: the trail, the rows, the
// files, and what a restart or a cancel leaves.
import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findRefinementFile } from "../../../data/refinements/refinement-files.ts";
import { recoverRefinements } from "../../../data/refinements/refinement-runs.ts";
import {
  cancelRefinement,
  findRefinementResult,
  listActivities,
  type NewRefinement,
} from "../../../data/refinements/refinements.ts";
import { DEFAULT_TIME_CAPS } from "../../../src/common/limits.ts";
import type { WatchedJob } from "../../../src/jobs/job-run.ts";
import { cancelRun, suspendRun } from "../../../src/jobs/job-run.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { beginRefinement, refinementOf } from "../../support/job-flows.ts";
import { addRefinement, filesIn, type JobState, unwatched, withJobState } from "../../support/job-state.ts";
import { randomTexts } from "../../support/noise-text.ts";
import { knownTable } from "../../support/refinery.ts";
import { withStoppedClock } from "../../support/steady-clock.ts";
import { drawTexts } from "../../support/text-tables.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

/** Large enough to be judged by. */
const TRAIN = knownTable(500, 1);
const TEST = knownTable(150, 2);
const SMALL_TRAIN = knownTable(100, 3);
const SMALL_TEST = knownTable(50, 4);

/** With a column that nearly copies the second one. */
function withNearCopy(table: string): string {
  const [header, ...rows] = table.trimEnd().split("\n");
  const near = rows.map((row, index) => `${Number(row.split(",")[1]) + (index % 10) / 500},${row}`);
  return `near,${header}\n${near.join("\n")}\n`;
}

/** Drawn texts and random ones. */
function textColumns(rowCount: number, seed: number): string {
  const { texts, labels } = drawTexts(rowCount, 2, seed);
  const noise = randomTexts(rowCount, seed + 1);
  const lines = texts.map((text, row) => [row % 9, `"${text}"`, `"${noise[row]}"`, labels[row]].join(","));
  return `number,said,noise,label\n${lines.join("\n")}\n`;
}

const TEXTS_TRAIN = textColumns(500, 5);
const TEXTS_TEST = textColumns(150, 8);

/** Four rows of each machine, whose numbers and label are its own. */
function machines(from: number, to: number): string {
  const lines = ["machine,a,b,note,label"];
  for (let row = 4 * from; row < 4 * to; row++) {
    const machine = Math.floor(row / 4);
    const numbers = [(machine * 37) % 101, (machine * 53) % 89].map((offset) => offset + (row % 4) / 10);
    lines.push([`m${machine}`, ...numbers, "x", (machine * 7) % 5 < 2 ? "yes" : "no"].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const TRAIL =
  /^PENDING SETUP_READING SETUP_BUCKETING MEASURE_INITIAL_THRESHOLD (BASELINE_RUN_\d+ ){3}(REFINING_LOOP_\d+ )+CREATING_RESULT REFINEMENT_COMPLETED$/;

/** A state in which no stage ends early because the machine is slow. */
function withUnhurried(use: (jobs: JobState) => Promise<void>): Promise<void> {
  return withStoppedClock(() => withJobState(use));
}

/** What is heard as a run enters the first state that matches. */
function onceIn(jobs: JobState, state: RegExp): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const entered = (_job: WatchedJob, name: string) => {
    if (state.test(name)) resolve();
  };
  jobs.services = { ...jobs.services, watch: { ...unwatched, entered } };
  return promise;
}

/** Every count that is written from now on. */
function hearCounts({ database }: JobState): () => { completed: number | null; total: number | null }[] {
  database.client.run("CREATE TEMP TABLE counts (completed INTEGER, total INTEGER)");
  database.client.run(`CREATE TEMP TRIGGER noteCounts AFTER UPDATE OF progressCompleted, progressTotal ON refinements
    BEGIN INSERT INTO counts VALUES (new.progressCompleted, new.progressTotal); END`);
  return () => database.client.query<{ completed: number; total: number }, []>("SELECT * FROM counts").all();
}

const begin = (jobs: JobState) => beginRefinement(jobs, pool);
const resultOf = ({ database, ann }: JobState, key: string) => findRefinementResult(database, ann, key);
const trailOf = ({ database }: JobState, key: string) => listActivities(database, key, 100).map(({ state }) => state);
const journalOf = ({ state }: JobState, key: string) => state.locate(statePaths.journal(key));

async function ended(jobs: JobState, train: string, test: string, changes: Partial<NewRefinement> = {}) {
  const key = addRefinement(jobs, train, test, changes);
  await begin(jobs).flow;
  return refinementOf(jobs, key);
}

describe("a refinement by groups", () => {
  const BY_MACHINE = { groupColumn: "machine", withoutColumns: ["b"] };

  test("judges on rows of new groups alone, and keeps the group column in its files", () =>
    withJobState(async (jobs) => {
      const { key, state } = await ended(jobs, machines(0, 30), machines(25, 40), BY_MACHINE);
      expect(state).toBe("REFINEMENT_COMPLETED");
      const { grounds, columns, keptColumns, removedColumns } = resultOf(jobs, key)!;
      expect([grounds!.trainRowCount, grounds!.testRowCount]).toEqual([120, 40]);
      const reasons = Object.fromEntries(columns.map(({ name, reason }) => [name, reason]));
      expect(reasons).toMatchObject({ machine: "KEPT_FOR_JUDGING", b: "LEFT_OUT", note: "CONSTANT" });
      expect(keptColumns).toContain("machine");
      expect(removedColumns).toEqual(["b", "note"]);
      for (const kind of ["TRAIN", "TEST"] as const) {
        const file = findRefinementFile(jobs.database, jobs.ann, key, kind, "RESULT")!;
        expect(readFileSync(jobs.state.locate(file.path), "utf8")).toStartWith([...keptColumns, "label\n"].join(","));
      }
      expect(jobs.faults).toEqual([]);
    }));

  test.each([
    [machines(0, 30), machines(3, 9), BY_MACHINE, /Every row of TEST belongs by column "machine" to a group of TRAIN/],
    [machines(0, 30), machines(30, 40), { groupColumn: "machin" }, /Did you mean "machine"\?/],
    [machines(0, 4), machines(0, 4), { groupColumn: "machine" }, /names 4 groups; at least 5 are needed/],
    [machines(0, 30), machines(30, 40), { timeColumn: "machine" }, /machine/],
  ])("ends with the reason where it cannot be judged so (%#)", (train, test, changes, reason) =>
    withJobState(async (jobs) => {
      const { state, errorReason } = await ended(jobs, train, test, changes);
      expect(state).toBe("ERROR");
      expect(errorReason).toMatch(reason);
      expect(errorReason).not.toContain("The service failed");
      expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
    }),
  );
});

describe("a refinement", () => {
  test("is completed with its trail, rows, result and files", () =>
    withJobState(async (jobs) => {
      const refinement = await ended(jobs, TRAIN, TEST);
      const { key, baselineRows, currentRows } = refinement;
      expect(trailOf(jobs, key).join(" ")).toMatch(TRAIL);
      expect(refinement).toMatchObject({ state: "REFINEMENT_COMPLETED", errorReason: null, claimed: false });
      expect(refinement.progressTotal).toBeGreaterThan(15);
      expect(refinement.progressCompleted).toBe(refinement.progressTotal);
      const result = resultOf(jobs, key)!;
      expect(result.partial).toBeFalse();
      expect(result.columns.map(({ name }) => name)).toEqual(TRAIN.split("\n")[0]!.split(",").slice(0, -1));
      expect([...result.keptColumns, ...result.removedColumns].sort()).toEqual(
        result.columns.map(({ name }) => name).sort(),
      );
      expect(result.removedColumns).toContain("copy");
      expect(result.reachedTarget).toBe(result.recommendedThreshold);
      expect(result.keptAccuracy).toBe(result.grounds!.keptRows[0]!.accuracy);
      expect(result.keptAccuracy!).toBeGreaterThan(result.reachedTarget!);
      expect(result.baselineTarget!).toBeLessThan(baselineRows[0]!.accuracy!);
      expect(currentRows.filter(({ best }) => best)).toHaveLength(1);
      expect(currentRows[0]!.falseDecisions).toBeLessThanOrEqual(baselineRows[0]!.falseDecisions);
      for (const kind of ["TRAIN", "TEST"] as const) {
        const file = findRefinementFile(jobs.database, jobs.ann, key, kind, "RESULT")!;
        const text = readFileSync(jobs.state.locate(file.path), "utf8");
        expect(text.split("\n")[0]).toBe([...result.keptColumns, "label"].join(","));
        expect(text.split("\n")).toHaveLength((kind === "TRAIN" ? TRAIN : TEST).split("\n").length);
        expect(file.sha256).toBe(createHash("sha256").update(text).digest("hex"));
        expect(file.sizeBytes).toBe(Buffer.byteLength(text));
      }
      expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
    }));

  test("keeps a fifth blind where TEST is TRAIN, and gives what its result rests on", () =>
    withJobState(async (jobs) => {
      const { key, baselineRows } = await ended(jobs, TRAIN, TRAIN);
      const { grounds, columns } = resultOf(jobs, key)!;
      expect(grounds!.trainRowCount + grounds!.testRowCount).toBe(500);
      expect(Math.abs(grounds!.testRowCount - 100)).toBeLessThanOrEqual(1);
      expect(baselineRows[0]!.falseDecisions).toBeLessThanOrEqual(grounds!.testRowCount);
      expect(grounds!.classes.reduce((sum, { count }) => sum + count, 0)).toBe(500);
      const read = new Map(grounds!.columns.map((column) => [column.name, column]));
      for (const { name } of columns) expect(read.has(name)).toBeTrue();
      const strong = read.get("strong")!.distribution!;
      expect(strong.counts.flat().reduce((sum, count) => sum + count, 0)).toBe(500);
      expect(grounds!.majority.accuracy).toBeCloseTo(1 - grounds!.majority.falseDecisions / grounds!.testRowCount, 12);
      const lines = (kind: "TRAIN" | "TEST") => {
        const file = findRefinementFile(jobs.database, jobs.ann, key, kind, "RESULT");
        return file === null ? null : readFileSync(jobs.state.locate(file.path), "utf8").split("\n").length;
      };
      expect([lines("TRAIN"), lines("TEST")]).toEqual([502, null]);
    }));

  test("gives the metrics of the positive label that was asked for", () =>
    withJobState(async (jobs) => {
      const yes = await ended(jobs, SMALL_TRAIN, SMALL_TEST);
      const no = await ended(jobs, SMALL_TRAIN, SMALL_TEST, { positiveLabel: "no" });
      const [forYes, forNo] = [yes.baselineRows[0]!, no.baselineRows[0]!];
      expect(forYes.falseDecisions).toBe(forNo.falseDecisions);
      const actual = (label: string) => SMALL_TEST.split(`,${label}\n`).length - 1;
      // Wrong decisions are the misses of one class, and the misses of the other.
      const misses = (recall: number | null, label: string) => (1 - recall!) * actual(label);
      expect(misses(forYes.recall, "yes") + misses(forNo.recall, "no")).toBeCloseTo(forYes.falseDecisions, 9);
      expect([forNo.recall, forNo.precision]).not.toEqual([forYes.recall, forYes.precision]);
    }));

  test.each([
    [TEST.replace("strong", "stronk"), {}, /^TEST file: .*"strong" \(it has "stronk"\)/],
    [TEST, { labelColumn: "lable" }, /^TRAIN file "my train\.csv": .*Did you mean "label"\?/],
    [TEST, { positiveLabel: "maybe" }, /No row has the label "maybe"/],
    [`${TEST}1,2\n`, {}, /^TEST file: .*\b[Ll]ine 152\b/],
  ])("is in ERROR with the reason where a file or a wish cannot be used (%#)", (test, changes, reason) =>
    withJobState(async (jobs) => {
      const { key, state, errorReason } = await ended(jobs, SMALL_TRAIN, test, changes);
      expect(state).toBe("ERROR");
      expect(errorReason).toMatch(reason);
      expect(trailOf(jobs, key)).toEqual(["PENDING", "SETUP_READING", "ERROR"]);
      expect([filesIn(jobs, "journals"), filesIn(jobs, "files").length, jobs.faults]).toEqual([[], 2, []]);
    }),
  );

  test("tells nothing of the server where the fault is ours", () =>
    withJobState(async (jobs) => {
      const lost = addRefinement(jobs, SMALL_TRAIN, SMALL_TEST);
      const { path } = findRefinementFile(jobs.database, jobs.ann, lost, "TRAIN", "UPLOAD")!;
      rmSync(jobs.state.locate(path));
      await begin(jobs).flow;
      const unjournalled = addRefinement(jobs, SMALL_TRAIN, SMALL_TEST);
      mkdirSync(journalOf(jobs, unjournalled));
      await begin(jobs).flow;
      for (const key of [lost, unjournalled]) {
        const { state, errorReason } = refinementOf(jobs, key);
        expect([state, errorReason!.includes(jobs.folder)]).toEqual(["ERROR", false]);
      }
      expect(jobs.faults).toHaveLength(2);
    }));
});

describe("a refinement that is cancelled", () => {
  const PHASES = [/^SETUP_BUCKETING/, /^BASELINE_RUN/, /^REFINING_LOOP/] as const;

  test.each([null, ...PHASES])("in %p ends and leaves nothing", (phase) =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const key = addRefinement(jobs, TRAIN, TEST);
      const entered = phase === null ? Promise.resolve() : onceIn(jobs, phase);
      const { run, flow } = begin(jobs);
      await entered;
      expect(cancelRefinement(database, ann, key, new Date())).toBe("REQUESTED");
      cancelRun(run);
      await flow;
      expect(refinementOf(jobs, key)).toMatchObject({ state: "CANCELLED", cancelRequested: true, errorReason: null });
      expect([resultOf(jobs, key), filesIn(jobs, "files").length, filesIn(jobs, "journals")]).toEqual([null, 2, []]);
      expect(jobs.faults).toEqual([]);
    }),
  );
});

describe("a refinement that is interrupted", () => {
  test.each([
    ["numbers", TRAIN, TEST, [/^BASELINE_RUN_3/, /^REFINING_LOOP_3/, /^REFINING_LOOP_8/]],
    ["texts", TEXTS_TRAIN, TEXTS_TEST, [/^BASELINE_RUN_3/, /^REFINING_LOOP_3/, /^REFINING_LOOP_6/]],
  ])("again and again ends as if it had not been, and counts one by one all the same, of %s", async (...drawn) => {
    const [, train, test, states] = drawn;
    await withUnhurried(async (jobs) => {
      const key = addRefinement(jobs, train, test);
      const counts = hearCounts(jobs);
      for (const state of states) {
        const entered = onceIn(jobs, state);
        const { run, flow } = begin(jobs);
        await entered;
        suspendRun(run);
        await flow;
        expect(refinementOf(jobs, key)).toMatchObject({ finishedOn: null, claimed: true });
        expect(existsSync(journalOf(jobs, key))).toBeTrue();
        expect(recoverRefinements(jobs.database, new Date()).resumed).toEqual([key]);
      }
      await begin(jobs).flow;
      const written = counts();
      written.slice(1).forEach(({ completed, total }, index) => {
        expect([0, 1]).toContain(completed! - written[index]!.completed!);
        expect(total).toBe(written[0]!.total);
      });
      expect([written[0]!.completed, written.at(-1)!.completed]).toEqual([0, written[0]!.total]);
      const whole = await ended(jobs, train, test);
      const cut = refinementOf(jobs, key);
      expect(resultOf(jobs, key)).toEqual(resultOf(jobs, whole.key));
      expect([cut.baselineRows, cut.currentRows]).toEqual([whole.baselineRows, whole.currentRows]);
      expect([cut.state, cut.progressCompleted, cut.restarts]).toEqual([
        "REFINEMENT_COMPLETED",
        whole.progressTotal,
        3,
      ]);
      const trail = trailOf(jobs, key);
      expect(trail.join(" ")).toMatch(TRAIL);
      expect(new Set(trail).size).toBe(trail.length);
    });
  });
});

describe("a refinement whose time is up", () => {
  test("is a TIMEOUT without a result where nothing had been accepted", () =>
    withJobState(async (jobs) => {
      jobs.services = { ...jobs.services, timeCaps: { ...DEFAULT_TIME_CAPS, refinementSeconds: 0.001 } };
      const { key, state, errorReason } = await ended(jobs, SMALL_TRAIN, SMALL_TEST);
      expect([state, errorReason]).toEqual(["TIMEOUT", "The time limit of 0.001 s came first."]);
      expect([resultOf(jobs, key), filesIn(jobs, "files").length, filesIn(jobs, "journals")]).toEqual([null, 2, []]);
    }));

  test("gives what had been accepted, with files, though it was interrupted before", () =>
    withUnhurried(async (jobs) => {
      const files = [withNearCopy(TRAIN), withNearCopy(TEST)] as const;
      const whole = await ended(jobs, ...files);
      // The last loop drops near copies among the columns that were accepted: what there is no time for.
      const lastLoop = trailOf(jobs, whole.key).findLast((state) => state.startsWith("REFINING_LOOP"))!;
      const key = addRefinement(jobs, ...files);
      const entered = onceIn(jobs, new RegExp(`^${lastLoop}$`));
      const { run, flow } = begin(jobs);
      await entered;
      suspendRun(run);
      await flow;
      recoverRefinements(jobs.database, new Date());
      jobs.services = { ...jobs.services, timeCaps: { ...DEFAULT_TIME_CAPS, refinementSeconds: 0 } };
      await begin(jobs).flow;
      const { state, errorReason } = refinementOf(jobs, key);
      expect([state, errorReason]).toEqual(["TIMEOUT", expect.stringContaining("is kept")]);
      const result = resultOf(jobs, key)!;
      expect(result.partial).toBeTrue();
      const file = findRefinementFile(jobs.database, jobs.ann, key, "TRAIN", "RESULT")!;
      const [header] = readFileSync(jobs.state.locate(file.path), "utf8").split("\n");
      expect(header).toBe([...result.keptColumns, "label"].join(","));
      expect(jobs.faults).toEqual([]);
    }));
});
