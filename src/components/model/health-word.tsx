// The state of a model as a word that leads to its Health page; nothing where nothing is to be done.
// A model that was replaced has a word for the successor that answers in its place.
import type { OwnModel } from "../../api/own-lists.ts";
import { linkTo } from "../../browser/router.ts";
import { ALARM_CHIPS } from "../../words/health-words.ts";

interface HealthWordProps {
  modelKey: string;
  /** The champion's state. */
  state: string | null;
  answeredBy?: OwnModel["answeredBy"];
}

export function HealthWord({ modelKey, state, answeredBy = null }: HealthWordProps) {
  if (answeredBy !== null) {
    return (
      <a class="chip pending" href={linkTo(`/models/${answeredBy.modelKey}`)}>
        Replaced by {answeredBy.name === null ? "its successor" : <bdi>{answeredBy.name}</bdi>}
      </a>
    );
  }
  const chip = ALARM_CHIPS.get(state);
  if (chip === undefined) return null;
  const [word, tone] = chip;
  return (
    <a class={`chip ${tone}`} href={linkTo(`/models/${modelKey}/health`)}>
      {word}
    </a>
  );
}
