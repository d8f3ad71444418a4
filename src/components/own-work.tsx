// The first page's lists: what the server is at for this user, and what ended last.

import type { DatasetItem } from "../api/datasets/datasets.ts";
import type { RefinementItem } from "../api/refinements/feature-refinery.ts";
import type { OwnModel, OwnPrediction, OwnTraining } from "../api/users/own-lists.ts";
import type { Page } from "../browser/api.ts";
import { datasets, models, predictions, refinements, trainings } from "../browser/api.ts";
import { useLive } from "../browser/loading.ts";
import { linkTo } from "../browser/router.ts";
import { formatAmount } from "../common/format.ts";
import { isOver } from "../words/state-words.ts";
import { HealthWord } from "./model/health-word.tsx";
import { Judged } from "./model/judged.tsx";
import { Section } from "./page.tsx";
import { StateBadge } from "./state-badge.tsx";
import { Await } from "./states.tsx";
import { type Column, Table } from "./table.tsx";
import { NameLink, Time } from "./words.tsx";

/** The newest of each kind: whoever has more under way finds them in the lists. */
const LOOKED_AT = { offset: 0, limit: 20 };
const MOST_ENDED = 5;
const MOST_ALARMING = 5;
const RECHECK_MS = 4_000;
/** While nothing is under way: another page or program may begin something. */
const IDLE_RECHECK_MS = 20_000;

/** A piece of work, whatever its kind. */
interface ListedWork {
  key: string;
  name: string;
  /** The kind of work, in a word or two. */
  what: string;
  state: string;
  isUnderWay: boolean;
  href: string;
  createdOn: string;
  /** Only for a training that has ended. */
  training?: OwnTraining;
}

interface Own {
  work: ListedWork[];
  /** Whose champion is worse than promised or has shifted, in this order: those used for years among them. */
  alarming: Pick<Page<OwnModel>, "items" | "total">;
  counts: { datasets: number; models: number; predictions: number };
}

async function loadOwn(signal: AbortSignal): Promise<Own> {
  const [ownDatasets, runs, jobs, scored, ownModels, worse, shifted] = await Promise.all([
    datasets.list(LOOKED_AT, signal),
    refinements.list(LOOKED_AT, signal),
    trainings.list(LOOKED_AT, signal),
    predictions.list(LOOKED_AT, signal),
    models.list({ offset: 0, limit: 1 }, signal),
    models.list({ offset: 0, limit: MOST_ALARMING, watchState: "WORSE_THAN_PROMISED" }, signal),
    models.list({ offset: 0, limit: MOST_ALARMING, watchState: "SHIFTED" }, signal),
  ]);
  const work = [
    ...ownDatasets.items.flatMap(readingOf),
    ...runs.items.flatMap(refiningOf),
    ...jobs.items.map(trainingOf),
    ...scored.items.map(predictingOf),
  ];
  return {
    alarming: {
      items: [...worse.items, ...shifted.items].slice(0, MOST_ALARMING),
      total: worse.total + shifted.total,
    },
    work: work.sort((a, b) => b.createdOn.localeCompare(a.createdOn)),
    counts: { datasets: ownDatasets.total, models: ownModels.total, predictions: scored.total },
  };
}

/** A table is of interest here only while it is read: what is done with it afterwards stands for itself. */
function readingOf({ datasetKey, name, status, createdOn }: DatasetItem): ListedWork[] {
  if (status !== "PROCESSING") return [];
  const href = linkTo(`/start/${datasetKey}`);
  return [{ key: datasetKey, name, what: "Reading the table", state: status, isUnderWay: true, href, createdOn }];
}

/** A run that was never started is no other than one in the queue. */
const UNSTARTED = "Refinement, waiting for its files or its turn";

/** Where a training follows, both are one piece of work until that has started; then it is the training's. */
function refiningOf({
  featureRefinementKey: key,
  name,
  state,
  createdOn,
  plannedTraining: plan,
}: RefinementItem): ListedWork[] {
  if (plan?.status === "STARTED") return [];
  const isToCome = plan?.status === "WAITING" || plan?.status === "PREPARING";
  const source = plan?.sourceDatasetKey ?? null;
  return [
    {
      ...{ key, name, createdOn },
      what: plan !== null ? "Refinement, then training" : state === "PENDING" ? UNSTARTED : "Refinement",
      state: isOver(state) && isToCome ? "RUNNING" : plan?.status === "FAILED" ? "FAILED" : state,
      isUnderWay: !isOver(state) || isToCome,
      href: source === null ? linkTo(`/refinements/${key}`) : linkTo(`/start/${source}`, { refinement: key }),
    },
  ];
}

