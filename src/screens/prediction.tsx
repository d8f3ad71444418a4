// One prediction: its progress, what came back, and the first rows of the result.
import type { ModelDetails } from "../api/models/model-details.ts";
import type { PredictionRecord } from "../api/predictions/prediction-files.ts";
import { models, predictions } from "../browser/api.ts";
import { until, useLive, useLoad } from "../browser/loading.ts";
import { useDataset } from "../browser/resources.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { formatCount, formatDuration, formatPercent } from "../common/format.ts";
import { plainName } from "../common/markup.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { DeleteButton, Download } from "../components/action-button.tsx";
import { Warnings } from "../components/dataset-profile.tsx";
import { DrawnSection } from "../components/drawing.tsx";
import { FileShift } from "../components/file-shift.tsx";
import { Outcomes } from "../components/outcomes.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { ResultPreview } from "../components/result-preview.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Await, Banner, Empty } from "../components/states.tsx";
import { orDash, Time, Undefined } from "../components/words.tsx";
import { confidenceFigure } from "../report/confidence.ts";
import { labelsFigure } from "../report/predictions.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { isOver } from "../words/state-words.ts";

const LABEL_LENGTH = 32;
const ABOVE = { href: linkTo("/predictions"), name: "Predictions" };

export function Prediction({ params }: ScreenProps) {
  const key = params["predictionKey"] ?? "";
  const loaded = useLive(
    (signal) => predictions.get(key, signal),
    [key],
    until(({ status }) => isOver(status)),
  );
  const prediction = loaded.value;
  const dataset = useDataset(prediction?.datasetKey);
  return (
    <Page
      title={titleOf(prediction?.fileName ?? null, dataset.value?.name ?? null)}
      above={ABOVE}
      mark={prediction && <StateBadge state={prediction.status} />}
      actions={prediction !== null && <Actions prediction={prediction} />}
    >
      <Await loaded={loaded}>{(known) => <Body prediction={known} />}</Await>
    </Page>
  );
}

function titleOf(fileName: string | null, datasetName: string | null): string {
  if (fileName !== null) return `Prediction of ${fileName}`;
  return datasetName === null ? "Prediction" : `Prediction by the model of ${datasetName}`;
}

function Actions({ prediction }: { prediction: PredictionRecord }) {
  const { predictionKey: key, status, predictionResultUrl, resultFileName } = prediction;
  return (
    <>
      <DeleteButton
        title="Delete the prediction?"
        text={`${isOver(status) ? "The result goes" : "It ends without a result"}, and the file that was sent goes too. This cannot be undone.`}
        remove={() => predictions.remove(key)}
        news="The prediction was deleted."
        list="/predictions"
      />
      {predictionResultUrl !== null && (
        <Download path={pathOf(key)} fileName={resultFileName} word="Download the CSV" look="primary" />
      )}
    </>
  );
}

function Body({ prediction }: { prediction: PredictionRecord }) {
  switch (prediction.status) {
    case "PENDING":
      return <Progress label="Waiting for other jobs to finish" share={null} />;
    case "RUNNING":
      return <Progress label={withReadersNumbers(prediction.waitingReason ?? "Predicting the rows")} share={null} />;
    case "FAILED":
    case "TIMEOUT":
      return (
        <Banner tone="failed" title="The file was not scored.">
          <p>{withReadersNumbers(prediction.errorReason ?? "")}</p>
          <p>
            Correct the file, then <a href={linkTo(`/models/${prediction.modelKey}/predict`)}>send it again</a>.
          </p>
        </Banner>
      );
    case "COMPLETED":
      return <Result prediction={prediction} />;
  }
}

function Result({ prediction }: { prediction: PredictionRecord }) {
  const { predictionKey: key, modelKey, version, rowCount, threshold, warnings, createdOn, finishedOn } = prediction;
  const { value: details } = useLoad((signal) => models.details(modelKey, signal), [modelKey]);
  const { value: model } = useLoad((signal) => models.get(modelKey, signal), [modelKey]);
  const isKept = prediction.predictionResultUrl !== null;
  const { objective = "accuracy", positiveLabel = null, versions = [] } = details ?? {};
  const trained = versions.find((each) => each.version === version)?.trainedThreshold ?? null;
  const label = positiveLabel === null ? "" : `${plainName(positiveLabel, LABEL_LENGTH)} above `;
  return (
    <>
      <Facts
        facts={[
          ["Rows", formatCount(rowCount)],
          [
            "Predicted by",
            <a key="model" href={linkTo(`/models/${modelKey}`)}>
              v{version} of <bdi>{model?.name ?? "the model"}</bdi>
            </a>,
          ],
          threshold !== null && ["Threshold", `${label}${formatPercent(threshold)}`],
          // Unless another threshold was chosen since.
          objective !== "accuracy" && threshold === trained && ["Decisions aim at", MEASURE_NAMES[objective]],
          ["Took", orDash("Not finished", finishedOn, (at) => took(createdOn, at))],
          ["Created", <Time key="created" at={createdOn} />],
          [
            "Another form",
            isKept ? (
              <Download
                key="safe"
                path={`${pathOf(key)}?spreadsheetSafe=true`}
                fileName={prediction.resultFileName}
                word="Safe for spreadsheets"
              />
            ) : (
              <Undefined key="none" reason="The result is no longer kept" />
            ),
          ],
        ]}
      />
      <Warnings warnings={warnings} />
      {details !== null && <Labels prediction={prediction} details={details} />}
      <FileShift predictionKey={key} />
      <Outcomes prediction={prediction} />
      <Section title="The first rows">
        {isKept ? (
          <ResultPreview prediction={prediction} rowCount={rowCount ?? 0} />
        ) : (
          <Empty title="The result is no longer kept">
            <p>This server removes results after a while. Send the file again to get it back.</p>
          </Empty>
        )}
      </Section>
    </>
  );
}

/** Compared with the labels of the training file; a deleted model's are no longer known. */
function Labels({ prediction, details }: { prediction: PredictionRecord; details: ModelDetails }) {
  const { labelCounts, confidenceCounts, version } = prediction;
  if (labelCounts === null) return null;
  const judged = details.versions.find((each) => each.version === version);
  const confidence = confidenceFigure("the file", confidenceCounts ?? [], judged?.calibration ?? null);
  return (
    <div class="two">
      <DrawnSection title="Predicted labels" markup={labelsFigure("the file", labelCounts, details.classes)} />
      {confidence !== null && <DrawnSection title="How sure the model is" markup={confidence} />}
    </div>
  );
}

function pathOf(predictionKey: string) {
  return `/api/v1/predictions/${predictionKey}/file` as const;
}

function took(from: string, to: string): string {
  return formatDuration((Date.parse(to) - Date.parse(from)) / 1_000);
}
