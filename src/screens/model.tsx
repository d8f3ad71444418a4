// One model: how good it is, its versions side by side, and which of them predicts.
import type { ModelDetails } from "../api/models/model-details.ts";
import type { ModelDetail } from "../api/models/models.ts";
import { models, trainings } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { useDataset, useModel, type WholeModel } from "../browser/looks.ts";
import { relatedOf, UNRELATED } from "../browser/related.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { plainName } from "../charts/markup.ts";
import { figure, responsive } from "../charts/pictures.ts";
import { ActionButton, Download } from "../components/action-button.tsx";
import { announce } from "../components/announcements.tsx";
import { Warnings } from "../components/dataset-profile.tsx";
import { Drawing } from "../components/drawing.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Await } from "../components/states.tsx";
import { ThresholdSection } from "../components/threshold.tsx";
import { Trust } from "../components/trust.tsx";
import { VersionColumn } from "../components/version-column.tsx";
import { Time } from "../components/words.tsx";
import { formatAmount, formatPercent } from "../format.ts";
import { costWords, MEASURE_NAMES, scoreFigure } from "../objective-words.ts";
import { answerScale } from "../report/answer-scale.ts";
import { effectsOf } from "../report/effects.ts";
import { tellingWords } from "../report/telling-words.ts";
import { heldOutAmount, JUDGED_AT_RANDOM, type ShownVerdict } from "../verdict/verdict.ts";

const ABOVE = { href: linkTo("/models"), name: "Models" };
const WIDEST_SCALE = 680;

export function Model({ params }: ScreenProps) {
  const loaded = useModel(params["modelKey"] ?? "");
  const model = loaded.value?.model;
  const dataset = useDataset(model?.datasetKey);
  return (
    <Page
      title={dataset.value === null ? "Model" : `Model of ${dataset.value.name}`}
      above={ABOVE}
      {...(model !== undefined && { actions: <Actions model={model} /> })}
    >
      <Await loaded={loaded}>
        {(whole) => <Body {...whole} hasDataset={dataset.value !== null} onMoved={loaded.reload} />}
      </Await>
    </Page>
  );
}

function Actions({ model: { modelKey } }: { model: ModelDetail }) {
  return (
    <>
      <ActionButton
        word="Delete"
        look="quiet"
        question={{
          title: "Delete the model?",
          text: "All its versions go. This cannot be undone. Predictions made with it stay.",
          action: "Delete",
          isDangerous: true,
        }}
        act={async () => {
          await models.remove(modelKey);
          announce("The model was deleted.");
          goTo(linkTo("/models"));
        }}
      />
      <a class="button" href={linkTo(`/models/${modelKey}/row`)}>
        Try one row
      </a>
      <a class="button primary" href={linkTo(`/models/${modelKey}/predict`)}>
        Predict a file
      </a>
    </>
  );
}

interface BodyProps extends WholeModel {
  hasDataset: boolean;
  onMoved(): void;
}

function Body({ model, details, hasDataset, onMoved }: BodyProps) {
  const { versions } = model;
  return (
    <>
      <Headline model={model} details={details} />
      {details?.costs != null && (
        <p class="note costs">
          Decisions have the lowest expected cost:{" "}
          {costWords(
            details.classes.map(({ label }) => label),
            details.costs,
          )}
          .
        </p>
      )}
      {model.verdict !== null && <TrustOf model={model} verdict={model.verdict} hasDataset={hasDataset} />}
      {details !== null && <Comparison model={model} details={details} />}
      {details !== null && <ThresholdSection details={details} champion={model.version} onChanged={onMoved} />}
      <Section title="Versions side by side">
        <p class="note">
          Best first. Predictions use the champion. The figures are measured on held-out rows; the model files are then
          fitted on all rows.
          {details?.versions.some(({ threshold, trainedThreshold }) => threshold !== trainedThreshold) &&
            " All are by the thresholds that the training found."}
        </p>
        <div class={`versions count-${versions.length}`}>
          {versions.map((version) => (
            <VersionColumn key={version.version} model={model} version={version} details={details} onMoved={onMoved} />
          ))}
        </div>
        {details === null && <p class="note">The server keeps only these figures of this model.</p>}
      </Section>
      {details !== null && <Learned model={model} />}
      {details !== null && <Words details={details} />}
      {details !== null && <Warnings warnings={details.warnings} />}
    </>
  );
}

