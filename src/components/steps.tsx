// Where somebody is on a way of several steps: done, here, to come.

interface StepsProps {
  label: string;
  names: readonly string[];
  /** Index of the step at hand; behind the last once all are done. */
  current: number;
}

const WORDS = { done: "done", here: "now", later: "to come" } as const;

export function Steps({ label, names, current }: StepsProps) {
  return (
    <ol class="steps" aria-label={label}>
      {names.map((name, at) => {
        const place = at < current ? "done" : at === current ? "here" : "later";
        return (
          <li key={name} class={place} aria-current={place === "here" ? "step" : undefined}>
            {name}
            <span class="unseen">, {WORDS[place]}</span>
          </li>
        );
      })}
    </ol>
  );
}
