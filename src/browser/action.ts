// Something that a person sets off: under way or not, and what went wrong.
import { useState } from "preact/hooks";
import { asProblem, type Problem } from "./problem.ts";

export interface Action<Args extends unknown[]> {
  isRunning: boolean;
  problem: Problem | null;
  /** True where it succeeded. A second time while it runs does nothing. */
  run(...args: Args): Promise<boolean>;
}

export function useAction<Args extends unknown[]>(act: (...args: Args) => Promise<unknown>): Action<Args> {
  const [state, setState] = useState<{ isRunning: boolean; problem: Problem | null }>({
    isRunning: false,
    problem: null,
  });
  return {
    ...state,
    run: async (...args) => {
      if (state.isRunning) return false;
      setState({ isRunning: true, problem: null });
      try {
        await act(...args);
        setState({ isRunning: false, problem: null });
        return true;
      } catch (error) {
        const problem = asProblem(error);
        setState({ isRunning: false, problem: problem.code === "CANCELLED" ? null : problem });
        return false;
      }
    },
  };
}
