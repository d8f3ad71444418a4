// An action that a person starts: whether it is running, and what went wrong.
import { useState } from "preact/hooks";
import { asProblem, type Problem } from "./problem.ts";

export interface Action<Args extends unknown[]> {
  isRunning: boolean;
  problem: Problem | null;
  /** The complaint about one field of a form. */
  errorOf(field: string): string | undefined;
  /** Does nothing while it is running. */
  run(...args: Args): Promise<void>;
}

export function useAction<Args extends unknown[]>(act: (...args: Args) => Promise<unknown>): Action<Args> {
  const [state, setState] = useState<Pick<Action<Args>, "isRunning" | "problem">>({ isRunning: false, problem: null });
  return {
    ...state,
    errorOf: (field) => state.problem?.errorOf(field),
    run: async (...args) => {
      if (state.isRunning) return;
      setState({ isRunning: true, problem: null });
      try {
        await act(...args);
        setState({ isRunning: false, problem: null });
      } catch (error) {
        const problem = asProblem(error);
        setState({ isRunning: false, problem: problem.code === "CANCELLED" ? null : problem });
      }
    },
  };
}
