// The newcomer's path from a file to a model: its steps, and the address that holds what was started.
import { goTo, linkTo } from "../../browser/router.ts";

const STEPS = ["Send a table", "Pick the label", "Refine", "Train", "Result"] as const;

/** The work that was started, as the address holds it. */
export interface Begun {
  refinement: string | null;
  training: string | null;
}

/** Puts what was started into the address. */
export function show(datasetKey: string, begun: Begun, isReplaced = false): void {
  goTo(linkTo(`/start/${datasetKey}`, { ...begun }), { replace: isReplaced });
}

/** The steps of the path, and where the user is. Refining is a step only if it was chosen. */
export function Path({ at: here, isRefined = false }: { at: (typeof STEPS)[number]; isRefined?: boolean }) {
  const names = STEPS.filter((name) => isRefined || name !== "Refine");
  return (
    <ol class="steps" aria-label="From a file to a model">
      {names.map((name, at) => {
        const isHere = name === here;
        const isDone = at < names.indexOf(here);
        return (
          <li key={name} class={isHere ? "here" : isDone ? "done" : "later"} aria-current={isHere ? "step" : undefined}>
            {name}
            <span class="unseen">, {isHere ? "now" : isDone ? "done" : "to come"}</span>
          </li>
        );
      })}
    </ol>
  );
}
