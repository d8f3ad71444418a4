// The settings that confirm a version, and those of its refit: a stack's differ in weights alone.
import { expect, test } from "bun:test";
import type { ModelSettings } from "../../../engine/families/algorithms.ts";
import { basesOf } from "../../../engine/search/refit.ts";
import type { FinishedAttempt } from "../../../src/training/competition-state.ts";
import { finalSettings, foundSettings, settingsToConfirm } from "../../../src/training/kept-version.ts";

const base = { algorithm: "naive Bayes", variant: "plain", smoothing: 1 } as const;
const stack: ModelSettings = {
  algorithm: "stack",
  withMains: false,
  members: [0.5, 0.7].map((weight, index) => ({
    ...{ attempt: index + 1, buckets: "fine" as const, settings: base, seed: index },
    ...{ weight, finalWeight: weight + 0.1 },
  })),
  intercepts: [0, 0],
  finalIntercepts: [0.1, -0.1],
};
const confirming = [
  [1, 2],
  [3, 0],
].map((weights) => ({
  stacking: { weights: Float64Array.from(weights), intercepts: Float64Array.of(0.3, -0.3) },
  mains: null,
}));

function attemptOf(settings: ModelSettings, own: object): FinishedAttempt {
  const spec = { buckets: "fine", seed: 9 };
  return { spec, settings, answer: { mains: null, ...own } } as unknown as FinishedAttempt;
}

function weightsOf({ settings }: { settings: ModelSettings }): number[] {
  return settings.algorithm === "stack" ? settings.members.map(({ weight }) => weight) : [];
}

test("a small table's stack is confirmed with the weights of each part, on the same fits", () => {
  const attempt = attemptOf(stack, { confirming });
  for (const [place, weights] of [
    [1, 2],
    [3, 0],
  ].entries()) {
    const found = settingsToConfirm(attempt, place);
    expect(weightsOf(found)).toEqual(weights);
    expect(found.settings).toMatchObject({ intercepts: [0.3, -0.3] });
    expect(basesOf(found)).toEqual(basesOf(finalSettings(attempt)));
  }
});

test("any other version is confirmed as it was found", () => {
  for (const attempt of [attemptOf(stack, { confirming: [] }), attemptOf(stack, {}), attemptOf(base, { confirming })])
    expect(settingsToConfirm(attempt, 1)).toEqual(foundSettings(attempt));
});
