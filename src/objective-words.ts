// What a run aims at, in words.
import type { Objective } from "../engine/judging/objective.ts";

/** The measure's name: "balanced accuracy". */
export const MEASURE_NAMES: Readonly<Record<Objective, string>> = {
  accuracy: "accuracy",
  "balanced-accuracy": "balanced accuracy",
  f1: "mean F1",
};
