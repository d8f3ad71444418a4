// Quotas: what fits, what does not and why, and room that is held for what is under way.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createQuotas, QuotaExceeded } from "../../../src/storage/quotas.ts";
import { addDataset, openTestState, storedFile, type TestState } from "../../data/state.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

let state: TestState;
beforeEach(() => {
  state = openTestState();
});
afterEach(() => state.close());

const FILE_BYTES = storedFile().sizeBytes;
const quotas = (changes: Partial<typeof UNLIMITED>) => createQuotas(state.database, { ...UNLIMITED, ...changes });

describe("a quota", () => {
  test("of none lets everything in and says that nothing is limited", () => {
    const free = quotas({});
    expect(() => free.hold(state.ann, Number.MAX_SAFE_INTEGER)).not.toThrow();
    expect(free.roomOf(state.ann)).toMatchObject({ quotaBytes: null, freeBytes: null });
  });

  test("of a user counts the user's files and what is held, to the byte", () => {
    const { ann, bob, database } = state;
    addDataset(database, ann);
    const limited = quotas({ quotaBytesPerUser: FILE_BYTES + 100 });
    const release = limited.hold(ann, 60);
    expect(limited.roomOf(ann)).toMatchObject({ quotaBytes: FILE_BYTES + 100, freeBytes: 40 });
    expect(() => limited.hold(ann, 41)).toThrow(QuotaExceeded);
    limited.hold(ann, 40)();
    release();
    release();
    expect(limited.roomOf(ann).freeBytes).toBe(100);
    expect(limited.roomOf(bob).freeBytes).toBe(FILE_BYTES + 100);
    limited.hold(bob, FILE_BYTES + 100);
  });

  test("of all counts everybody's", () => {
    const { ann, bob, database } = state;
    addDataset(database, ann);
    const limited = quotas({ quotaBytes: FILE_BYTES + 100, quotaBytesPerUser: FILE_BYTES + 50 });
    limited.hold(bob, 70);
    expect([limited.roomOf(ann).freeBytes, limited.roomOf(bob).freeBytes]).toEqual([30, 30]);
    expect(() => limited.hold(ann, 31)).toThrow(/the files of all users of this server take 1,304 of 1,334 bytes/);
    expect(() => limited.hold(ann, 51)).toThrow(/your files take 1,234 of 1,284 bytes/);
  });

  test("asks for no room for what is replaced", () => {
    const { ann, database } = state;
    addDataset(database, ann);
    const limited = quotas({ quotaBytesPerUser: FILE_BYTES });
    expect(() => limited.hold(ann, FILE_BYTES)).toThrow(QuotaExceeded);
    limited.hold(ann, FILE_BYTES, FILE_BYTES);
    expect(() => limited.hold(ann, 1)).toThrow(QuotaExceeded);
  });

  test.each([
    [
      null,
      "The room of deleted datasets is free some minutes later; this server keeps the files of deleted refinements.",
    ],
    [0, "The room of deleted refinements and datasets is free some minutes later."],
    [7, "The room of deleted refinements and datasets is free 7 days later."],
  ])("says what to delete where deleted files are kept for %p days", (keepDeletedDays, words) => {
    const limited = quotas({ quotaBytesPerUser: 10, keepDeletedDays });
    expect(() => limited.hold(state.ann, 11)).toThrow(
      `This needs 11 bytes, and your files take 0 of 10 bytes. Delete models or predictions that nobody needs: their room is free at once. ${words}`,
    );
  });

  test("is never passed, whoever holds what", () => {
    const step = fc.tuple(fc.boolean(), fc.nat(60), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const limited = quotas({ quotaBytesPerUser: 100, quotaBytes: 150 });
        const held: { isAnn: boolean; bytes: number; release: () => void }[] = [];
        const sum = (isAnn: boolean) =>
          held.filter((each) => each.isAnn === isAnn).reduce((total, { bytes }) => total + bytes, 0);
        for (const [isAnn, bytes, isRelease] of steps) {
          if (isRelease) {
            held.shift()?.release();
            continue;
          }
          const fits = sum(isAnn) + bytes <= 100 && sum(true) + sum(false) + bytes <= 150;
          const attempt = () =>
            held.push({ isAnn, bytes, release: limited.hold(isAnn ? state.ann : state.bob, bytes) });
          if (fits) attempt();
          else expect(attempt).toThrow(QuotaExceeded);
        }
      }),
      { numRuns: 50 },
    );
  });
});
