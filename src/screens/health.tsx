// How a model does over time: its state and what to do first, then what it was
// given and answered, stretch by stretch of days.
import type { ModelHealth } from "../api/models/model-health.ts";
import { models } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { useDataset, useModel } from "../browser/resources.ts";
import { linkTo, place, type ScreenProps } from "../browser/router.ts";
import { type HealthPeriod, healthTimeline } from "../charts/health-timeline.ts";
import { shareBar } from "../charts/share-bar.ts";
import { formatAmount, formatCount, formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { LinkButton } from "../components/action-button.tsx";
import { Drawing } from "../components/drawing.tsx";
import { type MaybeReplacement, Replaced, replacementIn } from "../components/model/replacement.tsx";
import { Succession, useSuccessors } from "../components/model/succession.tsx";
import { Facts, Page, Section, Tabs } from "../components/page.tsx";
import { Await, Empty } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/words.tsx";
import { expectedSentence, isAlarm, STATE_CHIPS, stateRemedies, stretchWords } from "../words/health-words.ts";
import { changedLabelSentence, labelledFigures } from "../words/outcome-words.ts";
import { columnVerdict, VERDICT_WORDS } from "../words/watch-words.ts";

const SHORT_MONTHS = 3;
const LONG_MONTHS = 13;

type Stretch = ModelHealth["stretches"][number];

export function Health({ params }: ScreenProps) {
  const key = params["modelKey"] ?? "";
  const loaded = useModel(key);
  const model = loaded.value?.model;
  const dataset = useDataset(model?.datasetKey);
  const name = model?.name ?? dataset.value?.name ?? "Model";
  return (
    <Page
      title={model === undefined ? "Health" : `Health of ${name}`}
      above={{ href: linkTo(`/models/${key}`), name }}
      lead="What the model was given since it was made, beside the rows that it was trained on. Counts are kept by day, and no row; rows over the API are counted every 5 seconds, and a kill of the server loses the last of these."
    >
      <Await loaded={loaded}>
        {({ model: { version, versions } }) => <OfVersion modelKey={key} version={version} versions={versions} />}
      </Await>
    </Page>
  );
}

interface OfVersionProps {
  modelKey: string;
  /** The champion. */
  version: number;
  versions: readonly { version: number }[];
}

/** The address holds the version, where it is not the champion, and the months. */
function OfVersion({ modelKey, version: champion, versions }: OfVersionProps) {
  const { path, query } = place.value;
  const asked = Number(query.get("version"));
  const version = versions.some((known) => known.version === asked) ? asked : champion;
  const months = query.has("year") ? LONG_MONTHS : SHORT_MONTHS;
  const linkToVersion = (one: number, year = query.get("year")) =>
    linkTo(path, { version: one === champion ? null : one, year });
  const successors = useSuccessors(modelKey);
  const succession = (isAlarmingNow: boolean) => (
    <Succession modelKey={modelKey} successors={successors} isAlarming={isAlarmingNow} />
  );
  const health = useLoad((signal) => models.health(modelKey, version, months, signal), [modelKey, version, months]);
  return (
    <>
      <Tabs
        label="Versions"
        tabs={versions.map(({ version: one }) => [
          linkToVersion(one),
          one === champion ? `Version ${one}, the champion` : `Version ${one}`,
        ])}
        shown={linkToVersion(version)}
      />
      <Await loaded={health}>
        {(value) => (
          <>
            <Now health={value} replacement={replacementIn(successors, modelKey)} />
            {value.shadows.length > 0 && <Shadows health={value} />}
            {isAlarm(value.state) && succession(true)}
            <OverTime
              health={value}
              isLong={months === LONG_MONTHS}
              other={linkToVersion(version, months === LONG_MONTHS ? null : "1")}
            />
            <Newest health={value} />
            {!isAlarm(value.state) && succession(false)}
          </>
        )}
      </Await>
    </>
  );
}

/** The state in words, and what to do. */
function Now({ health, replacement }: { health: ModelHealth; replacement: MaybeReplacement }) {
  const { state, message, isCounting, stretches, lastUsedOn, rowCount, alarmShare, falseAlarmsPerMonth } = health;
  const { outcomes } = health;
  const { accuracy } = outcomes;
  const [word, tone] = STATE_CHIPS[state];
  const remedies = replacement === null ? stateRemedies(state, isCounting) : [];
  const expected = expectedSentence(stretches.findLast(({ isOver }) => isOver) ?? {});
  return (
    <section class="health-now" aria-label="State">
      <p class="big">
        <span class={`chip ${tone}`}>{word}</span>
      </p>
      <p>{withReadersNumbers(message)}</p>
      {accuracy !== null && (
        <p>
          {labelledFigures({ ...outcomes, accuracy })}.{" "}
          {state !== "WORSE_THAN_PROMISED" && state !== "NO_PROMISE" && `${withReadersNumbers(outcomes.message)} `}
          {outcomes.condition} {withReadersNumbers(changedLabelSentence(outcomes.changedLabel))}
        </p>
      )}
      {replacement != null && (
        <p>
          <Replaced by={replacement} />
        </p>
      )}
      {remedies.length > 0 && (
        <ul>
          {remedies.map((remedy) => (
            <li key={remedy}>{remedy}</li>
          ))}
        </ul>
      )}
      {expected !== null && <p>Without looking at labels: {expected}.</p>}
      <Facts
        facts={[
          ["Rows so far", formatCount(rowCount)],
          ["Last used", lastUsedOn === null ? "never" : <Time at={lastUsedOn} />],
          ["Stretches with an alarm", formatPercent(alarmShare)],
          ["False alarms", `at most ${formatPercent(falseAlarmsPerMonth)} of months`],
        ]}
      />
    </section>
  );
}

/** Models that decided the same rows without answering. */
function Shadows({ health: { shadows } }: { health: ModelHealth }) {
  return (
    <Section title="Decided beside">
      <ul>
        {shadows.map(({ modelKey, version, name, rowCount, agreedCount, agreement, unansweredCount }) => (
          <li key={`${modelKey} ${version}`}>
            <a href={linkTo(`/models/${modelKey}`)}>{name ?? "Another model"}</a>, version {version}, decided{" "}
            {formatCount(agreedCount)} of {formatAmount(rowCount, "row")} alike
            {agreement !== null && `: ${formatEstimate(agreement)}`}
            {unansweredCount > 0 && `; ${formatAmount(unansweredCount, "row")} it could not take`}.
          </li>
        ))}
      </ul>
      <p class="note">Rows over the API alone. How often both agree does not tell which is right.</p>
    </Section>
  );
}

function OverTime({ health, isLong, other }: { health: ModelHealth; isLong: boolean; other: string }) {
  const { stretches, isCounting, outcomes } = health;
  const range = isLong ? "13 months" : "3 months";
  return (
    <Section
      title={`The last ${range}`}
      actions={<LinkButton word={isLong ? "Show 3 months" : "Show 13 months"} href={other} look="small" />}
    >
      {stretches.length === 0 ? (
        <Empty title={isCounting ? "Nothing was counted yet" : "Nothing is counted"}>
          <p>
            {isCounting
              ? "Predictions of files and rows over the API are counted as they come, by day."
              : "The server was started with --watch off."}
          </p>
        </Empty>
      ) : (
        <Drawing markup={healthTimeline({ periods: stretches.map(periodOf), real: outcomes.accuracy })} />
      )}
    </Section>
  );
}

function periodOf(stretch: Stretch): HealthPeriod {
  const { columns, decisionShift } = stretch;
  const indices = [...columns, ...(decisionShift === null ? [] : [decisionShift])].map(({ index }) => index);
  return { ...stretch, worstIndex: indices.length === 0 ? null : Math.max(...indices) };
}

/** The newest judged stretch, or else the newest: its columns and its labels. */
function Newest({ health: { stretches } }: { health: ModelHealth }) {
  const newest = stretches.findLast(({ isShifted }) => isShifted !== null) ?? stretches.at(-1);
  if (newest === undefined) return null;
  const { columns, decisions, decisionShift } = newest;
  return (
    <>
      {columns.length > 0 && (
        <Section title={`Columns, ${stretchWords(newest)}`}>
          <p class="note">The ten that differ the most from the training rows.</p>
          <Table
            caption="Columns, those that shifted the most first"
            rows={columns}
            keyOf={({ name }) => name}
            columns={[
              { head: "Column", cell: ({ name }) => <bdi>{name}</bdi> },
              { head: "Beside training", cell: (column) => (newest.isOver ? columnVerdict(column) : "goes on") },
              { head: "Difference", cell: ({ difference }) => withReadersNumbers(difference) || "–" },
              { head: "Shift index", isNumber: true, cell: ({ index }) => formatFigure(index) },
            ]}
          />
        </Section>
      )}
      <Section title={`Predicted labels, ${stretchWords(newest)}`}>
        <p class="note">
          {decisionShift === null
            ? "They are not compared: the model has no figures of held-out rows, " +
              "or another threshold than the trained one decides."
            : "Beside the held-out rows: " +
              `${newest.isOver ? VERDICT_WORDS[decisionShift.verdict] : "not judged before the stretch is over"}.`}
        </p>
        <Decisions decisions={decisions} />
      </Section>
    </>
  );
}

function Decisions({ decisions }: Pick<Stretch, "decisions">) {
  const rowCount = decisions.reduce((sum, { count }) => sum + count, 0);
  return (
    <Table
      caption="Predicted labels"
      rows={decisions}
      keyOf={({ label }) => label}
      columns={[
        { head: "Label", cell: ({ label }) => <bdi>{label}</bdi> },
        { head: "Rows", isNumber: true, cell: ({ count }) => formatCount(count) },
        { head: "Now", cell: ({ count }) => <Drawing markup={shareBar(count / Math.max(1, rowCount))} /> },
        {
          head: "Held-out rows",
          cell: ({ trained }) => (trained === null ? "–" : <Drawing markup={shareBar(trained, true)} />),
        },
      ]}
    />
  );
}
