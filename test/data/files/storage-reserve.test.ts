// The reserve on a real disk: made where there is room, given up once, and made again.
import { expect, test } from "bun:test";
import { statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openReserve, RESERVE_BYTES, RESERVE_FILE } from "../../../data/files/storage-reserve.ts";
import { withFolder } from "../../support/folders.ts";

test("the reserve is a file that its disk has in full, given up slice by slice and made again", () =>
  withFolder(async (folder) => {
    const path = join(folder, RESERVE_FILE);
    const sizeOf = () => statSync(path, { throwIfNoEntry: false })?.size ?? null;
    const reserve = openReserve(folder);
    expect([reserve.isKept, sizeOf()]).toEqual([true, RESERVE_BYTES]);
    const { blocks, mode } = statSync(path);
    expect([512 * blocks >= RESERVE_BYTES, mode & 0o777]).toEqual([true, 0o600]);
    expect([reserve.release(), reserve.isKept, sizeOf()]).toEqual([true, false, RESERVE_BYTES - 256 * 1024]);
    let sliceCount = 1;
    while (reserve.release()) sliceCount++;
    expect([sliceCount, sizeOf()]).toEqual([16, 0]);
    expect([reserve.restore(), reserve.isKept, sizeOf()]).toEqual([true, true, RESERVE_BYTES]);
    // One that a process of before did not finish, or that is kept already.
    truncateSync(path, 1_000);
    expect([openReserve(folder).isKept, sizeOf()]).toEqual([true, RESERVE_BYTES]);
    const { ino } = statSync(path);
    expect([openReserve(folder).isKept, statSync(path).ino]).toEqual([true, ino]);
    // On a full disk as much of it goes as opening the database needs.
    const full = openReserve(folder, () => RESERVE_BYTES - sizeOf()!);
    expect([full.isKept, sizeOf()]).toEqual([false, RESERVE_BYTES - 512 * 1024]);
  }));
