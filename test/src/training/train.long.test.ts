// Training that remembers: a run that was cut ends in the same versions, and is
// told of as it goes; threads that die cost nothing.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { confirmingParts } from "../../../engine/splits/holdout.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { silentProgress } from "../../../src/progress/progress-view.ts";
import { summariseAttempt } from "../../../src/training/attempt-summary.ts";
import type {
  EndedAttempt,
  FinishedAttempt,
  FinishedOutcome,
  TrainListener,
  TrainOptions,
} from "../../../src/training/competition-state.ts";
import { type TrainContext, type TrainResult, train } from "../../../src/training/train.ts";
import { newJobControl } from "../../../src/work/job-control.ts";
import type { Journal } from "../../../src/work/units.ts";
import { type TableAnswer, untilCancelled } from "../../../workers/messages.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { testFolder } from "../../support/folders.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { dyingWorkers } from "../../support/job-state.ts";
import { knownTable, newFlag } from "../../support/refinery.ts";
import { csvOf } from "../../support/text-models.ts";
import { drawTexts } from "../../support/text-tables.ts";

const OPTIONS: TrainOptions = { numberOfBuckets: 10, scalingFactor: 3, target: null, timeLimitSeconds: 600, seed: 3 };

const folder = testFolder();
let source: TableAnswer;
/** A run that nothing happened to. */
let whole: Outcome;

beforeAll(async () => {
  const path = join(folder, "table.csv");
  writeFileSync(path, knownTable(100, 1));
  const pool = new WorkerPool(spawnWorker, 1);
  source = await pool.run("readTable", { path, label: null, missingMarkers: null }, untilCancelled(newFlag()));
  pool.close();
  whole = await trained();
});

/** A journal that keeps copies, as a journal does. */
function newJournal(units = new Map<string, unknown>()): Journal & { units: Map<string, unknown> } {
  return {
    units,
    find: (unitId) => structuredClone(units.get(unitId)),
    append: (unitId, answer) => units.set(unitId, structuredClone(answer)),
  };
}

interface Outcome {
  result: TrainResult;
  /** Hashes of the model files, by version. */
  files: Record<number, number | bigint>;
}

async function trained(
  changes: Partial<TrainContext> = {},
  options: Partial<TrainOptions> = {},
  spawn = spawnWorker,
  table: TableAnswer = source,
): Promise<Outcome> {
  const pool = changes.pool ?? new WorkerPool(spawn, 2);
  const files: Outcome["files"] = {};
  try {
    const result = await train(
      table,
      { ...OPTIONS, ...options },
      {
        pool,
        progress: silentProgress,
        control: newJobControl(),
        keeper: {
          describe: (kept) => ({
            lineage: { version: kept.version } as never,
            label: table.label,
            labels: table.table.labels,
            positiveLabel: null,
            missingMarkers: [],
            columns: [],
          }),
          store: async (kept, bytes) => {
            files[kept.version] = Bun.hash(bytes);
          },
        },
        journal: null,
        listener: null,
        closingReason: null,
        ...changes,
      },
    );
    return { result, files };
  } finally {
    pool.close();
  }
}

/** What must not depend on how often a run was cut. */
function essence({ result: { competition, versions, baselines }, files }: Outcome) {
  const judged = ({ spec, outcome }: EndedAttempt) => {
    const { seconds: _, ...scores } = outcome.status === "finished" ? outcome.answer : { seconds: 0, ...outcome };
    return [spec.attempt, scores];
  };
  return {
    status: competition.status,
    records: competition.records.map(judged),
    versions: versions.map(({ attempt, confirmed, confirmations, effects }) => [
      attempt.attempt,
      ...[confirmed, confirmations, effects],
    ]),
    baselines: baselines.map(({ which, outcome }) => [which, outcome.status]),
    files,
  };
}

/** A listener that gives up the run after so many attempts. */
function stopAfter(attempts: number, pool: WorkerPool, control: TrainContext["control"]): TrainListener {
  let left = attempts;
  return {
    plan: () => {},
    attempt: () => {
      if (--left > 0) return;
      pool.cancel(control.stopFlag);
      pool.cancel(control.giveUpFlag);
    },
  };
}

