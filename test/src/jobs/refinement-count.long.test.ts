// The count of a refinement's units: one by one up to a total that stands,
// whatever the table, its time and its restarts.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import type { RefineOutcome } from "../../../src/refining/refinement-job.ts";
import type { Journal } from "../../../src/work/units.ts";
import { type RefineryFixture, silentListener, withRefinery } from "../../support/refinery.ts";

type ColumnKind = "signal" | "pair" | "copy" | "noise" | "category" | "constant" | "identifier";

interface Drawn {
  rowCount: number;
  kinds: readonly ColumnKind[];
  seed: number;
  /** The estimate is 30 s and more: 45 s are short, 600 s are not. */
  timeLimitSeconds: 45 | 600;
  /** How much of the time is over at the start: nearly all of it leaves no more than a first round. */
  spentSeconds: 0 | 44.5;
}

const KINDS = ["signal", "pair", "copy", "noise", "category", "constant", "identifier"] as const;

const drawn: fc.Arbitrary<Drawn> = fc.record({
  rowCount: fc.oneof(fc.integer({ min: 60, max: 240 }), fc.integer({ min: 260, max: 700 })),
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 9 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
  timeLimitSeconds: fc.constantFrom(45, 600),
  spentSeconds: fc.constantFrom(0, 44.5),
});

function tableOf({ kinds }: Drawn, rowCount: number, seed: number): string {
  const random = new Random(seed);
  const lines = [[...kinds.map((kind, index) => `${kind}${index}`), "label"].join(",")];
  for (let row = 0; row < rowCount; row++) {
    const [signal, left, right] = [random.nextFloat(), random.nextBelow(2), random.nextBelow(2)];
    const cells = kinds.map((kind, index) => {
      if (kind === "signal") return (signal + index).toFixed(4);
      if (kind === "pair") return index % 2 === 0 ? left : right;
      if (kind === "copy") return (3 - 2 * signal).toFixed(4);
      if (kind === "noise") return random.nextFloat().toFixed(3);
      if (kind === "category") return "abcde"[random.nextBelow(5)];
      return kind === "constant" ? "same" : 1_000 + row;
    });
    const label = signal + 0.6 * (left ^ right) + 0.4 * random.nextFloat() > 1 ? "yes" : "no";
    lines.push([...cells, label].join(","));
  }
  return `${lines.join("\n")}\n`;
}

interface Heard {
  outcome: RefineOutcome;
  /** Completed and total as they were told, with the number of units that had finished by then. */
  steps: { completed: number; total: number; unitCount: number }[];
}

/** A run that hears its count; files are written as the last unit. */
async function hear(
  { run }: RefineryFixture,
  { timeLimitSeconds, spentSeconds }: Drawn,
  journal: Journal,
): Promise<Heard> {
  let unitCount = 0;
  const steps: Heard["steps"] = [];
  const outcome = await run(
    {
      startMs: performance.now() - (timeLimitSeconds === 45 ? spentSeconds * 1_000 : 0),
      journal: {
        find: journal.find,
        append: (unitId, answer) => {
          unitCount++;
          journal.append(unitId, answer);
        },
      },
      listener: { ...silentListener, progress: (completed, total) => steps.push({ completed, total, unitCount }) },
      writeFiles: async () => {
        unitCount++;
      },
    },
    { timeLimitSeconds },
  );
  return { outcome, steps };
}

/** Each step is one more than the one before, of one total. */
function expectSteps({ steps }: Heard, total: number | null): void {
  expect(steps.map(({ completed }) => completed)).toEqual(steps.map((_, index) => index));
  expect(new Set(steps.map((step) => step.total))).toEqual(new Set(steps.length === 0 ? [] : [total!]));
}

/**
 * No step is told before its unit has finished. Several may be told at once: those of models that ended before the
 * total was known, and of rounds that ended before an earlier one.
 */
function expectUnits({ steps }: Heard): void {
  for (const { completed, unitCount } of steps) expect(unitCount).toBeGreaterThanOrEqual(completed);
}

/** So many columns that a screen goes first. */
const WIDE: Drawn = {
  ...{ rowCount: 260, seed: 5, timeLimitSeconds: 600, spentSeconds: 0 },
  kinds: Array.from({ length: 160 }, (_, index) => (index < 3 ? "signal" : "noise")),
};

test("rises by one with finished units, up to a total that stands, through a restart after every unit", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (table) => {
      await withRefinery(
        tableOf(table, table.rowCount, table.seed),
        tableOf(table, 80, table.seed + 1),
        2,
        async (refinery) => {
          const units = new Map<string, unknown>();
          const journal = {
            find: (unitId: string) => units.get(unitId),
            append: (unitId: string, answer: unknown) => units.set(unitId, structuredClone(answer)),
          };
          const whole = await hear(refinery, table, journal);
          const { state, progressCompleted, progressTotal } = whole.outcome;
          expect(["REFINEMENT_COMPLETED", "TIMEOUT"]).toContain(state);
          expectSteps(whole, progressTotal);
          expectUnits(whole);
          if (state === "REFINEMENT_COMPLETED") expect(progressCompleted).toBe(progressTotal!);
          const known = [...units.keys()];
          for (let kept = 0; kept <= known.length; kept++) {
            const before = new Set(known.slice(0, kept));
            const killed = await hear(refinery, table, {
              find: (unitId) => {
                if (!before.has(unitId)) throw new Error("killed");
                return units.get(unitId);
              },
              append: () => undefined,
            });
            expectSteps(killed, progressTotal);
            expect(killed.outcome.progressCompleted).toBeLessThanOrEqual(progressCompleted);
          }
        },
      );
    }),
    { numRuns: 5, seed: 21, endOnFailure: true, examples: [[WIDE]] },
  );
});