function Headline({ model, details }: WholeModel) {
  const { versions, version, modelKey, trainingJobKey, createdOn, achievedPerformance } = model;
  const champion = versions.find((known) => known.champion);
  return (
    <Facts
      facts={[
        ["Accuracy of the champion", formatPercent(achievedPerformance)],
        ...(details === null
          ? []
          : [
              [
                `Always answering ${plainName(details.baseline.label, 32)}`,
                formatPercent(details.baseline.accuracy),
              ] as const,
            ]),
        ...optimisedFacts(details, version),
        ["Champion", `v${version}${champion === undefined ? "" : `, ${champion.algorithm}`}`],
        ["Made", <Time key="made" at={createdOn} />],
        [
          "More",
          <span key="more" class="row-actions">
            <a href={linkTo(`/trainings/${trainingJobKey}`)}>Training</a>
            <Download
              path={`/api/v1/models/${modelKey}/versions/${version}/report`}
              fileName={`report-${modelKey}.html`}
              word="Report"
            />
          </span>,
        ],
      ]}
    />
  );
}

/** The objective where it is not accuracy, as the champion meets it. */
function optimisedFacts(details: ModelDetails | null, version: number): [string, string][] {
  if (details === null || details.objective === "accuracy") return [];
  const { objective, versions } = details;
  const score = versions.find((known) => known.version === version)?.score ?? null;
  return [[`Optimised: ${MEASURE_NAMES[objective]}`, scoreFigure(objective, score)]];
}

/** Null where the champion has no curves, as those of earlier versions. */
function Learned({ model: { modelKey, version } }: { model: ModelDetail }) {
  const { value } = useLoad((signal) => models.effects(modelKey, version, signal), [modelKey, version]);
  if (value === null || value.columns.length === 0) return null;
  return (
    <Section title="What the model learned">
      <Drawing markup={effectsOf(value.columns)} />
    </Section>
  );
}

/** Null where no column is read as text. */
function Words({ details: { columns, classes } }: { details: ModelDetails }) {
  const words = tellingWords({ columns, classes, rest: "in what the API says of the model" });
  if (words === null) return null;
  return (
    <Section title="Telling words">
      <Drawing markup={words} />
    </Section>
  );
}

/** What its training was told is loaded too, so that a remedy keeps it. */
function TrustOf({ model, verdict, hasDataset }: { model: ModelDetail; verdict: ShownVerdict; hasDataset: boolean }) {
  const { trainingJobKey, datasetKey } = model;
  const { value: job } = useLoad((signal) => trainings.get(trainingJobKey, signal), [trainingJobKey]);
  const { groupColumn, timeColumn } = verdict.judgedBy;
  return (
    <Trust
      verdict={verdict}
      related={{ ...(job === null ? UNRELATED : relatedOf(job)), groupColumn, timeColumn }}
      datasetKey={hasDataset ? datasetKey : null}
      width={job?.scalingFactor}
      aim={job ?? undefined}
    />
  );
}

function Comparison({ model, details }: { model: ModelDetail; details: ModelDetails }) {
  const champion = model.versions.find((known) => known.champion);
  const evidence = details.versions.find(({ version }) => version === champion?.version);
  if (champion === undefined || evidence === undefined) return null;
  const judgedBy = model.verdict?.judgedBy ?? JUDGED_AT_RANDOM;
  const compared = { ...details, judgedBy, targetPerformance: null };
  const estimates = { ...champion, heldOutPerformance: evidence.heldOutPerformance };
  return (
    <Drawing
      markup={figure(
        responsive((width) => answerScale(compared, estimates, Math.min(width, WIDEST_SCALE))),
        `${formatAmount(champion.falseDecisions, "wrong decision")} on ${heldOutAmount(judgedBy, details.holdout.rows)}. Whiskers are 95% intervals.`,
        null,
      )}
    />
  );
}
