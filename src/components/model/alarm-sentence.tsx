// The real accuracy or the shift of a model that alarms, in a sentence that leads to its Health page.
import type { ModelHealth } from "../../api/models/model-health.ts";
import type { ModelDetail } from "../../api/models/models.ts";
import { models } from "../../browser/api.ts";
import { useLoad } from "../../browser/loading.ts";
import { linkTo } from "../../browser/router.ts";
import { withReadersNumbers } from "../../common/numbers.ts";
import { isAlarm, STATE_CHIPS } from "../../words/health-words.ts";
import { labelledFigures } from "../../words/outcome-words.ts";
import { Banner } from "../states.tsx";
import { type MaybeReplacement, Replaced } from "./replacement.tsx";

/** As many as the Health page shows at first. */
const MONTHS = 3;

interface AlarmSentenceProps {
  model: ModelDetail;
  replacement: MaybeReplacement;
}

/** Nothing where nothing speaks against the champion. */
export function AlarmSentence({ model, replacement }: AlarmSentenceProps) {
  const { watchState } = model;
  return isAlarm(watchState) ? <Alarm model={model} replacement={replacement} state={watchState} /> : null;
}

interface AlarmProps extends AlarmSentenceProps {
  state: "WORSE_THAN_PROMISED" | "SHIFTED";
}

function Alarm({ model: { modelKey, version }, replacement, state }: AlarmProps) {
  const { value } = useLoad((signal) => models.health(modelKey, version, MONTHS, signal), [modelKey, version]);
  return (
    <Banner
      tone={state === "SHIFTED" ? "early" : "failed"}
      title={value === null ? `${STATE_CHIPS[state][0]}.` : sentenceOf(value)}
    >
      <p>
        {replacement != null ? (
          <Replaced by={replacement} />
        ) : (
          <>
            <a href={linkTo(`/models/${modelKey}/health`)}>Its health</a> says more, and what to do.
          </>
        )}
      </p>
    </Banner>
  );
}

function sentenceOf({ message, outcomes }: ModelHealth): string {
  const { state, accuracy } = outcomes;
  if (state !== "WORSE_THAN_PROMISED" || accuracy === null) return withReadersNumbers(message);
  return `Worse than promised: ${labelledFigures({ ...outcomes, accuracy })}.`;
}