describe("a table of more rows than its search", () => {
  let large: TableAnswer;
  beforeAll(async () => {
    const path = join(folder, "large.csv");
    writeFileSync(path, knownTable(3_000, 2));
    const pool = new WorkerPool(spawnWorker, 1);
    large = await pool.run("readTable", { path, label: null, missingMarkers: null }, untilCancelled(newFlag()));
    pool.close();
  });

  test("is searched on a sample, and its champion learns from more rows", async () => {
    const { result } = await trained({}, { searchRows: 300 }, spawnWorker, large);
    const { task, competition, versions } = result;
    expect(task.table.rowCount).toBeLessThan(700);
    const [champion, ...others] = versions;
    expect(champion!.attempt.answer.learnedRows).toBeGreaterThan(300);
    expect(champion!.bases).not.toBeUndefined();
    for (const { bases, attempt } of others) {
      expect(bases).toBeUndefined();
      expect(attempt.answer.learnedRows).toBe(task.split.learning.length);
    }
    for (const record of competition.records) {
      expect(summariseAttempt(record, { finalist: false, version: null }).note).toMatch(/^learned from \d+ rows/);
    }
    expect(champion!.attempt.decisions).toHaveLength(task.split.judging.length);
  });

  test("keeps the versions of the sample where no time is left to grow", async () => {
    const pool = new WorkerPool(spawnWorker, 2);
    const control = newJobControl();
    const listener: TrainListener = {
      plan: () => {},
      attempt: ({ spec }) => {
        if (spec.attempt === 4) Atomics.store(control.stopFlag, 0, 1);
      },
    };
    const { result } = await trained({ pool, control, listener }, { searchRows: 300 }, spawnWorker, large);
    expect(result.competition.status).toBe("CANCELLED");
    expect(result.versions.length).toBeGreaterThan(0);
    expect(result.versions.every(({ bases }) => bases === undefined)).toBe(true);
  });
});

test("a version's curves begin with its most important columns, whose rows are those of the table", async () => {
  const { result } = await trained();
  for (const { confirmations, effects } of result.versions) {
    const losses = new Map<number, number>();
    for (const { importance } of confirmations) {
      for (const { column, loss } of importance) losses.set(column, (losses.get(column) ?? 0) + loss);
    }
    const measured = effects.map(({ column }) => losses.get(column)!);
    expect(measured.length).toBeGreaterThan(1);
    expect(measured).toEqual(measured.toSorted((a, b) => b - a));
    for (const { kind, points, method } of effects) {
      const rows = points.reduce((sum, point) => sum + point.rows, 0);
      if (kind === "number" && method === "partial dependence") expect(rows).toBe(source.table.rowCount);
      expect(rows).toBeLessThanOrEqual(source.table.rowCount);
    }
  }
});

