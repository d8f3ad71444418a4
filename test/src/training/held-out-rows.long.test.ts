// Which rows were held out, and which of them were decided wrong: as kept for comparisons.
import { expect, test } from "bun:test";
import { digestOfHoldout, wrongRows } from "../../../src/training/held-out-rows.ts";

type Task = Parameters<typeof digestOfHoldout>[0];
type Source = Parameters<typeof digestOfHoldout>[1];

const ROWS = 300;
/** Labels that change from row to row in no regular way. */
const MIXED = Uint8Array.from({ length: ROWS }, (_, row) => ((row * row) % 7 < 3 ? 1 : 0));
const SORTED = Uint8Array.from({ length: ROWS }, (_, row) => Number(row > 200));

const taskOf = (classes: Uint8Array, judging: readonly number[]) =>
  ({ table: { classes, labels: ["no", "yes"] }, split: { judging: Uint32Array.from(judging) } }) as unknown as Task;
const fileOf = (sha256: string, label = "left") => ({ label, sha256 }) as Source;
const JUDGING = [1, 4, 9, 100, 256];

test("the digest is that of the rows and their labels, whatever other columns the file has", () => {
  const digest = digestOfHoldout(taskOf(MIXED, JUDGING), fileOf("a"));
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOfHoldout(taskOf(MIXED, JUDGING), fileOf("b"))).toBe(digest);
  expect(digestOfHoldout(taskOf(MIXED, [1, 4, 9, 100, 257]), fileOf("a"))).not.toBe(digest);
  expect(digestOfHoldout(taskOf(MIXED.toReversed(), JUDGING), fileOf("a"))).not.toBe(digest);
  expect(digestOfHoldout(taskOf(MIXED, JUDGING), fileOf("a", "gone"))).not.toBe(digest);
});

test("files sorted by label tell nothing of their rows: they must be the same file", () => {
  const digest = digestOfHoldout(taskOf(SORTED, JUDGING), fileOf("a"));
  expect(digestOfHoldout(taskOf(SORTED, JUDGING), fileOf("a"))).toBe(digest);
  expect(digestOfHoldout(taskOf(SORTED, JUDGING), fileOf("b"))).not.toBe(digest);
});

test("a bit for each row tells where the decision was wrong", () => {
  const judging = Array.from({ length: 11 }, (_, at) => at * 3);
  const wrong = new Set([0, 7, 8, 10]);
  const decisions = Uint8Array.from(judging, (row, at) => (wrong.has(at) ? 1 - MIXED[row]! : MIXED[row]!));
  const bits = Buffer.from(wrongRows(decisions, taskOf(MIXED, judging)), "base64");
  expect([...bits]).toEqual([0b1000_0001, 0b101]);
});
