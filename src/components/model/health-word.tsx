// The state of a model as a word that leads to its Health page; nothing where nothing is to be done.
import { linkTo } from "../../browser/router.ts";
import { ALARM_CHIPS } from "../../words/health-words.ts";

interface HealthWordProps {
  modelKey: string;
  /** The champion's state. */
  state: string | null;
}

export function HealthWord({ modelKey, state }: HealthWordProps) {
  const chip = ALARM_CHIPS.get(state);
  if (chip === undefined) return null;
  const [word, tone] = chip;
  return (
    <a class={`chip ${tone}`} href={linkTo(`/models/${modelKey}/health`)}>
      {word}
    </a>
  );
}
