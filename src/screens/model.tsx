// One model: how good it is, its versions side by side, and which of them predicts.
import { useMemo } from "preact/hooks";
import type { ModelDetails } from "../api/models/model-details.ts";
import type { ModelDetail } from "../api/models/models.ts";
import { models, trainings } from "../browser/api.ts";
import { settingsFields } from "../browser/forms/aim.ts";
import { relatedOf, UNRELATED } from "../browser/forms/related.ts";
import { useLoad } from "../browser/loading.ts";
import { useDataset, useModel, type WholeModel } from "../browser/resources.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { DeleteButton, LinkButton } from "../components/action-button.tsx";
import { Warnings } from "../components/dataset-profile.tsx";
import { DrawnSection } from "../components/drawing.tsx";
import { Later } from "../components/later.tsx";
import { Answer } from "../components/model/answer.tsx";
import { FromProgram } from "../components/model/from-program.tsx";
import { Naming, Note } from "../components/model/names.tsx";
import { OtherPrograms } from "../components/model/other-programs.tsx";
import { type MaybeReplacement, replacementIn } from "../components/model/replacement.tsx";
import { Succession, useSuccessors } from "../components/model/succession.tsx";
import { ThresholdSection } from "../components/model/threshold.tsx";
import { VersionColumn } from "../components/model/version-column.tsx";
import { Page, Section } from "../components/page.tsx";
import { Await } from "../components/states.tsx";
import { Time } from "../components/words.tsx";
import { effectsOf } from "../report/effects.ts";
import { tellingWordTables } from "../report/telling-words.ts";
import { JUDGED_AT_RANDOM } from "../summary/verdict.ts";

const ABOVE = { href: linkTo("/models"), name: "Models" };

export function Model({ params }: ScreenProps) {
  const loaded = useModel(params["modelKey"] ?? "");
  const model = loaded.value?.model;
  const dataset = useDataset(model?.datasetKey);
  return (
    <Page
      title={model?.name ?? (dataset.value === null ? "Model" : `Model of ${dataset.value.name}`)}
      above={ABOVE}
      actions={model && <Actions model={model} onNamed={loaded.reload} />}
    >
      <Note note={model?.note ?? null} />
      <Await loaded={loaded}>
        {(whole) => <Body {...whole} hasDataset={dataset.value !== null} onMoved={loaded.reload} />}
      </Await>
    </Page>
  );
}

function Actions({ model, onNamed }: { model: ModelDetail; onNamed(): void }) {
  const { modelKey } = model;
  return (
    <>
      <DeleteButton
        title="Delete the model?"
        text="All its versions go. This cannot be undone. Predictions made with it stay."
        remove={() => models.remove(modelKey)}
        news="The model was deleted."
        list="/models"
      />
      <Naming model={model} onNamed={onNamed} />
      <LinkButton word="Health" href={linkTo(`/models/${modelKey}/health`)} />
      <LinkButton word="Compare" href={linkTo("/models/compare", { a: modelKey })} />
      <LinkButton word="Try one row" href={linkTo(`/models/${modelKey}/row`)} />
      <LinkButton word="Predict a file" href={linkTo(`/models/${modelKey}/predict`)} look="primary" />
    </>
  );
}

interface BodyProps extends WholeModel {
  hasDataset: boolean;
  onMoved(): void;
}

function Body({ model, details, hasDataset, onMoved }: BodyProps) {
  const { modelKey } = model;
  const successors = useSuccessors(modelKey);
  // Stay as drawn while later parts of the answer arrive, and while a successor is under way.
  const versions = useMemo(
    () => <Versions model={model} details={details} onMoved={onMoved} />,
    [model, details, onMoved],
  );
  const rest = useMemo(() => <Rest model={model} details={details} />, [model, details]);
  return (
    <>
      <AnswerOf
        model={model}
        details={details}
        hasDataset={hasDataset}
        replacement={replacementIn(successors, modelKey)}
      />
      <Later>
        {() => (
          <>
            {versions}
            <Succession modelKey={modelKey} successors={successors} isAlarming={false} />
            {rest}
          </>
        )}
      </Later>
    </>
  );
}

function Versions({ model, details, onMoved }: Omit<BodyProps, "hasDataset">) {
  const { versions } = model;
  return (
    <>
      {details !== null && <ThresholdSection details={details} champion={model.version} onChanged={onMoved} />}
      <Section title="Versions side by side">
        <p class="note">
          Best first. Predictions use the champion. The figures are measured on held-out rows; the model files are then
          fitted on all rows. Made <Time at={model.createdOn} /> by{" "}
          <a href={linkTo(`/trainings/${model.trainingJobKey}`)}>its training</a>.
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
    </>
  );
}

function Rest({ model, details }: WholeModel) {
  return (
    <>
      {details !== null && <Learned model={model} />}
      {details !== null && <Words details={details} />}
      {details !== null && <Warnings warnings={details.warnings} />}
      <FromProgram modelKey={model.modelKey} />
      <OtherPrograms fileName={`${model.modelKey}-v${model.version}.cupel`} columns={details?.columns ?? []} />
    </>
  );
}

type AnswerOfProps = Omit<BodyProps, "onMoved"> & { replacement: MaybeReplacement };

/** Loads the training's settings too: the target, and the keys that a remedy keeps. */
function AnswerOf({ model, details, hasDataset, replacement }: AnswerOfProps) {
  const { trainingJobKey, datasetKey, verdict } = model;
  const { value: job } = useLoad((signal) => trainings.get(trainingJobKey, signal), [trainingJobKey]);
  const { groupColumn, timeColumn } = verdict?.judgedBy ?? JUDGED_AT_RANDOM;
  return (
    <Answer
      model={model}
      details={details}
      replacement={replacement}
      targetPerformance={job?.targetPerformance ?? null}
      related={{ ...(job === null ? UNRELATED : relatedOf(job)), groupColumn, timeColumn }}
      datasetKey={hasDataset ? datasetKey : null}
      settings={settingsFields(job)}
    />
  );
}

/** Null where the champion has no curves, as those of earlier versions. */
function Learned({ model: { modelKey, version } }: { model: ModelDetail }) {
  const { value } = useLoad((signal) => models.effects(modelKey, version, signal), [modelKey, version]);
  if (value === null || value.columns.length === 0) return null;
  return <DrawnSection title="What the model learned" markup={effectsOf(value.columns)} />;
}

/** Null where no column is read as text. */
function Words({ details: { columns, classes } }: { details: ModelDetails }) {
  const words = tellingWordTables({ columns, classes, rest: "in what the API says of the model" });
  if (words === null) return null;
  return <DrawnSection title="Telling words" markup={words} />;
}
