// Refinements with real workers: decisions, the trail, progress, and what cancelling, time and restarts leave.

import { describe, expect, test } from "bun:test";
import type { PerformanceRecord } from "../../../data/database/records.ts";
import { Random } from "../../../engine/random.ts";
import type { RefineOutcome } from "../../../src/refining/refinement-job.ts";
import { noiseLevels } from "../../../src/report/refinement/noise-levels.ts";
import { knownTable, newFlag, noiseTable, silentListener, withRefinery } from "../../support/refinery.ts";

const TRAIN = knownTable(1_200, 1);
const TEST = knownTable(400, 2);

/** The trail of the contract, in order; each state may come any number of times in its place. */
const TRAIL = /^SETUP_BUCKETING MEASURE_INITIAL_THRESHOLD (BASELINE_RUN_\d+ ){3}(REFINING_LOOP_\d+ )+CREATING_RESULT $/;

/** Remembers answers as a journal does. */
function journalOf() {
  const units = new Map<string, unknown>();
  return {
    units,
    find: (unitId: string) => units.get(unitId),
    append: (unitId: string, answer: unknown) => {
      units.set(unitId, structuredClone(answer));
    },
  };
}

describe("a refinement", () => {
  test("keeps what carries signal and tells why the rest goes", () =>
    withRefinery(TRAIN, TEST, 2, async ({ run }) => {
      const { state, stateReason, columns, kept, checkpoints } = await run();
      expect([state, stateReason]).toEqual(["REFINEMENT_COMPLETED", "4 of 10 columns stay."]);
      expect(columns.map(({ name, decision, reason, with: other }) => [name, decision, reason, other])).toEqual([
        ["id", "REMOVE", "ID_LIKE", null],
        ["strong", "KEEP", "SIGNAL_UNIVARIATE", null],
        ["weak", "KEEP", "SIGNAL_UNIVARIATE", null],
        ["copy", "REMOVE", "DUPLICATE_OF", "strong"],
        ["left", "KEEP", expect.stringMatching(/^SIGNAL_(FOREST|INTERACTION)$/), null],
        ["right", "KEEP", expect.stringMatching(/^SIGNAL_(FOREST|INTERACTION)$/), null],
        ["noise1", "REMOVE", "NO_SIGNAL", null],
        ["noise2", "REMOVE", "NO_SIGNAL", null],
        ["noise3", "REMOVE", "NO_SIGNAL", null],
        ["always", "REMOVE", "CONSTANT", null],
      ]);
      expect([...kept!]).toEqual([1, 2, 4, 5]);
      expect(checkpoints.length).toBeLessThanOrEqual(3);
      const levels = noiseLevels(columns);
      for (const { importance, stability, decision, reason, evidence } of columns) {
        // The limits that the report names are those that decided.
        if (reason === "SIGNAL_UNIVARIATE") expect(evidence.pValue!).toBeLessThanOrEqual(levels.pValue);
        if (reason === "NO_SIGNAL") {
          expect(evidence.pValue!).toBeGreaterThan(levels.pValue);
          expect(evidence.permutationZ!).toBeLessThan(levels.permutationZ);
        }
        // Whatever was judged was shuffled, or has a reason.
        const { permutationZ, notShuffled } = evidence;
        expect(permutationZ === null && stability !== null).toBe(notShuffled !== null);
        if (decision === "KEEP" || reason === "NO_SIGNAL") {
          expect(importance).toBeWithin(0, 1);
          expect(stability).toBeWithin(0, 1.001);
        }
      }
    }));

  test("follows the trail, counts one by one up to its total, and never publishes worse rows", () =>
    withRefinery(TRAIN, TEST, 2, async ({ run }) => {
      const states: string[] = [];
      const counts: number[] = [];
      const totals = new Set<number>();
      const tables: (readonly PerformanceRecord[])[] = [];
      const outcome = await run({
        listener: {
          state: (name) => states.push(name),
          progress: (completed, total) => {
            counts.push(completed);
            totals.add(total);
          },
          rows: (baseline, current) => {
            expect(baseline).toEqual(tables[0] ?? baseline);
            tables.push(current);
          },
        },
      });
      expect(`${states.join(" ")} `).toMatch(TRAIL);
      expect(counts).toEqual(Array.from({ length: outcome.progressTotal! + 1 }, (_, count) => count));
      expect([...totals]).toEqual([outcome.progressTotal!]);
      expect(tables[0]).toEqual([...outcome.baseline]);
      expect(tables.at(-1)).toEqual([...outcome.current]);
      expect(tables.length).toBeGreaterThan(1);
      tables.slice(1).forEach((rows, index) => {
        for (const [place, { falseDecisions }] of tables[index]!.entries()) {
          expect(rows[place]!.falseDecisions).toBeLessThanOrEqual(falseDecisions);
        }
      });
      for (const rows of tables) {
        expect(rows.map((row) => row.best)).toEqual(rows.map((_, index) => index === 0));
        expect(rows.length).toBeLessThanOrEqual(3);
      }
    }));

  test("decides alike on any number of threads, and by the seed alone", async () => {
    const outcomes: unknown[] = [];
    for (const workers of [1, 2, 7]) {
      await withRefinery(TRAIN, TEST, workers, async ({ run }) => {
        const { budgetSeconds: _, ...outcome } = await run();
        outcomes.push(outcome);
      });
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
  });

  test("keeps all where nothing carries signal, and where rows are few", async () => {
    await withRefinery(noiseTable(600, 3), noiseTable(200, 4), 2, async ({ run }) => {
      const { columns, reachedTarget, baselineTarget } = await run();
      expect(columns.map(({ decision, reason }) => [decision, reason])).toEqual(
        columns.map(() => ["KEEP", "KEPT_NO_SIGNAL_FOUND"]),
      );
      expect([reachedTarget, baselineTarget]).toEqual([null, null]);
    });
    await withRefinery(knownTable(120, 5), TEST, 1, async ({ run }) => {
      const { columns } = await run();
      expect(new Set(columns.map(({ reason }) => reason))).toEqual(
        new Set(["ID_LIKE", "KEPT_FEW_ROWS", "DUPLICATE_OF", "CONSTANT"]),
      );
    });
    for (const [rareRows, isJudged] of [
      [24, false],
      [25, true],
    ] as const) {
      await withRefinery(withRareLabel(TRAIN, rareRows), withRareLabel(TEST, 10), 1, async ({ run }) => {
        const { columns } = await run();
        expect(columns.some(({ reason }) => reason === "KEPT_FEW_ROWS")).toBe(!isJudged);
      });
    }
  });

  test("keeps both of two near copies where only their difference tells the label", async () => {
    const orders = (rowCount: number, seed: number) => {
      const random = new Random(seed);
      const rows = Array.from({ length: rowCount }, () => {
        const first = random.nextBelow(100_000);
        const days = 1 + random.nextBelow(20);
        return `${first},${first + days},${random.nextBelow(50)},${days > 10 ? "late" : "in time"}`;
      });
      return ["ordered,due,amount,label", ...rows, ""].join("\n");
    };
    await withRefinery(orders(400, 1), orders(150, 2), 2, async ({ run }) => {
      const { columns } = await run();
      expect(columns.map(({ name, decision, reason, with: other }) => [name, decision, reason, other])).toEqual([
        ["ordered", "KEEP", "SIGNAL_UNIVARIATE", "due"],
        ["due", "KEEP", "SIGNAL_UNIVARIATE", "ordered"],
        ["amount", "REMOVE", "NO_SIGNAL", null],
      ]);
    });
  });

  test("flags a column that gives the label away, or removes it where asked to", async () => {
    const leaking = (table: string) =>
      table.replaceAll(
        /^(.*),(yes|no|label)$/gm,
        (_, cells, label) => `${cells},${label === "label" ? "leak" : label[0]},${label}`,
      );
    await withRefinery(leaking(TRAIN), leaking(TEST), 2, async ({ run }) => {
      const decisionOn = async (removeLeaks: boolean) =>
        (await run({}, { removeLeaks })).columns.find(({ name }) => name === "leak")!;
      expect(await decisionOn(false)).toMatchObject({
        decision: "KEEP",
        reason: "KEPT_SUSPECT",
        flags: ["TARGET_LEAK_SUSPECT"],
      });
      expect(await decisionOn(true)).toMatchObject({ decision: "REMOVE", reason: "TARGET_LEAK" });
    });
  });
});

describe("a refinement that is stopped", () => {
  /** Never stopped; one for all phases, since a refinement is the same each time. */
  let whole: RefineOutcome | null = null;
  const PHASES = ["SETUP_BUCKETING", "BASELINE_RUN_1", "REFINING_LOOP_1", "REFINING_LOOP_3", "CREATING_RESULT"];

  test.each(PHASES)("by a cancellation in %s is cancelled, and goes on from its finished units", (phase) =>
    withRefinery(TRAIN, TEST, 2, async ({ run, pool }) => {
      const journal = journalOf();
      const cancelFlag = newFlag();
      const states: string[] = [];
      const state = (name: string) => {
        states.push(name);
        if (name === phase) queueMicrotask(() => pool.cancel(cancelFlag));
      };
      const stopped = await run({ journal, cancelFlag, listener: { ...silentListener, state } });
      if (phase !== "CREATING_RESULT") {
        expect([stopped.state, stopped.kept, stopped.columns]).toEqual(["CANCELLED", null, []]);
        // The models of a baseline may be done when it begins: then the loops have begun as well.
        const last = phase === "BASELINE_RUN_1" ? "(BASELINE_RUN|REFINING_LOOP)_" : phase.replace(/\d+$/, "");
        expect(states.at(-1)).toMatch(new RegExp(`^${last}`));
      }
      const before = new Map(journal.units);
      const resumed = await run({ journal });
      expect(resumed.state).toBe("REFINEMENT_COMPLETED");
      for (const [unitId, answer] of before) expect(journal.units.get(unitId)).toEqual(answer);
      whole ??= await run();
      expect({ ...resumed, budgetSeconds: null }).toEqual({ ...whole, budgetSeconds: null });
    }),
  );

  test("computes nothing again that its journal holds", () =>
    withRefinery(TRAIN, TEST, 2, async ({ run }) => {
      const journal = journalOf();
      await run({ journal });
      const known = journal.units.size;
      let appended = 0;
      const reading = { find: journal.find, append: () => appended++ };
      await run({ journal: reading });
      expect([known > 40, appended]).toEqual([true, 0]);
    }));

  test("by its time limit says so, without an answer where none had been accepted", () =>
    withRefinery(TRAIN, TEST, 2, async ({ run }) => {
      const { state, stateReason, kept, partial, progressCompleted, progressTotal } = await run(
        { startMs: performance.now() - 60_000 },
        { timeLimitSeconds: 60 },
      );
      expect([state, kept, partial]).toEqual(["TIMEOUT", null, false]);
      expect(stateReason).toContain("60 s");
      expect([progressCompleted, progressTotal]).toEqual([0, null]);
    }));

  test("by a fault of a unit ends in ERROR", () =>
    withRefinery(TRAIN, TEST, 1, async ({ run }) => {
      const journal = {
        find: () => undefined,
        append: () => {
          throw new Error("no space left on the disk");
        },
      };
      const { state, stateReason } = await run({ journal });
      expect([state, stateReason]).toEqual(["ERROR", "no space left on the disk"]);
    }));
});

/** The table with so many of its rows of the label yes, and all others. */
function withRareLabel(table: string, rareRows: number): string {
  let rareCount = 0;
  const lines = table.trimEnd().split("\n");
  return `${lines.filter((line) => !line.endsWith(",yes") || ++rareCount <= rareRows).join("\n")}\n`;
}
