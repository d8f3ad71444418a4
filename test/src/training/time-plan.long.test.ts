// The phases of a training: in order, within its time, and what refits need is left to them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TimePlan } from "../../../src/training/time-plan.ts";

const ms = fc.integer({ min: 0, max: 10_000_000 });

test("the phases follow each other, and end before the refits", () => {
  fc.assert(
    fc.property(ms, ms, fc.boolean(), (openedMs, length, isSampled) => {
      const time = new TimePlan(openedMs, openedMs + length);
      const ends = [openedMs, time.attemptsEndMs(isSampled), time.confirmEndMs(isSampled, 0), time.endMs];
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    }),
  );
});

test("refits get the time that they are expected to take", () => {
  fc.assert(
    fc.property(ms, ms, ms, fc.boolean(), (openedMs, length, refitMs, isSampled) => {
      const time = new TimePlan(openedMs, openedMs + length);
      expect(time.confirmEndMs(isSampled, refitMs)).toBeLessThanOrEqual(time.endMs - refitMs);
      expect(time.growthEndMs(openedMs, refitMs)).toBeLessThanOrEqual(time.endMs - refitMs);
    }),
  );
});

test("of a hundred seconds", () => {
  const time = new TimePlan(0, 100_000);
  expect([time.attemptsEndMs(false), time.confirmEndMs(false, 10_000)]).toEqual([65_000, 90_000]);
  expect([time.attemptsEndMs(true), time.confirmEndMs(true, 10_000)]).toEqual([40_000, 50_000]);
  expect(time.growthEndMs(50_000, 10_000)).toBe(85_000);
});