describe("a training run with a journal", () => {
  test.each(["attempt 1", "attempt 6", "attempt 20", "attempt 21", "confirm"])(
    "ends with the fault of a full disk at %s",
    async (at) => {
      const journal = newJournal();
      const append = (unitId: string, answer: unknown) => {
        if (unitId.startsWith(at)) throw new Error("no space left");
        journal.append(unitId, answer);
      };
      // A rejection that nobody hears fails the test, and ends a server. The second round begins with attempt 21.
      await expect(trained({ journal: { ...journal, append } }, { scalingFactor: 22 })).rejects.toThrow(
        "no space left",
      );
    },
  );

  test("computes nothing again that it holds, and comes to the same", async () => {
    const journal = newJournal();
    const first = await trained({ journal });
    expect([...journal.units.keys()].filter((unitId) => unitId.startsWith("attempt"))).toHaveLength(4);
    const { task, versions } = first.result;
    const confirmations = confirmingParts(task.parts).length * versions.length;
    expect([...journal.units.keys()].filter((unitId) => unitId.startsWith("confirm"))).toHaveLength(confirmations);
    const known = journal.units.size;
    const appended: string[] = [];
    const second = await trained({ journal: { find: journal.find, append: (unitId) => appended.push(unitId) } });
    expect(appended).toEqual([]);
    expect(known).toBe(4 + confirmations + 3);
    expect(essence(second)).toEqual(essence(first));
    expect(second.result.competition.records.map(({ outcome }) => outcome)).toEqual(
      first.result.competition.records.map(({ outcome }) => outcome),
    );
  });

  test.each([1, 3])("ends in the same versions when it was cut after %i attempts", async (attempts) => {
    const journal = newJournal();
    const pool = new WorkerPool(spawnWorker, 2);
    const control = newJobControl();
    const cut = trained({ journal, pool, control, listener: stopAfter(attempts, pool, control) });
    const outcome = await cut.catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Cancelled);
    const finished = [...journal.units.keys()].filter((unitId) => unitId.startsWith("attempt")).length;
    expect(finished).toBeWithin(attempts, 5);
    expect([...journal.units].filter(([, answer]) => JSON.stringify(answer).includes("stopped"))).toEqual([]);
    expect(essence(await trained({ journal }))).toEqual(essence(whole));
  });

  test("makes a round whole that was cut, though what is left of it reaches the target", async () => {
    const journal = newJournal();
    const options = { target: 0.55 };
    const first = await trained({ journal }, options);
    expect(first.result.competition.records).toHaveLength(4);
    for (const unitId of [...journal.units.keys()]) if (unitId !== "attempt 1") journal.units.delete(unitId);
    expect(essence(await trained({ journal }, options))).toEqual(essence(first));
  });

  test("ends weak attempts alike when it was cut among them, and none of them is a finalist or in a stack", async () => {
    const journal = newJournal();
    const options = { scalingFactor: 19 };
    const first = await trained({ journal }, options);
    const { records, finalists } = first.result.competition;
    const early = records.flatMap(({ spec, outcome }) =>
      outcome.status === "finished" && outcome.answer.earlyEnd !== undefined ? [spec.attempt] : [],
    );
    expect(early.length).toBeGreaterThan(0);
    const used = finalists.flatMap(({ attempt, settings }) => [
      attempt,
      ...(settings.algorithm === "stack" ? settings.members.map((member) => member.attempt) : []),
    ]);
    expect(used.filter((attempt) => early.includes(attempt))).toEqual([]);
    const weak = records.filter(({ spec }) => spec.isWeak).map(({ spec }) => spec.attempt);
    const isKept = (unitId: string) => !weak.slice(2).some((attempt) => unitId === `attempt ${attempt}`);
    const cut = newJournal(new Map([...journal.units].filter(([unitId]) => isKept(unitId))));
    expect(essence(await trained({ journal: cut }, options))).toEqual(essence(first));
  }, 300_000);

  test("keeps what had finished though its time is up when it goes on", async () => {
    const journal = newJournal();
    await trained({ journal });
    for (const unitId of [...journal.units.keys()]) {
      if (unitId.startsWith("confirm") || unitId === "attempt 4") journal.units.delete(unitId);
    }
    const { result } = await trained({ journal, control: newJobControl(performance.now() - 601_000) });
    expect(result.competition.status).toBe("TIMED_OUT");
    expect(result.competition.records).toHaveLength(3);
    expect(result.versions.length).toBeGreaterThan(0);
    expect(result.versions.map(({ confirmed }) => confirmed)).toEqual(result.versions.map(() => null));
  });

  test("ends with the fault of a journal that cannot be written to", async () => {
    const append = () => {
      throw new Error("no space left on the disk");
    };
    await expect(trained({ journal: { find: () => undefined, append } })).rejects.toThrow("no space left");
  });
});

