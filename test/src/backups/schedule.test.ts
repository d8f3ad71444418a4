// The schedule of the server's own backups: when one is made, what failures and clocks that jump do, and which ones go.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { knownBackups } from "../../../src/backups/names.ts";
import { BackupSchedule, type MadeBackup } from "../../../src/backups/schedule.ts";
import { withFolder } from "../../support/folders.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.parse("2031-05-06T12:00:00.000Z");

/** A schedule in a folder, by clocks that the test moves on. */
function scheduleIn(folder: string, keep = 3) {
  const world = {
    nowMs: NOON,
    elapsedMs: 0,
    made: [] as string[],
    faults: [] as string[],
    /** What the next backup comes to. */
    outcome: (): MadeBackup | Error => ({ sizeBytes: 3, faultyFiles: [] }),
  };
  const schedule = new BackupSchedule(
    { folder, everyHours: 24, keep },
    {
      make: async (file) => {
        const outcome = world.outcome();
        if (outcome instanceof Error) throw outcome;
        writeFileSync(file, "all", { flag: "wx" });
        return outcome;
      },
      now: () => new Date(world.nowMs),
      elapsedMs: () => world.elapsedMs,
      onMade: (name) => world.made.push(name),
      onFault: (fault) => world.faults.push((fault as Error).message),
    },
  );
  /** Lets time go by, looking every minute as the server does. */
  const pass = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += MINUTE) {
      world.nowMs += MINUTE;
      world.elapsedMs += MINUTE;
      schedule.beginIfDue();
      await schedule.underWay;
    }
  };
  const start = async () => {
    schedule.beginIfDue();
    await schedule.underWay;
  };
  return { world, schedule, pass, start };
}

const wholeIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith("00.backup"));

