// The positive class: the last label in sort order, or the one that was named.
import { expect, test } from "bun:test";
import { positiveClassOf } from "../../../engine/judging/positive-class.ts";

test("is the last one unless another is named", () => {
  expect(positiveClassOf(["no", "yes"], null)).toBe(1);
  expect(positiveClassOf(["no", "yes"], "no")).toBe(0);
  expect(positiveClassOf(["a", "b", "c"], " b ")).toBe(1);
});

test("must be one of the labels", () => {
  expect(() => positiveClassOf(["no", "yes"], "Yes")).toThrow('Did you mean "yes"?');
  expect(() => positiveClassOf(["0", "1"], "spam")).toThrow('The labels are "0", "1".');
});
