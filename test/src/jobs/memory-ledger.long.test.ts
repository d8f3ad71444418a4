// The ledger of memory: all holdings together stay within it, and a job that waits has its turn.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JobWeight } from "../../../src/common/memory-budget.ts";
import { MemoryLedger } from "../../../src/jobs/memory-ledger.ts";

const LIMITS = { jobBytes: { light: 100, heavy: 80 } };
const heavy = (key: string, bytes: number) => ({ key, weight: "heavy", bytes }) as const;
const light = (key: string, bytes: number) => ({ key, weight: "light", bytes }) as const;

describe("the ledger", () => {
  test("lets jobs begin while there is memory, and again once there is", () => {
    const ledger = new MemoryLedger(LIMITS);
    expect([ledger.take(heavy("a", 50)), ledger.take(heavy("b", 40))]).toEqual([true, false]);
    ledger.release("a");
    expect(ledger.take(heavy("b", 40))).toBeTrue();
  });

  test("keeps a part that heavy jobs never have", () => {
    const ledger = new MemoryLedger(LIMITS);
    expect(ledger.take(heavy("a", 80))).toBeTrue();
    expect([ledger.take(heavy("b", 10)), ledger.take(light("c", 20)), ledger.take(light("d", 1))]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("keeps memory for the first that waits: others begin beside it, and never in its place", () => {
    const ledger = new MemoryLedger(LIMITS);
    ledger.take(heavy("old", 30));
    expect(ledger.take(heavy("large", 70))).toBeFalse();
    expect([ledger.take(heavy("small", 20)), ledger.take(light("also small", 20))]).toEqual([false, true]);
    expect(ledger.take(light("one more", 20))).toBeFalse();
    ledger.release("old");
    expect(ledger.take(heavy("large", 70))).toBeTrue();
    expect(ledger.take(heavy("small", 10))).toBeTrue();
  });

  test("keeps nothing for a job that is not next any more", () => {
    const ledger = new MemoryLedger(LIMITS);
    ledger.take(heavy("old", 30));
    ledger.take(heavy("large", 70));
    ledger.keepOnlyFor(["large"]);
    expect(ledger.take(heavy("small", 20))).toBeFalse();
    ledger.keepOnlyFor(["small"]);
    expect(ledger.take(heavy("small", 20))).toBeTrue();
  });

  test("corrects what a job has where there is room, and not at the cost of one that waits", () => {
    const ledger = new MemoryLedger(LIMITS);
    ledger.take(heavy("old", 30));
    ledger.take(heavy("large", 60));
    ledger.take(heavy("later", 20));
    expect([ledger.correct("later", 21), ledger.correct("later", 10), ledger.correct("later", 20)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([ledger.correct("old", 61), ledger.correct("old", 60), ledger.correct("nobody", 1)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("never has more out than it may, and starves nobody, whatever jobs come and go", () => {
    const asked = fc.record({
      weight: fc.constantFrom<JobWeight>("heavy", "light"),
      bytes: fc.integer({ min: 1, max: 80 }),
    });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 80 }), (jobs, ends) => {
        const ledger = new MemoryLedger(LIMITS);
        const waiting = jobs.map((job, index) => ({ ...job, key: `${index}` }));
        const running = new Map<string, (typeof waiting)[number]>();
        const sumOf = (weight?: JobWeight) =>
          [...running.values()].reduce(
            (sum, job) => sum + (weight === undefined || job.weight === weight ? job.bytes : 0),
            0,
          );
        const begin = () => {
          for (const job of [...waiting]) {
            if (!ledger.take(job)) continue;
            waiting.splice(waiting.indexOf(job), 1);
            running.set(job.key, job);
            expect(sumOf()).toBeLessThanOrEqual(LIMITS.jobBytes.light);
            expect(sumOf("heavy")).toBeLessThanOrEqual(LIMITS.jobBytes.heavy);
          }
        };
        begin();
        for (const end of [...ends, ...jobs.map(() => 0)]) {
          const key = [...running.keys()][end % Math.max(1, running.size)];
          if (key === undefined) continue;
          ledger.release(key);
          running.delete(key);
          begin();
        }
        expect([waiting.length, running.size]).toEqual([0, 0]);
      }),
    );
  });
});
