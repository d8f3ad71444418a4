// Figures as people read them, at their edges.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  formatAmount,
  formatByteLimit,
  formatBytes,
  formatBytesAbove,
  formatCount,
  formatDuration,
  formatEstimate,
  formatFigure,
  formatInterval,
  formatPercent,
} from "../../../src/common/format.ts";

test.each([
  [0.942, "94.2%"],
  [0, "0.0%"],
  [1, "100.0%"],
  [0.9995, "99.9%"],
  [0.99949, "99.9%"],
  [0.999999, "99.9%"],
  [0.0004, "<0.1%"],
  [0.0005, "0.1%"],
  [-0.031, "-3.1%"],
  [null, "–"],
  [Number.NaN, "–"],
  [Number.POSITIVE_INFINITY, "–"],
])("the share %p is %p", (share, text) => {
  expect(formatPercent(share)).toBe(text);
});

test("only everything is 100.0% and only nothing is 0.0%", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true, minExcluded: true, maxExcluded: true }), (share) => {
      expect(["0.0%", "100.0%"]).not.toContain(formatPercent(share));
    }),
  );
});

test("an estimate carries its interval", () => {
  expect(formatEstimate({ mean: 0.942, low: 0.928, high: 0.954 })).toBe("94.2% [92.8, 95.4]");
  expect(formatEstimate({ mean: 1, low: 0.9963, high: 1 })).toBe("100.0% [99.6, 100.0]");
  expect(formatEstimate(null)).toBe("–");
  expect(formatInterval({ low: 0, high: 0.0371 })).toBe("[0.0, 3.7]");
});

test.each([
  [1204, "1,204"],
  [0, "0"],
  [1_000_000, "1,000,000"],
  [null, "–"],
  [Number.NaN, "–"],
])("the count %p is %p", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test("a count agrees with its noun", () => {
  expect(formatAmount(1, "row")).toBe("1 row");
  expect(formatAmount(0, "row")).toBe("0 rows");
  expect(formatAmount(1204, "class", "classes")).toBe("1,204 classes");
});

test.each([
  [0, "0 s"],
  [0.01, "<0.1 s"],
  [0.42, "0.4 s"],
  [9.94, "9.9 s"],
  [9.96, "10 s"],
  [5, "5 s"],
  [59.4, "59 s"],
  [59.6, "1 min"],
  [130, "2 min 10 s"],
  [3599.7, "1 h"],
  [3900, "1 h 5 min"],
  [7169, "1 h 59 min"],
  [7199, "2 h"],
  [-1, "–"],
  [null, "–"],
])("%p seconds are %p", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [1, "1 byte"],
  [812, "812 bytes"],
  [1234, "1.2 kB"],
  [999_600, "1.0 MB"],
  [121_000_000, "121 MB"],
  [3_400_000_000, "3.4 GB"],
  [5e12, "5 TB"],
  [null, "–"],
])("%p bytes are %p", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [33_554_432, "32 MiB", "32.1 MiB"],
  [534_773_760, "510 MiB", "510.1 MiB"],
  [65_536, "64 KiB", "64.1 KiB"],
  [2 ** 30, "1 GiB", "1.1 GiB"],
  [1_000, "1,000 bytes", "1,001 bytes"],
])("a limit of %p bytes is %p, and one byte more reads as more", (limit, text, above) => {
  expect(formatByteLimit(limit)).toBe(text);
  expect(formatBytesAbove(limit, limit + 1)).toBe(above);
});

test("figures without a unit have three decimals", () => {
  expect(formatFigure(0.15849)).toBe("0.158");
  expect(formatFigure(null)).toBe("–");
});