describe("a training run of texts", () => {
  const texts = readCsvText(csvOf(drawTexts(300, 3, 5)));
  const options = { scalingFactor: 5 };
  const ofTexts = (changes: Partial<TrainContext> = {}) => trained(changes, options, spawnWorker, texts);

  test("makes the same files with one thread and with four, though it was cut anywhere", async () => {
    const pool = new WorkerPool(spawnWorker, 1);
    const journal = newJournal();
    const first = await ofTexts({ pool, journal });
    const algorithms = first.result.competition.records.map(({ spec }) => spec.settings.algorithm);
    expect(algorithms.filter((name) => name.endsWith("of terms")).length).toBeGreaterThan(1);
    expect(Object.keys(first.files).length).toBeGreaterThan(0);
    expect(essence(await ofTexts({ pool: new WorkerPool(spawnWorker, 4) }))).toEqual(essence(first));
    const units = [...journal.units];
    for (const share of [1 / 4, 2 / 3]) {
      const known = newJournal(new Map(units.slice(0, Math.floor(share * units.length))));
      expect(essence(await ofTexts({ journal: known }))).toEqual(essence(first));
    }
  }, 120_000);
});

describe("a target", () => {
  test("that guessing reaches ends no run, and the run says so", async () => {
    const notes: string[] = [];
    const progress = { ...silentProgress, note: (line: string) => notes.push(line) };
    const { result } = await trained({ progress }, { target: 0.5, scalingFactor: 20 });
    expect([result.competition.status, result.competition.records.length]).toEqual(["COMPLETED", 21]);
    expect(notes).toEqual([
      'warning: The target of 0.5 is no more than guessing: always answering "yes" reaches 50.0%. The run does not end for it.',
    ]);
    const above = await trained({}, { target: 0.51, scalingFactor: 20 });
    expect(above.result.competition.records).toHaveLength(20);
  });
});

describe("a run that is cut", () => {
  const stoppedOf = ({ result }: Outcome) =>
    result.competition.records.flatMap(({ spec, outcome }) => (outcome.status === "stopped" ? [spec.attempt] : []));

  test.each([1, 2, 3])("by a request makes a model of the %i attempts that had finished", async (attempts) => {
    const pool = new WorkerPool(spawnWorker, 2);
    const control = newJobControl();
    const counts: number[] = [];
    const progress = { ...silentProgress, attempts: (done: number) => counts.push(done) };
    let finished = 0;
    const listener: TrainListener = {
      plan: () => {},
      attempt: ({ outcome }) => {
        if (outcome.status === "finished" && ++finished === attempts) pool.cancel(control.stopFlag);
      },
    };
    const outcome = await trained({ pool, control, listener, progress }, { scalingFactor: 19 });
    const { competition, versions } = outcome.result;
    expect([competition.status, competition.statusReason]).toEqual([
      "CANCELLED",
      "The run was stopped; what had finished was kept.",
    ]);
    expect(versions.length).toBeWithin(1, finished + 1);
    expect(Object.keys(outcome.files)).toHaveLength(versions.length);
    // What was under way is not among the attempts that are said to be done.
    expect(counts).toEqual(Array.from({ length: finished }, (_, index) => index + 1));
    for (const { outcome } of competition.records) {
      if (outcome.status === "stopped") expect(outcome.note).toBe("the run was stopped");
    }
  });

  test("by its time keeps forests of some trees, and calls all others not finished", async () => {
    // Every thread has an attempt when the time is up: before any of them has begun.
    const pool = new WorkerPool(spawnWorker, 7);
    const control = newJobControl(performance.now() - 601_000);
    const outcome = await trained({ pool, control }, { scalingFactor: 19 });
    const { records, finalists, status, statusReason } = outcome.result.competition;
    const bases = records.filter(({ spec }) => spec.settings.algorithm !== "stack");
    expect(bases.map(({ spec }) => spec.attempt)).toEqual([1, 2, 3, 4, 5, 7, 8]);
    for (const { spec, outcome: came } of bases) {
      if (spec.settings.algorithm !== "forest") {
        expect(came).toEqual({ status: "stopped", note: "not finished in time" });
      } else {
        const settings = came.status === "finished" ? came.answer.settings : null;
        expect(settings).toMatchObject({ algorithm: "forest", treeCount: 20 });
      }
    }
    expect([status, statusReason]).toEqual(["TIMED_OUT", "The time limit of 600 s came after 3 of 20 attempts."]);
    const used = finalists.flatMap(({ attempt, settings }) => [
      attempt,
      ...(settings.algorithm === "stack" ? settings.members.map((member) => member.attempt) : []),
    ]);
    expect(used.filter((attempt) => stoppedOf(outcome).includes(attempt))).toEqual([]);
    expect(outcome.result.versions.length).toBeGreaterThan(0);
  });

  test("has no finalist of a stack that a member of it beats, which is the champion", async () => {
    const journal = newJournal();
    const options = { scalingFactor: 19 };
    const before = await trained({ journal }, options);
    const stack = before.result.competition.finalists.find(({ settings }) => settings.algorithm === "stack")!;
    const unit = structuredClone(journal.units.get(`attempt ${stack.attempt}`)) as FinishedOutcome;
    unit.answer.betterMember = { attempt: 1, logLoss: unit.answer.outOfFoldLogLoss - 0.01 };
    journal.units.set(`attempt ${stack.attempt}`, unit);
    const { records, finalists, ranked } = (await trained({ journal }, options)).result.competition;
    expect(finalists.map(({ attempt }) => attempt)).not.toContain(stack.attempt);
    expect(before.result.competition.ranked[0]).toBe(stack);
    expect(ranked[0]!.attempt).toBe(1);
    const record = records.find(({ spec }) => spec.attempt === stack.attempt)!;
    expect(summariseAttempt(record, { finalist: false, version: null }).note).toMatch(
      /^no finalist: out of fold its log-loss is [\d.]+; attempt 1, one of its members, has [\d.]+$/,
    );
  }, 60_000);
});

