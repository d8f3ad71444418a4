// The answer of a training, as the report gives it: how good the champion is,
// whether to trust it, what it rests on, what comes next.
import type { VerdictRecord } from "../../../data/database/records.ts";
import type { ModelDetails } from "../../api/models/model-details.ts";
import type { ModelDetail } from "../../api/models/models.ts";
import { linkTo } from "../../browser/router.ts";
import { formatPercent } from "../../common/format.ts";
import { type Content, html } from "../../common/markup.ts";
import { type AnswerFacts, comparison, evidence, headline, optimised, trustParts } from "../../report/answer-parts.ts";
import { verdictChip } from "../../report/shown-verdict.ts";
import { JUDGED_AT_RANDOM } from "../../summary/verdict.ts";
import { remediesOf } from "../../verdict/remedies.ts";
import { isAlarm, STATE_CHIPS } from "../../words/health-words.ts";
import { Download } from "../action-button.tsx";
import { Drawing } from "../drawing.tsx";
import { Later } from "../later.tsx";
import { Facts } from "../page.tsx";
import { AlarmSentence } from "./alarm-sentence.tsx";
import { HealthWord } from "./health-word.tsx";
import type { TrainAgain } from "./judged.tsx";
import type { MaybeReplacement } from "./replacement.tsx";
import { remedyButtons, Trust } from "./trust.tsx";

const WIDEST_SCALE = 680;
/** The verdict of models that are older than verdicts. */
const NEVER_LOOKED_AT: VerdictRecord = { judgedBy: JUDGED_AT_RANDOM, isLookedAt: false, doubts: [] };

interface AnswerProps extends TrainAgain {
  model: ModelDetail;
  /** Null if the server keeps only the model's figures. */
  details: ModelDetails | null;
  targetPerformance: number | null;
  /** Shown only for a model that alarms. */
  replacement: MaybeReplacement;
}

export function Answer(props: AnswerProps) {
  const { model, details, targetPerformance, replacement } = props;
  const champion = model.versions.find((known) => known.champion);
  const measured = details?.versions.find(({ version }) => version === champion?.version);
  if (champion === undefined || details === null || measured === undefined) return <ShortAnswer {...props} />;
  const verdict = model.verdict ?? NEVER_LOOKED_AT;
  const facts: AnswerFacts = { ...details, targetPerformance, verdict };
  const answer = { ...champion, ...measured, calibration: [...measured.calibration] };
  const isAlarming = isAlarm(model.watchState);
  return (
    <section class="part" aria-label="The answer">
      <Drawing
        markup={headline(facts, answer, {
          beside: html` ${verdictChip(verdict, isAlarming)}${healthChip(model)}`,
          more: optimised(facts, answer),
        })}
      />
      <section class="card trust">
        <h2>Can I trust it?</h2>
        <AlarmSentence model={model} replacement={replacement} />
        <Drawing markup={trustParts(facts, answer, (doubt) => remedyButtons(doubt, props), isAlarming)} />
      </section>
      <Later>
        {() => (
          <>
            <Drawing markup={comparison(facts, answer, WIDEST_SCALE)} />
            <div class="cards pair">
              <section class="card">
                <h2>What does it rest on?</h2>
                <Drawing
                  markup={evidence(
                    answer,
                    facts,
                    html`<a href="${linkTo(`/models/${model.modelKey}`)}">with the versions</a>`,
                  )}
                />
              </section>
              <section class="card">
                <h2>What do I do next?</h2>
                <NextSteps {...props} verdict={verdict} />
              </section>
            </div>
          </>
        )}
      </Later>
    </section>
  );
}

function NextSteps(props: AnswerProps & { verdict: VerdictRecord }) {
  const { model, verdict, targetPerformance, datasetKey, replacement } = props;
  const { modelKey, version, achievedPerformance } = model;
  const isOpen =
    datasetKey !== null && verdict.doubts.some((doubt) => doubt.level === "serious" && remediesOf(doubt).length > 0);
  const isMissed = targetPerformance !== null && achievedPerformance < targetPerformance;
  return (
    <ol class="next">
      {/* A successor in its place is named beside the doubts. */}
      {isAlarm(model.watchState) && replacement === null && <AtWork model={model} />}
      {isOpen && <li>Settle the doubts first, with the buttons beside them.</li>}
      <li>
        Have new rows predicted: <a href={linkTo(`/models/${modelKey}/predict`)}>send a file</a>, or{" "}
        <a href={linkTo(`/models/${modelKey}/row`)}>type one in</a>.
      </li>
      <li>
        Keep or pass on{" "}
        <Download
          path={`/api/v1/models/${modelKey}/versions/${version}/report`}
          fileName={`report-${modelKey}.html`}
          word="the report"
        />
        , one file for any browser.
      </li>
      {isMissed && <li>For a better model, search wider, or add rows.</li>}
    </ol>
  );
}

/** Leads from rows or labels that came since the model was made to what to do about them. */
function AtWork({ model: { modelKey, watchState } }: { model: ModelDetail }) {
  const health = linkTo(`/models/${modelKey}/health`);
  if (watchState === "SHIFTED") {
    return (
      <li>
        Look at <a href={health}>what has shifted</a> in the rows that it was given last.
      </li>
    );
  }
  return (
    <li>
      It is worse than promised: <a href={health}>train again with the rows whose labels came later</a>.
    </li>
  );
}

/** Asks for a look at the model's health before its figure is trusted: the figure is older than its use. */
function healthChip({ modelKey, watchState }: ModelDetail): Content {
  if (!isAlarm(watchState)) return null;
  const [word, tone] = STATE_CHIPS[watchState];
  return html` <a class="chip ${tone}" href="${linkTo(`/models/${modelKey}/health`)}">${word}</a>`;
}

/** For models whose evidence is not kept. */
function ShortAnswer({ model, targetPerformance, replacement, details: _, ...again }: AnswerProps) {
  const { achievedPerformance, version, versions, verdict } = model;
  const champion = versions.find((known) => known.champion);
  return (
    <>
      <Facts
        facts={[
          [
            "Accuracy of the champion",
            <>
              {formatPercent(achievedPerformance)} <HealthWord modelKey={model.modelKey} state={model.watchState} />
            </>,
          ],
          targetPerformance !== null && ["Target", formatPercent(targetPerformance)],
          ["Champion", `v${version}${champion === undefined ? "" : `, ${champion.algorithm}`}`],
        ]}
      />
      <AlarmSentence model={model} replacement={replacement} />
      {verdict !== null && <Trust verdict={verdict} isAlarming={isAlarm(model.watchState)} {...again} />}
    </>
  );
}
