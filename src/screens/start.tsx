// The newcomer's path after sending a file: check the table, pick the label, press one button, watch, open the model.
// The address holds what was started, so a user may leave and come back.
import { useRef } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { datasets } from "../browser/api.ts";
import { hasChoices } from "../browser/forms/choices.ts";
import { useLoad } from "../browser/loading.ts";
import { useDataset, useLiveDataset, useRefinement, useTraining } from "../browser/resources.ts";
import { goTo, linkTo, place, type ScreenProps } from "../browser/router.ts";
import { formatAmount, formatCount } from "../common/format.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { ActionButton, LinkButton } from "../components/action-button.tsx";
import { useChoosing } from "../components/choosing/choosing.ts";
import { classBars } from "../components/class-bars.ts";
import { ColumnsTable } from "../components/columns-table.tsx";
import { DatasetFacts, Warnings } from "../components/dataset-profile.tsx";
import { Drawing } from "../components/drawing.tsx";
import { FirstRows } from "../components/first-rows.tsx";
import { Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { isLabelFault, LabelChoice } from "../components/starting/label-choice.tsx";
import { Earlier, StartChoices } from "../components/starting/start-choices.tsx";
import { Path, show } from "../components/starting/start-path.tsx";
import { Await, Banner, Empty } from "../components/states.tsx";
import { isOver } from "../words/state-words.ts";
import { Refined } from "./refine-then-train.tsx";
import { CancelTraining, TrainingState } from "./training.tsx";

const ABOVE = { href: linkTo("/"), name: "New" };

export function Start({ params }: ScreenProps) {
  const key = params["datasetKey"] ?? "";
  const { query } = place.value;
  const [refinement, training] = [query.get("refinement"), query.get("training")];
  const loaded = useLiveDataset(key);
  const dataset = loaded.value;
  return (
    <Page title={dataset?.name ?? "Your table"} above={ABOVE}>
      {training !== null ? (
        <Trained trainingKey={training} refinementKey={refinement} />
      ) : refinement !== null ? (
        <Refined refinementKey={refinement} datasetKey={key} dataset={dataset} />
      ) : (
        <Await loaded={loaded}>{(value) => <Understood dataset={value} reload={loaded.reload} />}</Await>
      )}
    </Page>
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

/**
 * The choice of the label stays in its place while the file is read with
 * another, so that the keyboard does not lose it.
 */
function Labelled({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  const { datasetKey, status, classes, warnings, errorReason } = dataset;
  const choosing = useChoosing(dataset, reload);
  const { labelColumn } = choosing.shown;
  const isSettled = !choosing.isReading && labelColumn === dataset.labelColumn;
  const isFailed = status === "FAILED";
  const preview = useLoad(
    async (signal) => (isFailed ? datasets.preview(datasetKey, signal) : null),
    [datasetKey, isFailed],
  );
  // A dataset that failed does not know its columns.
  const columnNames = useRef<readonly string[]>([]);
  if (!isFailed) columnNames.current = dataset.columns.map(({ name }) => name);
  else if (preview.value !== null) columnNames.current = preview.value.columns;
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
          <p>{withReadersNumbers(errorReason ?? "")}</p>
        </Banner>
      )}
      <div class="two">
        <Section title="What should be predicted?">
          <LabelChoice columns={columnNames.current} choosing={choosing} />
          {!isSettled && <Progress label={`Reading the table again, to predict ${labelColumn}`} share={null} />}
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
        <Section
          title="Your columns"
          actions={<a href={linkTo(`/datasets/${datasetKey}`)}>Change how they are read</a>}
        >
          <ColumnsTable dataset={dataset} />
        </Section>
      )}
      {isFailed && preview.value !== null && <FirstRows title="How the file begins" opening={preview.value} />}
    </>
  );
}

/** The file needs a correction. Its dataset would only lie in the way of the next one, so it is deleted then. */
function NotUnderstood({ dataset }: { dataset: DatasetRecord }) {
  const { datasetKey, errorReason } = dataset;
  const preview = useLoad((signal) => datasets.preview(datasetKey, signal), [datasetKey]);
  const sendAgain = async () => {
    await datasets.remove(datasetKey);
    goTo(linkTo("/"));
  };
  return (
    <>
      <Path at="Send a table" />
      <Banner tone="failed" title="The file cannot be used.">
        <p>{withReadersNumbers(errorReason ?? "")}</p>
        <p>
          {hasChoices(dataset) && (
            <>
              <a href={linkTo(`/datasets/${datasetKey}`)}>Choose otherwise how it is read</a>, or else:{" "}
            </>
          )}
          Correct the file, then <ActionButton word="send it again" look="link" act={sendAgain} />.
        </p>
      </Banner>
      {preview.value !== null && <FirstRows title="How the file begins" opening={preview.value} />}
    </>
  );
}

function Trained({ trainingKey, refinementKey }: { trainingKey: string; refinementKey: string | null }) {
  const loaded = useTraining(trainingKey);
  const trainedOn = useDataset(loaded.value?.job.datasetKey);
  return (
    <Await loaded={loaded}>
      {(look) => {
        const over = isOver(look.progress.status) && !look.isClosing;
        const { modelKey } = look.job;
        return (
          <>
            <Path at={over ? "Result" : "Train"} isRefined={refinementKey !== null} />
            {refinementKey !== null && <Kept refinementKey={refinementKey} />}
            <div class="actions spaced">
              {!isOver(look.progress.status) && (
                <CancelTraining trainingKey={trainingKey} onCancelled={loaded.reload} />
              )}
              {over && modelKey !== null && (
                <LinkButton word="Open the model" href={linkTo(`/models/${modelKey}`)} look="primary" />
              )}
              {over && <LinkButton word="Start again" href={linkTo("/")} />}
            </div>
            <TrainingState {...look} dataset={trainedOn.value} />
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