describe("a listener", () => {
  test("hears of the plan, of every attempt once, and of a best that never gets worse", async () => {
    const plans: [number, number][] = [];
    const heard: number[] = [];
    const bests: FinishedAttempt[] = [];
    const journal = newJournal();
    const listener: TrainListener = {
      plan: (...plan) => plans.push(plan),
      attempt: ({ spec }, best) => {
        heard.push(spec.attempt);
        expect(journal.units.has(`attempt ${spec.attempt}`)).toBeTrue();
        if (best !== null) bests.push(best);
      },
    };
    const { result } = await trained({ journal, listener });
    const { split, table } = result.task;
    const shares = table.labels.map(
      (_, code) => split.judging.filter((row) => table.classes[row] === code).length / split.judging.length,
    );
    expect(plans).toEqual([[4, expect.any(Number)]]);
    expect(shares).toContain(plans[0]![1]);
    expect(heard.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    const wrong = bests.map(({ falseDecisions }) => falseDecisions);
    expect(wrong).toEqual(wrong.toSorted((a, b) => b - a));
    const all = result.competition.records.flatMap(({ outcome }) =>
      outcome.status === "finished" ? [outcome.answer.holdout.falseDecisions] : [],
    );
    expect(wrong.at(-1)).toBe(Math.min(...all));
  });

  test("hears of remembered attempts first", async () => {
    const journal = newJournal();
    await trained({ journal });
    journal.units.delete("attempt 2");
    const heard: number[] = [];
    await trained({ journal, listener: { plan: () => {}, attempt: ({ spec }) => heard.push(spec.attempt) } });
    expect(heard).toEqual([1, 3, 4, 2]);
  });
});

describe("threads that die", () => {
  const KINDS = ["qualify", "confirm", "fit", "pack", "baseline"] as const;

  test.each(KINDS)("of %s, twice, change nothing", async (work) => {
    expect(essence(await trained({}, {}, dyingWorkers(work, 2)))).toEqual(essence(whole));
  });

  test("of one confirmation again and again leave its version unconfirmed", async () => {
    const { result } = await trained({}, {}, dyingWorkers("confirm", 1_000));
    expect(result.versions.map(({ confirmed }) => confirmed)).toEqual(result.versions.map(() => null));
    expect(result.versions.length).toBeGreaterThan(0);
  });

  test("of every attempt leave no version", async () => {
    const { result } = await trained({}, { scalingFactor: 0 }, dyingWorkers("qualify", 1_000));
    expect(result.competition.records.map(({ outcome }) => outcome.status)).toEqual(["failed", "failed", "failed"]);
    expect(result.versions).toEqual([]);
  });
});
