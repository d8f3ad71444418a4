// The newcomer's path behind the file: see what was understood, pick the label, press one button, watch, and have a model.
// All that was begun stands in the address, so that somebody may leave and come back.
import { useEffect, useRef } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets.ts";
import { useAction } from "../browser/action.ts";
import { datasets, refinements, trainings } from "../browser/api.ts";
import { trainRefined } from "../browser/follow-refinement.ts";
import { until, useLive, useLoad } from "../browser/loading.ts";
import type { RefinementParts } from "../browser/refinement-account.ts";
import { useRefinement } from "../browser/refinement-look.ts";
import { goTo, linkTo, place, type ScreenProps } from "../browser/router.ts";
import { useTraining } from "../browser/training-look.ts";
import { announce } from "../components/announcements.tsx";
import { classBars } from "../components/class-bars.ts";
import { ColumnsTable } from "../components/columns-table.tsx";
import { DatasetFacts, Warnings } from "../components/dataset-profile.tsx";
import { confirm } from "../components/dialog.tsx";
import { Drawing } from "../components/drawing.tsx";
import { FirstRows, isLabelFault, LabelChoice } from "../components/label-choice.tsx";
import { Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { RefinementAdvance, RefinementFigures, Trail } from "../components/refinement-advance.tsx";
import { type Begun, Earlier, StartChoices } from "../components/start-choices.tsx";
import { isOver } from "../components/state-badge.tsx";
import { Await, Empty, ErrorNote } from "../components/states.tsx";
import { Steps } from "../components/steps.tsx";
import { formatAmount, formatCount } from "../format.ts";
import { DEFAULT_SCALING_FACTOR } from "../limits.ts";
import { Ended } from "./refinement.tsx";
import { Look } from "./training.tsx";

const ABOVE = { href: linkTo("/"), name: "New" };
const STEPS = ["Bring a table", "Pick the label", "Refine", "Train", "Result"] as const;

export function Start({ params }: ScreenProps) {
  const key = params["datasetKey"] ?? "";
  const begun = begunBy(place.value.query);
  const loaded = useLive(
    (signal) => datasets.get(key, signal),
    [key],
    until(({ status }) => isOver(status)),
  );
  const dataset = loaded.value;
  return (
    <Page title={dataset?.name ?? "Your table"} above={ABOVE}>
      {begun.training !== null ? (
        <Trained trainingKey={begun.training} begun={begun} />
      ) : (
        <Await loaded={loaded}>
          {(value) =>
            begun.refinement !== null ? (
              <Refined refinementKey={begun.refinement} dataset={value} begun={begun} />
            ) : (
              <Understood dataset={value} reload={loaded.reload} />
            )
          }
        </Await>
      )}
    </Page>
  );
}

function begunBy(query: URLSearchParams): Begun {
  const width = Number(query.get("width") ?? DEFAULT_SCALING_FACTOR);
  return { refinement: query.get("refinement"), training: query.get("training"), width };
}

/** `width` may be 0, which a link would leave out. */
function show(datasetKey: string, { width, ...keys }: Begun, isReplaced = false): void {
  goTo(linkTo(`/start/${datasetKey}`, { ...keys, width: String(width) }), { replace: isReplaced });
}

/** Refining is a step only for those who wished it. */
function Path({ at, isRefined = false }: { at: (typeof STEPS)[number]; isRefined?: boolean }) {
  const names = STEPS.filter((name) => isRefined || name !== "Refine");
  return <Steps label="From a file to a model" names={names} current={names.indexOf(at)} />;
}

function Understood({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  const { datasetKey, status, labelColumn, columns, classes, warnings } = dataset;
  if (status === "PENDING") {
    return (
      <Empty title="The file has not come yet">
        <p>
          The upload was left before its end. <a href={linkTo("/")}>Bring the file again.</a>
        </p>
      </Empty>
    );
  }
  if (status === "PROCESSING") {
    return (
      <>
        <Path at="Bring a table" />
        <Progress label="Reading the file and its columns" share={null} />
      </>
    );
  }
  if (status === "FAILED") return <NotUnderstood dataset={dataset} reload={reload} />;
  return (
    <>
      <Path at="Pick the label" />
      <DatasetFacts dataset={dataset} isShort />
      <Warnings warnings={warnings} />
      {warnings.some(({ code }) => code === "HEADER_LOOKS_LIKE_DATA") && (
        <p>
          If the first row is data, <a href={linkTo("/")}>bring the file again</a> and say so before you choose it.
        </p>
      )}
      <div class="two">
        <Section title="What shall be predicted?">
          <LabelChoice
            datasetKey={datasetKey}
            columns={columns.map(({ name }) => name)}
            labelColumn={labelColumn}
            onChange={reload}
          />
          <Drawing markup={classBars(classes)} />
        </Section>
        <Section title="Find the best model">
          <Earlier datasetKey={datasetKey} />
          <StartChoices dataset={dataset} onBegun={(begun) => show(datasetKey, begun)} />
        </Section>
      </div>
      <Section title="What was understood of the columns">
        <ColumnsTable dataset={dataset} />
      </Section>
    </>
  );
}

/** A file whose fault is its label may be read with another one; any other has to be corrected. */
function NotUnderstood({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  const { datasetKey, errorReason, errorCode, labelColumn } = dataset;
  const isLabelAtFault = isLabelFault(errorCode);
  const preview = useLoad((signal) => datasets.preview(datasetKey, signal), [datasetKey]);
  return (
    <>
      <Path at={isLabelAtFault ? "Pick the label" : "Bring a table"} />
      <div class="banner failed" role="note">
        <strong>{isLabelAtFault ? "This label cannot be learned." : "The file cannot be used."}</strong>
        <p>{errorReason}</p>
        {!isLabelAtFault && (
          <p>
            Correct the file, then <a href={linkTo("/")}>bring it again</a>.
          </p>
        )}
      </div>
      {preview.value !== null && (
        <>
          {isLabelAtFault && (
            <Section title="What shall be predicted?">
              <LabelChoice
                datasetKey={datasetKey}
                columns={preview.value.columns}
                labelColumn={labelColumn ?? preview.value.columns.at(-1) ?? null}
                onChange={reload}
              />
            </Section>
          )}
          <Section title="The file begins with">
            <FirstRows columns={preview.value.columns} rows={preview.value.rows} />
          </Section>
        </>
      )}
    </>
  );
}

interface RefinedProps {
  refinementKey: string;
  dataset: DatasetRecord;
  begun: Begun;
}

function Refined({ refinementKey, dataset, begun }: RefinedProps) {
  const loaded = useRefinement(refinementKey);
  return (
    <Await loaded={loaded}>
      {(parts) => <Refining {...parts} dataset={dataset} begun={begun} reload={loaded.reload} />}
    </Await>
  );
}

type RefiningProps = RefinementParts & { dataset: DatasetRecord; begun: Begun; reload(): void };

function Refining({ run, progress, result, dataset, begun, reload }: RefiningProps) {
  const { datasetKey, name } = dataset;
  const key = run.featureRefinementKey;
  const leaving = useRef(new AbortController());
  const isDone = progress.state === "REFINEMENT_COMPLETED";
  const goOn = useAction(async () => {
    const training = await trainRefined(key, name, begun.width, leaving.current.signal);
    show(datasetKey, { ...begun, training }, true);
  });
  const trainOnAll = useAction(async () => {
    const { trainingJobKey } = await trainings.start(datasetKey, { scalingFactor: begun.width });
    show(datasetKey, { ...begun, refinement: null, training: trainingJobKey });
  });
  const cancel = useCancel("refinement", () => refinements.cancel(key), reload);
  useEffect(() => {
    if (isDone) goOn.run();
  }, [isDone]);
  useEffect(() => () => leaving.current.abort(), []);
  const problem = goOn.problem ?? trainOnAll.problem ?? cancel.problem;
  return (
    <>
      <Path at={isDone ? "Train" : "Refine"} isRefined />
      {!isOver(progress.state) && <RefinementAdvance progress={progress} />}
      {isDone && goOn.problem === null && <Progress label="Preparing the training on the kept columns" share={null} />}
      <Ended progress={progress} hasResult={result !== null} />
      {problem !== null && <ErrorNote problem={problem} />}
      <div class="actions spaced">
        {!isOver(progress.state) && (
          <button type="button" disabled={cancel.isRunning || progress.cancelRequested === true} onClick={cancel.run}>
            Cancel
          </button>
        )}
        {isDone && goOn.problem !== null && (
          <button type="button" class="primary" disabled={goOn.isRunning} onClick={() => goOn.run()}>
            Try again
          </button>
        )}
        {isOver(progress.state) && (!isDone || goOn.problem !== null) && (
          <button type="button" disabled={trainOnAll.isRunning} onClick={() => trainOnAll.run()}>
            Train on all columns
          </button>
        )}
        <span class="note">It goes on when you leave this page: come back by this address.</span>
      </div>
      <RefinementFigures progress={progress} />
      <Trail progress={progress} />
    </>
  );
}

function Trained({ trainingKey, begun }: { trainingKey: string; begun: Begun }) {
  const loaded = useTraining(trainingKey);
  const { value } = loaded;
  const trainedOn = useLoad(
    async (signal) => (value === null ? null : datasets.get(value.job.datasetKey, signal)),
    [value?.job.datasetKey],
  );
  const cancel = useCancel("training", () => trainings.cancel(trainingKey), loaded.reload);
  return (
    <Await loaded={loaded}>
      {(look) => {
        const over = isOver(look.progress.status) && !look.isClosing;
        const { modelKey } = look.job;
        return (
          <>
            <Path at={over ? "Result" : "Train"} isRefined={begun.refinement !== null} />
            {begun.refinement !== null && <Kept refinementKey={begun.refinement} />}
            <div class="actions spaced">
              {!isOver(look.progress.status) && (
                <button type="button" disabled={cancel.isRunning} onClick={cancel.run}>
                  Cancel
                </button>
              )}
              {over && modelKey !== null && (
                <a class="button primary" href={linkTo(`/models/${modelKey}`)}>
                  Open the model
                </a>
              )}
              {over && (
                <a class="button" href={linkTo("/")}>
                  Begin anew
                </a>
              )}
            </div>
            {cancel.problem !== null && <ErrorNote problem={cancel.problem} />}
            <Look {...look} dataset={trainedOn.value} />
          </>
        );
      }}
    </Await>
  );
}

/** What the refinement left, once it has a result. */
function Kept({ refinementKey }: { refinementKey: string }) {
  const { value } = useRefinement(refinementKey);
  if (value?.result == null) return null;
  const { keptColumns, columns } = value.result;
  return (
    <p class="lead">
      {formatCount(keptColumns.length)} of {formatAmount(columns.length, "column")} carry signal and are trained on.{" "}
      <a href={linkTo(`/refinements/${refinementKey}`)}>See every decision</a>
    </p>
  );
}

function useCancel(what: string, cancel: () => Promise<unknown>, reload: () => void) {
  const action = useAction(async () => {
    const text =
      what === "training"
        ? "The best attempts that have finished by then are kept."
        : "What it has found out so far is lost. You can train on all columns instead.";
    if (!(await confirm({ title: `Cancel the ${what}?`, text, action: `Cancel the ${what}`, isDangerous: true })))
      return;
    await cancel();
    announce(`The ${what} was cancelled.`);
    reload();
  });
  return { ...action, run: () => action.run() };
}