function trainingOf(job: OwnTraining): ListedWork {
  const { trainingJobKey: key, datasetName: name, status: state, createdOn } = job;
  const isUnderWay = !isOver(state);
  const href = linkTo(`/trainings/${key}`);
  return {
    ...{ key, name, what: "Training", state, isUnderWay, href, createdOn },
    ...(!isUnderWay && { training: job }),
  };
}

function predictingOf({
  predictionKey: key,
  fileName,
  datasetName,
  status: state,
  createdOn,
}: OwnPrediction): ListedWork {
  const name = fileName ?? datasetName;
  const href = linkTo(`/predictions/${key}`);
  return { key, name, what: "Prediction", state, isUnderWay: !isOver(state), href, createdOn };
}

export function OwnWork() {
  const ownWork = useLive(loadOwn, [], ({ work }) =>
    work.some(({ isUnderWay }) => isUnderWay) ? RECHECK_MS : IDLE_RECHECK_MS,
  );
  return (
    <Await loaded={ownWork}>
      {({ work, alarming, counts }) => {
        const underWay = work.filter(({ isUnderWay }) => isUnderWay);
        const endedWork = work.filter(({ isUnderWay }) => !isUnderWay).slice(0, MOST_ENDED);
        return (
          <>
            {alarming.total > 0 && <Alarming models={alarming} />}
            {underWay.length > 0 && (
              <Section title="Under way">
                <p class="note">The server works on, whether this page is open or not.</p>
                <Table caption="Under way" rows={underWay} keyOf={({ key }) => key} columns={UNDER_WAY_COLUMNS} />
              </Section>
            )}
            {endedWork.length > 0 && (
              <Section title="New results">
                <Table caption="What ended last" rows={endedWork} keyOf={({ key }) => key} columns={ENDED_COLUMNS} />
              </Section>
            )}
            {counts.datasets + counts.models + counts.predictions > 0 && (
              <p class="note spaced">
                You have <a href={linkTo("/datasets")}>{formatAmount(counts.datasets, "dataset")}</a>,{" "}
                <a href={linkTo("/models")}>{formatAmount(counts.models, "model")}</a> and{" "}
                <a href={linkTo("/predictions")}>{formatAmount(counts.predictions, "prediction")}</a>.
              </p>
            )}
          </>
        );
      }}
    </Await>
  );
}

function Alarming({ models: { items, total } }: { models: Own["alarming"] }) {
  return (
    <Section title="To look at">
      <p class="note">
        {total === 1 ? "This model may" : "These models may"} no longer be as good as measured: labels that came later
        say so, or the rows that come in are unlike the training rows.
      </p>
      <ul class="alarming-models">
        {items.map(({ modelKey, name, datasetName, watchState }) => (
          <li key={modelKey}>
            <NameLink to={`/models/${modelKey}/health`} name={name ?? datasetName} />
            <HealthWord modelKey={modelKey} state={watchState} />
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p class="note">
          And {formatAmount(total - items.length, "more", "more")} among <a href={linkTo("/models")}>your models</a>.
        </p>
      )}
    </Section>
  );
}

const NAME: Column<ListedWork> = {
  head: "Name",
  cell: ({ name, href }) => (
    <a href={href}>
      <bdi>{name}</bdi>
    </a>
  ),
};
const WHAT: Column<ListedWork> = { head: "What", cell: ({ what }) => what };
const STATE: Column<ListedWork> = { head: "State", cell: ({ state }) => <StateBadge state={state} /> };
const STARTED: Column<ListedWork> = { head: "Started", cell: ({ createdOn }) => <Time at={createdOn} /> };
const ACCURACY: Column<ListedWork> = {
  head: "Accuracy",
  isNumber: true,
  cell: ({ training, href }) =>
    training !== undefined &&
    training.achievedPerformance !== null && (
      <Judged accuracy={training.achievedPerformance} verdict={training.verdict} href={href} trained={training} />
    ),
};

const UNDER_WAY_COLUMNS = [NAME, WHAT, STATE, STARTED];
const ENDED_COLUMNS = [NAME, WHAT, STATE, ACCURACY, STARTED];
