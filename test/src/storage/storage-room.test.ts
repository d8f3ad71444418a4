// A disk without room: the reserve is given up for what must be written, new work is refused, and what waited goes on.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../../data/database/database.ts";
import { openReserve, RESERVE_BYTES } from "../../../data/files/storage-reserve.ts";
import type { LogFacts } from "../../../src/log/log.ts";
import { createQuotas } from "../../../src/storage/quotas.ts";
import { storageFault } from "../../../src/storage/storage-fault.ts";
import { storageRoom, withReserve } from "../../../src/storage/storage-room.ts";
import { StorageWatch } from "../../../src/storage/storage-watch.ts";
import { addDataset, addUser } from "../../data/state.ts";
import { withFolder } from "../../support/folders.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const FILLING = join(import.meta.dir, "../../support/fill-log.ts");

function faultOf(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return storageFault(error);
  }
}

describe("a full disk", () => {
  test("has the reserve given up by the first write that finds no room, which is then done", () =>
    withFolder(async (folder) => {
      openDatabase(folder).close();
      expect(openReserve(folder).isKept).toBeTrue();
      // No file may grow beyond 512 KiB or 1 MiB, the write-ahead log included: as on a full disk, until room is made.
      const limited = `trap '' XFSZ; ulimit -f 1024; exec "${process.execPath}" "${FILLING}" "${folder}"`;
      const child = Bun.spawn(["sh", "-c", limited], { stdout: "pipe", stderr: "pipe" });
      const [answer, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect([await child.exited, errors]).toEqual([0, ""]);
      const { plain, reserved, isKept, rows } = JSON.parse(answer);
      expect([plain.fault, plain.rows > 0]).toEqual(["STORAGE_FAILING", true]);
      expect([reserved.fault, reserved.rows, isKept]).toEqual([null, 300, false]);
      expect(rows).toBe(plain.rows + reserved.rows);
    }));

  test("of which nothing can be given back fails as before", () =>
    withFolder(async (folder) => {
      const reserve = openReserve(folder);
      const database = withReserve(openDatabase(folder), reserve);
      const ann = addUser(database, "ann@example.com");
      const { page_count: pages } = database.client.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
      database.client.run(`PRAGMA max_page_count = ${pages}`);
      const fill = () => {
        for (;;) database.write(() => addDataset(database, ann));
      };
      expect(faultOf(fill)).toBe("STORAGE_FULL");
      expect(reserve.isKept).toBeFalse();
      database.close();
    }));

  test("refuses work that does not fit beside the reserve, and takes what does", () =>
    withFolder(async (folder) => {
      const reserve = openReserve(folder);
      const database = openDatabase(folder);
      const ann = addUser(database, "ann@example.com");
      let freeBytes = 0;
      const room = storageRoom(reserve, () => freeBytes);
      const quotas = createQuotas(database, UNLIMITED, room);
      const hold = (bytes: number) => faultOf(() => quotas.hold(ann, bytes)());
      expect([room.isFull, hold(1e9)]).toEqual([false, null]);
      reserve.release();
      expect([room.isFull, hold(1)]).toEqual([true, "STORAGE_FULL"]);
      freeBytes = RESERVE_BYTES + 1_000;
      expect([hold(1_000), hold(1_001)]).toEqual([null, "STORAGE_FULL"]);
      database.close();
    }));
});

test("once there is room again the reserve is made, the waiting are woken, and the log says both", () =>
  withFolder(async (folder) => {
    const database = openDatabase(folder);
    let freeBytes = 2 * RESERVE_BYTES;
    const reserve = openReserve(folder, () => freeBytes);
    const told: [string, LogFacts | undefined][] = [];
    const note = (event: string, facts?: LogFacts) => void told.push([event, facts]);
    let wakeCount = 0;
    const watch = new StorageWatch({
      database,
      reserve,
      freeBytes: () => freeBytes,
      log: { info: note, warn: note, error: note },
      wake: () => wakeCount++,
      report: (fault) => {
        throw fault;
      },
    });
    expect(told).toEqual([]);
    freeBytes = 7;
    reserve.release();
    watch.round();
    watch.round();
    expect([told, wakeCount]).toEqual([[["storage.full", { freeBytes }]], 0]);
    freeBytes = 2 * RESERVE_BYTES;
    watch.round();
    watch.round();
    expect(told.slice(1)).toEqual([["storage.room", { freeBytes }]]);
    expect([reserve.isKept, wakeCount]).toEqual([true, 1]);
    watch.stop();
    database.close();
  }));
