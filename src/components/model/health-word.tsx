// The state of a model as a word that leads to its Health page; nothing where nothing is to be done.
// A model that was replaced has a word for the successor that answers in its place.
import type { OwnModel } from "../../api/users/own-lists.ts";
import { linkTo } from "../../browser/router.ts";
import { isAlarm, STATE_CHIPS } from "../../words/health-words.ts";

interface HealthWordProps {
  modelKey: string;
  /** The champion's state. */
  state: OwnModel["watchState"];
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
  if (!isAlarm(state)) return null;
  const [word, tone] = STATE_CHIPS[state];
  return (
    <a class={`chip ${tone}`} href={linkTo(`/models/${modelKey}/health`)}>
      {word}
    </a>
  );
}
