// The names of objectives.
import type { Objective } from "../engine/judging/objective.ts";

export const MEASURE_NAMES: Readonly<Record<Objective, string>> = {
  accuracy: "accuracy",
  "balanced-accuracy": "balanced accuracy",
  f1: "mean F1",
};
