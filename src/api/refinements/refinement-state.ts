// Shared by the routes of refinements: the state, the paths, the example's key, the answer to a start.
import { type Static, Type } from "@sinclair/typebox";
import { Key, named } from "../../http/schemas.ts";
import { EXAMPLE_SERVER } from "../examples.ts";

export const RefinementState = Type.String({
  description:
    "PENDING, SETUP_*, MEASURE_INITIAL_THRESHOLD*, BASELINE_RUN_*, REFINING_LOOP_*, CREATING_RESULT, " +
    "then one of the terminal REFINEMENT_COMPLETED, ERROR, TIMEOUT, CANCELLED. " +
    "Match only the part before the star.",
  "x-decision": "D07",
});

named({ RefinementState });

export const EXAMPLE_KEY = "7d1f4a52-0c3b-4e57-9a3b-5f2f9f7f1f10";

export function refinementPath(key: string, part: "start" | "progress" | "files/TRAIN" | "files/TEST"): `/${string}` {
  return `/api/v1/feature-refinery/${key}/${part}`;
}

const StartedRun = Type.Object({ featureRefinementKey: Key, state: RefinementState, progressUrl: Type.String() });
named({ StartedRefinement: StartedRun });
export type StartedRun = Static<typeof StartedRun>;

/** For the `answer` of routes that start a run. */
export const STARTED_RUN = {
  description: "The run is queued.",
  schema: StartedRun,
  example: {
    featureRefinementKey: EXAMPLE_KEY,
    state: "PENDING",
    progressUrl: `${EXAMPLE_SERVER}${refinementPath(EXAMPLE_KEY, "progress")}`,
  } satisfies Static<typeof StartedRun>,
};
