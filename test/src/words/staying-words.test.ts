// How many columns stay is said of those that models may learn from.
import { expect, test } from "bun:test";
import type { ColumnDecision, KeepReason, RemoveReason } from "../../../engine/refinement/decision.ts";
import { stayingWords } from "../../../src/words/staying-words.ts";

type Decided = Pick<ColumnDecision, "name" | "decision" | "reason">;
const kept = (name: string, reason: KeepReason = "SIGNAL_FOREST"): Decided => ({ name, decision: "KEEP", reason });
const removed = (name: string, reason: RemoveReason): Decided => ({ name, decision: "REMOVE", reason });
const signals = [kept("a"), kept("b")];
const group = kept("g", "KEPT_FOR_JUDGING");
const leftOut = removed("w", "LEFT_OUT");
const noise = removed("n", "NO_SIGNAL");

test.each([
  ["all", signals, "Every column stays."],
  ["some", [...signals, noise], "2 of 3 columns stay."],
  ["one", [kept("a"), noise], "1 of 2 columns stays."],
  ["all but what the user set aside", [...signals, group, leftOut], "Every column to learn from stays."],
  ["some, with columns set aside", [...signals, noise, group, leftOut], "2 of 3 columns to learn from stay."],
  ["with a group that is learned from", [...signals, noise, { ...group, name: "k" }], "3 of 4 columns stay."],
])("%s", (_, columns, words) => {
  expect(stayingWords(columns, new Set(["a", "b", "n", "k"]))).toBe(words);
});
