// What is to be seen of a refinement, asked for again while it goes on; result and evidence once, when they are there.
import { useRef } from "preact/hooks";
import { isOver } from "../components/state-badge.tsx";
import { refinements } from "./api.ts";
import { type Loaded, until, useLive } from "./loading.ts";
import { asProblem } from "./problem.ts";
import type { RefinementParts } from "./refinement-account.ts";

/** A run that was never started waits for somebody; it is asked for all the same, since another page may start it. */
export function useRefinement(key: string): Loaded<RefinementParts> {
  const known = useRef<RefinementParts["run"] | null>(null);
  return useLive(
    async (signal): Promise<RefinementParts> => {
      // Name and files never change; they are asked for again only with the state that they are shown beside.
      known.current ??= await refinements.get(key, signal);
      const run = known.current;
      const progress = await refinements.progress(key, signal);
      const mayHaveResult = progress.state === "REFINEMENT_COMPLETED" || progress.state === "TIMEOUT";
      if (!mayHaveResult) return { run, progress, result: null, evidence: null };
      const [result, evidence] = await Promise.all([
        refinements.result(key, signal).catch(without("NOT_READY")),
        refinements.evidence(key, signal).catch(without("NOT_READY", "FILE_REMOVED")),
      ]);
      return { run, progress, result, evidence };
    },
    [key],
    until(({ progress: { state } }) => isOver(state)),
  );
}

/** Null for a refusal that says that there is none. @throws Problem for any other */
function without(...codes: string[]): (error: unknown) => null {
  return (error) => {
    const problem = asProblem(error);
    if (codes.includes(problem.code)) return null;
    throw problem;
  };
}
