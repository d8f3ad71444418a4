// The named settings of gradient boosting: what the number of rows and of classes changes in them.
import { expect, test } from "bun:test";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";

test("many rows let some settings learn faster", () => {
  expect(boostingSettings("c4", 5000, 2).learningRate).toBe(0.08);
  expect(boostingSettings("c4", 5001, 2).learningRate).toBe(0.15);
  expect(boostingSettings("c31", 5001, 2).learningRate).toBe(0.1);
  expect(boostingSettings("c2", 5001, 2)).toEqual(boostingSettings("c2", 100, 2));
});

test("many classes get fewer rounds, and go further in each", () => {
  const caps = [2, 3, 4, 10, 11].map((classCount) => boostingSettings("c2", 100, classCount).roundCount);
  expect(caps).toEqual([600, 600, 250, 250, 80]);
  expect(boostingSettings("c31", 5001, 11).learningRate).toBe(2 * boostingSettings("c31", 5001, 10).learningRate);
});
