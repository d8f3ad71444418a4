// One prediction: how far it is, what the file came back with, and its first rows.
import type { PredictionRecord } from "../api/prediction-files.ts";
import { useAction } from "../browser/action.ts";
import { datasets, models, predictions } from "../browser/api.ts";
import { until, useLive, useLoad } from "../browser/loading.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { announce } from "../components/announcements.tsx";
import { Warnings } from "../components/dataset-profile.tsx";
import { confirm } from "../components/dialog.tsx";
import { Download } from "../components/download.tsx";
import { Drawing } from "../components/drawing.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { ResultPreview } from "../components/result-preview.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Await, Empty, ErrorNote } from "../components/states.tsx";
import { Time, Undefined } from "../components/words.tsx";
import { formatCount, formatDuration } from "../format.ts";
import { confidenceFigure } from "../report/confidence.ts";
import { labelsFigure } from "../report/predictions.ts";

const ABOVE = { href: linkTo("/predictions"), name: "Predictions" };

export function Prediction({ params }: ScreenProps) {
  const key = params["predictionKey"] ?? "";
  const loaded = useLive(
    (signal) => predictions.get(key, signal),
    [key],
    until(({ status }) => isOver(status)),
  );
  const prediction = loaded.value;
  const datasetKey = prediction?.datasetKey;
  // Deleted datasets have no name to show any more.
  const dataset = useLoad(
    async (signal) => (datasetKey === undefined ? null : datasets.get(datasetKey, signal)),
    [datasetKey],
  );
  const remove = useAction(async () => {
    const text = "The file that was sent goes too, and the result, for good.";
    if (!(await confirm({ title: "Delete the prediction?", text, action: "Delete", isDangerous: true }))) return;
    await predictions.remove(key);
    announce("The prediction was deleted.");
    goTo(linkTo("/predictions"));
  });
  return (
    <Page
      title={dataset.value === null ? "Prediction" : `Prediction by the model of ${dataset.value.name}`}
      above={ABOVE}
      {...(prediction !== null && {
        mark: <StateBadge state={prediction.status} />,
        actions: prediction.status !== "RUNNING" && (
          <>
            <button type="button" class="quiet" disabled={remove.isRunning} onClick={() => remove.run()}>
              Delete
            </button>
            {prediction.predictionResultUrl !== null && (
              <Download path={pathOf(key)} fileName={`prediction-${key}.csv`} word="Download the CSV" isMain />
            )}
          </>
        ),
      })}
    >
      {remove.problem !== null && <ErrorNote problem={remove.problem} />}
      <Await loaded={loaded}>{(known) => <Body prediction={known} />}</Await>
    </Page>
  );
}

function Body({ prediction }: { prediction: PredictionRecord }) {
  const { status, errorReason } = prediction;
  switch (status) {
    case "PENDING":
      return <Progress label="Waiting until other jobs make room" share={null} />;
    case "RUNNING":
      return <Progress label="Scoring the rows" share={null} />;
    case "FAILED":
    case "TIMEOUT":
      return (
        <div class="banner failed" role="note">
          <strong>The file was not scored.</strong>
          <p>{errorReason}</p>
          <p>
            Correct the file, then <a href={linkTo(`/models/${prediction.modelKey}/predict`)}>send it again</a>.
          </p>
        </div>
      );
    case "COMPLETED":
      return <Result prediction={prediction} />;
  }
}

function Result({ prediction }: { prediction: PredictionRecord }) {
  const { predictionKey, modelKey, version, rowCount, warnings, createdOn, finishedOn, predictionResultUrl } =
    prediction;
  return (
    <>
      <Facts
        facts={[
          ["Rows", formatCount(rowCount)],
          [
            "Scored by",
            <a key="model" href={linkTo(`/models/${modelKey}`)}>
              v{version} of the model
            </a>,
          ],
          ["Took", finishedOn === null ? <Undefined key="took" reason="Not finished" /> : took(createdOn, finishedOn)],
          ["Created", <Time key="created" at={createdOn} />],
          [
            "Other forms",
            predictionResultUrl === null ? (
              <Undefined key="none" reason="It is kept no longer" />
            ) : (
              <Download
                key="safe"
                path={`${pathOf(predictionKey)}?spreadsheetSafe=true`}
                fileName={`prediction-${predictionKey}.csv`}
                word="Safe for spreadsheets"
              />
            ),
          ],
        ]}
      />
      <Warnings warnings={warnings} />
      <Labels prediction={prediction} />
      <Section title="The first rows">
        {predictionResultUrl === null ? (
          <Empty title="The result is not kept any more">
            <p>This server removes results after a while. Send the file again to have it back.</p>
          </Empty>
        ) : (
          <ResultPreview predictionKey={predictionKey} rowCount={rowCount ?? 0} />
        )}
      </Section>
    </>
  );
}

/** Beside those of the training file; those of a deleted model are not known any more. */
function Labels({ prediction }: { prediction: PredictionRecord }) {
  const { labelCounts, confidenceCounts, modelKey, version } = prediction;
  const details = useLoad((signal) => models.details(modelKey, signal), [modelKey]);
  if (labelCounts === null || details.value === null) return null;
  const judged = details.value.versions.find((each) => each.version === version);
  const confidence = confidenceFigure("the file", confidenceCounts ?? [], judged?.calibration ?? null);
  return (
    <div class="two">
      <Section title="Predicted labels">
        <Drawing markup={labelsFigure("the file", labelCounts, details.value.classes)} />
      </Section>
      {confidence !== null && (
        <Section title="How sure the model is">
          <Drawing markup={confidence} />
        </Section>
      )}
    </div>
  );
}

function pathOf(predictionKey: string) {
  return `/api/v1/predictions/${predictionKey}/file` as const;
}

function took(from: string, to: string): string {
  return formatDuration((Date.parse(to) - Date.parse(from)) / 1_000);
}