describe("the schedule", () => {
  test("makes one at once where there is none, then one each period, and keeps the newest", () =>
    withFolder(async (folder) => {
      const { world, pass, start } = scheduleIn(folder);
      await start();
      expect(readdirSync(folder)).toEqual(["cupel-20310506-120000.backup"]);
      await pass(5 * 24 * HOUR);
      expect(world.made).toHaveLength(6);
      expect(readdirSync(folder).sort()).toEqual([
        "cupel-20310509-120000.backup",
        "cupel-20310510-120000.backup",
        "cupel-20310511-120000.backup",
      ]);
      expect(world.faults).toEqual([]);
    }));

  test("waits after a start until the newest has had its time", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "cupel-20310506-060000.backup"), "");
      const { world, pass, start } = scheduleIn(folder);
      await start();
      await pass(17 * HOUR);
      expect(world.made).toEqual([]);
      await pass(HOUR);
      expect(world.made).toEqual(["cupel-20310507-060000.backup"]);
    }));

  test("tries again within the hour after a failure, and removes nothing for it", () =>
    withFolder(async (folder) => {
      const { world, pass, start } = scheduleIn(folder, 1);
      await start();
      world.outcome = () => new Error("no room");
      await pass(24 * HOUR + 3 * HOUR);
      expect(world.faults).toEqual(["no room", "no room", "no room", "no room"]);
      expect(readdirSync(folder)).toEqual(["cupel-20310506-120000.backup"]);
      world.outcome = () => ({ sizeBytes: 3, faultyFiles: [] });
      await pass(HOUR);
      expect(readdirSync(folder)).toEqual(["cupel-20310507-160000.backup"]);
    }));

  test("removes no whole one for one that lacks files", () =>
    withFolder(async (folder) => {
      const { world, pass, start } = scheduleIn(folder, 2);
      await start();
      world.outcome = () => ({ sizeBytes: 3, faultyFiles: ["files/a.csv"] });
      await pass(4 * 24 * HOUR);
      expect(readdirSync(folder).sort()).toEqual([
        "cupel-20310506-120000.backup",
        "cupel-20310509-120000-lacking.backup",
        "cupel-20310510-120000-lacking.backup",
      ]);
      expect(world.faults).toHaveLength(4);
      expect(world.faults[0]).toContain("lacks 1 file that");
    }));

  test("is not stirred by a clock that is set while it runs, forward or back", () =>
    withFolder(async (folder) => {
      const { world, pass, start } = scheduleIn(folder, 100);
      await start();
      world.nowMs += 1000 * 24 * HOUR;
      await pass(HOUR);
      world.nowMs -= 2000 * 24 * HOUR;
      await pass(HOUR);
      expect(world.made).toHaveLength(1);
      await pass(22 * HOUR);
      expect(world.made).toHaveLength(2);
    }));

  test("makes one a period, not one a start, where a clock ran ahead before", () =>
    withFolder(async (folder) => {
      for (const day of ["01", "02", "03"]) writeFileSync(join(folder, `cupel-209901${day}-000000.backup`), "");
      for (let count = 0; count < 5; count++) {
        const { world, start } = scheduleIn(folder);
        world.nowMs += count * HOUR;
        await start();
        expect(world.made).toHaveLength(count === 0 ? 1 : 0);
      }
      // Those of the future went first.
      const { pass } = scheduleIn(folder);
      await pass(3 * 24 * HOUR);
      expect(wholeIn(folder).filter((name) => name.includes("2099"))).toEqual([]);
      expect(wholeIn(folder)).toHaveLength(3);
    }));

  test("makes one at a time, however long it takes", () =>
    withFolder(async (folder) => {
      let begun = 0;
      const end = Promise.withResolvers<void>();
      let elapsedMs = 0;
      const schedule = new BackupSchedule(
        { folder, everyHours: 1, keep: 1 },
        {
          make: async () => {
            begun++;
            await end.promise;
            return { sizeBytes: 0, faultyFiles: [] };
          },
          now: () => new Date(NOON),
          elapsedMs: () => elapsedMs,
          onMade: () => undefined,
          onFault: () => undefined,
        },
      );
      for (; elapsedMs < 5 * HOUR; elapsedMs += MINUTE) schedule.beginIfDue();
      expect(begun).toBe(1);
      end.resolve();
      await schedule.underWay;
      expect(schedule.underWay).toBeNull();
    }));

  test("clears away what a killed one left, and touches nothing of others", () =>
    withFolder(async (folder) => {
      const part = ".cupel-20310505-120000.backup.0b0f1c9e-5a3c-4a53-9d55-0a7a4b7d2f11.part";
      mkdirSync(join(folder, part));
      writeFileSync(join(folder, part, "archive"), "half");
      const others = ["notes.txt", "cupel-2031.backup", "my.backup", "cupel-20319999-120000.backup"];
      for (const name of others) writeFileSync(join(folder, name), "");
      const { pass, start } = scheduleIn(folder, 1);
      await start();
      await pass(48 * HOUR);
      expect(readdirSync(folder).sort()).toEqual([...others, "cupel-20310508-120000.backup"].sort());
    }));

  test("says so each time where its folder is not there, and makes none", () =>
    withFolder(async (root) => {
      const folder = join(root, "unmounted");
      const { world, pass, start } = scheduleIn(folder);
      await start();
      expect(world.faults).toHaveLength(1);
      expect(existsSync(folder)).toBe(false);
      mkdirSync(folder);
      await pass(HOUR);
      expect(world.made).toHaveLength(1);
      rmSync(folder, { recursive: true });
    }));

  test("says nothing of one that ends with the server", () =>
    withFolder(async (folder) => {
      const { world, start } = scheduleIn(folder);
      world.outcome = () => new Cancelled();
      await start();
      expect([world.made, world.faults]).toEqual([[], []]);
    }));
});

test("names are read back as they were given", () => {
  expect(knownBackups(["cupel-20310506-120000.backup", "cupel-20310506-120000-lacking.backup", "x"])).toEqual([
    { name: "cupel-20310506-120000.backup", madeMs: NOON, isLacking: false },
    { name: "cupel-20310506-120000-lacking.backup", madeMs: NOON, isLacking: true },
  ]);
});
