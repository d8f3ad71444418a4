// The limit on requests: a minute's worth at once, then evenly, each credential on its own.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRequestLimit } from "../../../src/auth/request-limit.ts";

describe("the limit on requests", () => {
  test("lets a minute's worth in at once, then one as each share of the minute passes", () => {
    let nowMs = 0;
    const limit = createRequestLimit(() => nowMs, 6);
    expect(Array.from({ length: 7 }, () => limit.admit("ann"))).toEqual([null, null, null, null, null, null, 10]);
    expect(limit.admit("bob")).toBeNull();
    nowMs = 9_999;
    expect(limit.admit("ann")).toBe(1);
    nowMs = 10_000;
    expect([limit.admit("ann"), limit.admit("ann")]).toEqual([null, 10]);
    nowMs = 3_600_000;
    expect(Array.from({ length: 7 }, () => limit.admit("ann")).filter((wait) => wait === null)).toHaveLength(6);
  });

  test("never lets more in than a minute's worth and what has come back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(5_000), { maxLength: 200 }), (perMinute, pauses) => {
        let nowMs = 0;
        let admitted = 0;
        const limit = createRequestLimit(() => nowMs, perMinute);
        for (const pause of pauses) {
          nowMs += pause;
          if (limit.admit("ann") === null) admitted++;
          expect(admitted).toBeLessThanOrEqual(perMinute + (nowMs * perMinute) / 60_000 + 1e-6);
        }
      }),
    );
  });
});
