// The advances of a refinement, against the table of section 3.1 of the contract.
import { describe, expect, test } from "bun:test";
import {
  isRefinementEnd,
  mayAdvance,
  REFINEMENT_END_STATES,
  type RefinementState,
} from "../../../data/database/states.ts";

const STATES: readonly RefinementState[] = [
  "PENDING",
  "SETUP_READING",
  "SETUP_BUCKETING",
  "MEASURE_INITIAL_THRESHOLD",
  "BASELINE_RUN_1",
  "BASELINE_RUN_2",
  "BASELINE_RUN_10",
  "REFINING_LOOP_1",
  "REFINING_LOOP_2",
  "CREATING_RESULT",
  "REFINEMENT_COMPLETED",
  "ERROR",
  "TIMEOUT",
  "CANCELLED",
];

const ALLOWED: Partial<Record<RefinementState, readonly RefinementState[]>> = {
  PENDING: ["SETUP_READING", "SETUP_BUCKETING"],
  SETUP_READING: ["SETUP_BUCKETING", "MEASURE_INITIAL_THRESHOLD"],
  SETUP_BUCKETING: ["MEASURE_INITIAL_THRESHOLD"],
  MEASURE_INITIAL_THRESHOLD: ["BASELINE_RUN_1", "BASELINE_RUN_2", "BASELINE_RUN_10"],
  BASELINE_RUN_1: ["BASELINE_RUN_2", "BASELINE_RUN_10", "REFINING_LOOP_1", "REFINING_LOOP_2"],
  BASELINE_RUN_2: ["BASELINE_RUN_10", "REFINING_LOOP_1", "REFINING_LOOP_2"],
  BASELINE_RUN_10: ["REFINING_LOOP_1", "REFINING_LOOP_2"],
  REFINING_LOOP_1: ["REFINING_LOOP_2", "CREATING_RESULT"],
  REFINING_LOOP_2: ["CREATING_RESULT"],
};

describe("the states of a refinement", () => {
  test.each(STATES)("advance from %s only where the contract says so", (from) => {
    expect(STATES.filter((to) => mayAdvance(from, to))).toEqual([...(ALLOWED[from] ?? [])]);
  });

  test("end in four ways", () => {
    expect(STATES.filter(isRefinementEnd)).toEqual([...REFINEMENT_END_STATES]);
  });

  test("have no other names", () => {
    expect(mayAdvance("BASELINE_RUN_1", "REFINING_LOOP_0")).toBe(false);
    expect(mayAdvance("BASELINE_RUN_1", "REFINING_LOOP_1.5")).toBe(false);
  });
});
