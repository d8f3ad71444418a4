// The newcomer's path after sending a file: check the table, pick the label, press one button, watch, open the model.
// The address holds what was started, so a user may leave and come back.
import { useEffect, useRef } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { useAction } from "../browser/action.ts";
import { datasets, refinements, trainings } from "../browser/api.ts";
import { trainRefined } from "../browser/follow-refinement.ts";
import { useLoad } from "../browser/loading.ts";
import { type RefinementParts, useDataset, useLiveDataset, useRefinement, useTraining } from "../browser/looks.ts";
import { changesFrom, relatedFields, relatedIn, relatedOf, UNRELATED } from "../browser/related.ts";
import { goTo, linkTo, place, type ScreenProps } from "../browser/router.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announcements.tsx";
import { classBars } from "../components/class-bars.ts";
import { ColumnsTable } from "../components/columns-table.tsx";
import { DatasetFacts, Warnings } from "../components/dataset-profile.tsx";
import { Drawing } from "../components/drawing.tsx";
import { firstRows, isLabelFault, LabelChoice, useLabelChoice } from "../components/label-choice.tsx";
import { Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { RefinementAdvance, RefinementFigures, Trail } from "../components/refinement-advance.tsx";
import { type Begun, Earlier, StartChoices } from "../components/start-choices.tsx";
import { isOver } from "../components/state-badge.tsx";
import { Await, Banner, Empty, ErrorNote } from "../components/states.tsx";
import { formatAmount, formatCount } from "../format.ts";
import { DEFAULT_SCALING_FACTOR } from "../limits.ts";
import { Ended } from "./refinement.tsx";
import { CancelTraining, Look } from "./training.tsx";

const ABOVE = { href: linkTo("/"), name: "New" };
const STEPS = ["Send a table", "Pick the label", "Refine", "Train", "Result"] as const;

export function Start({ params }: ScreenProps) {
  const key = params["datasetKey"] ?? "";
  const begun = begunBy(place.value.query);
  const loaded = useLiveDataset(key);
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
  return {
    refinement: query.get("refinement"),
    training: query.get("training"),
    width,
    related: relatedIn(query) ?? UNRELATED,
  };
}

/** Puts what was started into the address. `linkTo` leaves out the number 0, but not its text. */
function show(datasetKey: string, { width, related, ...keys }: Begun, isReplaced = false): void {
  const fields = { ...keys, width: String(width), ...relatedFields(related) };
  goTo(linkTo(`/start/${datasetKey}`, fields), { replace: isReplaced });
}

/** The steps of the path, and where the user is. Refining is a step only if it was chosen. */
function Path({ at: here, isRefined = false }: { at: (typeof STEPS)[number]; isRefined?: boolean }) {
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

function Understood({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  const { status, errorCode } = dataset;
  if (status === "PENDING") {
    return (
      <Empty title="The file has not arrived">
        <p>
          Sending it was interrupted. <a href={linkTo("/")}>Send the file again.</a>
        </p>
      </Empty>
    );
  }
  if (status === "PROCESSING") {
    return (
      <>
        <Path at="Send a table" />
        <Progress label="Reading the file and its columns" share={null} />
      </>
    );
  }
  if (status === "FAILED" && !isLabelFault(errorCode)) return <NotUnderstood dataset={dataset} />;
  return <Labelled dataset={dataset} reload={reload} />;
}

/** The choice of the label stays in its place while the file is read with another, so that the keyboard does not lose it. */
function Labelled({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  const { datasetKey, status, classes, warnings, errorReason } = dataset;
  const choosing = useLabelChoice(dataset, reload);
  const { shown, isSettled } = choosing;
  const isFailed = status === "FAILED";
  const preview = useLoad(
    async (signal) => (isFailed ? datasets.preview(datasetKey, signal) : null),
    [datasetKey, isFailed],
  );
  // A dataset that failed does not know its columns.
  const known = useRef<readonly string[]>([]);
  if (!isFailed) known.current = dataset.columns.map(({ name }) => name);
  else if (preview.value !== null) known.current = preview.value.columns;
  const isFit = isSettled && !isFailed;
  return (
    <>
      <Path at="Pick the label" />
      {isFit && <DatasetFacts dataset={dataset} isShort />}
      {isFit && <Warnings warnings={warnings} />}
      {isFit && warnings.some(({ code }) => code === "HEADER_LOOKS_LIKE_DATA") && (
        <p>
          If the first row is data, <a href={linkTo("/")}>send the file again</a> and clear the box above it.
        </p>
      )}
      {isSettled && isFailed && (
        <Banner tone="failed" title="This label cannot be learned.">
          <p>{errorReason}</p>
        </Banner>
      )}
      <div class="two">
        <Section title="What should be predicted?">
          <LabelChoice columns={known.current} choosing={choosing} />
          {!isSettled && <Progress label={`Reading the table again, to predict ${shown}`} share={null} />}
          {isFit && <Drawing markup={classBars(classes)} />}
        </Section>
        {!isFailed && (
          <Section title="Find the best model">
            <Earlier datasetKey={datasetKey} />
            <StartChoices
              dataset={dataset}
              isReady={isSettled}
              onBegun={(begun) => show(datasetKey, begun)}
              onLabelChanged={reload}
            />
          </Section>
        )}
      </div>
      {isFit && (
        <Section title="Your columns">
          <ColumnsTable dataset={dataset} />
        </Section>
      )}
      {isFailed && preview.value !== null && (
        <Section title="How the file begins">
          <Drawing markup={firstRows(preview.value.columns, preview.value.rows)} />
        </Section>
      )}
    </>
  );
}

/** The file needs a correction. */
function NotUnderstood({ dataset: { datasetKey, errorReason } }: { dataset: DatasetRecord }) {
  const preview = useLoad((signal) => datasets.preview(datasetKey, signal), [datasetKey]);
  return (
    <>
      <Path at="Send a table" />
      <Banner tone="failed" title="The file cannot be used.">
        <p>{errorReason}</p>
        <p>
          Correct the file, then <a href={linkTo("/")}>send it again</a>.
        </p>
      </Banner>
      {preview.value !== null && (
        <Section title="How the file begins">
          <Drawing markup={firstRows(preview.value.columns, preview.value.rows)} />
        </Section>
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
  useEffect(() => {
    if (isDone) goOn.run();
  }, [isDone]);
  useEffect(() => () => leaving.current.abort(), []);
  return (
    <>
      <Path at={isDone ? "Train" : "Refine"} isRefined />
      {!isOver(progress.state) && <RefinementAdvance progress={progress} />}
      {isDone && goOn.problem === null && <Progress label="Preparing the training on the kept columns" share={null} />}
      <Ended progress={progress} hasResult={result !== null} />
      {goOn.problem !== null && <ErrorNote problem={goOn.problem} />}
      <div class="actions spaced">
        {!isOver(progress.state) && (
          <ActionButton
            word="Cancel"
            isDisabled={progress.cancelRequested === true}
            question={{
              title: "Cancel the refinement?",
              text: "What it has found so far is lost. You can train on all columns instead.",
              action: "Cancel the refinement",
              isDangerous: true,
            }}
            act={async () => {
              await refinements.cancel(key);
              announce("The refinement was cancelled.");
              reload();
            }}
          />
        )}
        {isDone && goOn.problem !== null && (
          <button type="button" class="primary" disabled={goOn.isRunning} onClick={() => goOn.run()}>
            Try again
          </button>
        )}
        {isOver(progress.state) && (!isDone || goOn.problem !== null) && (
          <ActionButton
            word="Train on all columns"
            act={async () => {
              const { trainingJobKey } = await trainings.start(datasetKey, {
                scalingFactor: begun.width,
                labelColumn: dataset.labelColumn!,
                ...changesFrom(relatedOf(dataset), begun.related),
              });
              show(datasetKey, { ...begun, refinement: null, training: trainingJobKey });
            }}
          />
        )}
        <span class="note">You may leave this page: it keeps running, and this address leads back.</span>
      </div>
      <RefinementFigures progress={progress} />
      <Trail progress={progress} />
    </>
  );
}

function Trained({ trainingKey, begun }: { trainingKey: string; begun: Begun }) {
  const loaded = useTraining(trainingKey);
  const trainedOn = useDataset(loaded.value?.job.datasetKey);
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
                <CancelTraining trainingKey={trainingKey} onCancelled={loaded.reload} />
              )}
              {over && modelKey !== null && (
                <a class="button primary" href={linkTo(`/models/${modelKey}`)}>
                  Open the model
                </a>
              )}
              {over && (
                <a class="button" href={linkTo("/")}>
                  Start again
                </a>
              )}
            </div>
            <Look {...look} dataset={trainedOn.value} />
          </>
        );
      }}
    </Await>
  );
}

/** How many columns the refinement kept, once it has a result. */
function Kept({ refinementKey }: { refinementKey: string }) {
  const { value } = useRefinement(refinementKey);
  if (value?.result == null) return null;
  const { keptColumns, columns } = value.result;
  return (
    <p class="lead">
      {formatCount(keptColumns.length)} of {formatAmount(columns.length, "column")} help to predict the label. Training
      uses these. <a href={linkTo(`/refinements/${refinementKey}`)}>See every decision</a>
    </p>
  );
}
