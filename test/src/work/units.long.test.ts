// Units of work: remembered ones are not computed again, and those whose thread dies are.
import { describe, expect, test } from "bun:test";
import { type Journal, remembered, runUnit } from "../../../src/work/units.ts";
import { untilCancelled } from "../../../workers/messages.ts";
import { WorkerLost, WorkerPool } from "../../../workers/pool.ts";
import { fixtureTable } from "../../support/in-process.ts";
import { dyingWorkers } from "../../support/job-state.ts";
import { newFlag } from "../../support/refinery.ts";

function journalOf(entries: [string, unknown][] = []): Journal & { units: Map<string, unknown> } {
  const units = new Map(entries);
  return { units, find: (unitId) => units.get(unitId), append: (unitId, answer) => units.set(unitId, answer) };
}

describe("remembered", () => {
  test("gives what is known, computes what is not, and keeps it", async () => {
    const journal = journalOf([["a", 0]]);
    const never = (): number => {
      throw new Error("computed again");
    };
    expect(await remembered(journal, "a", never)).toBe(0);
    expect(await remembered(journal, "b", () => 2)).toBe(2);
    expect(await remembered(journal, "b", never)).toBe(2);
    expect(await remembered(null, "c", async () => 3)).toBe(3);
  });

  test("keeps nothing of what failed", async () => {
    const journal = journalOf();
    const failing = remembered(journal, "a", () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect([...journal.units.keys()]).toEqual([]);
  });
});

describe("a unit whose thread dies", () => {
  const read = async (deaths: number) => {
    const pool = new WorkerPool(dyingWorkers("readTable", deaths), 1);
    try {
      const request = { path: fixtureTable("penguins"), label: null, missingMarkers: null };
      return (await runUnit(pool, "readTable", request, untilCancelled(newFlag()))).table.rowCount;
    } finally {
      pool.close();
    }
  };

  test("is given out again twice", async () => {
    expect(await read(1)).toBe(344);
    expect(await read(2)).toBe(344);
  });

  test("is given up with the third thread", async () => {
    await expect(read(3)).rejects.toBeInstanceOf(WorkerLost);
  });
});
