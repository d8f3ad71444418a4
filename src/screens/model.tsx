// One model: how good it is, its versions side by side, and which of them predicts.
import type { ModelDetails } from "../api/model-details.ts";
import type { ModelDetail } from "../api/models.ts";
import { useAction } from "../browser/action.ts";
import { datasets, models } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { loadModel, type WholeModel } from "../browser/model-look.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { type AccuracyInterval, accuracyScale } from "../charts/accuracy-scale.ts";
import { plainName } from "../charts/markup.ts";
import { figure, responsive } from "../charts/pictures.ts";
import { announce } from "../components/announcements.tsx";
import { Warnings } from "../components/dataset-profile.tsx";
import { confirm } from "../components/dialog.tsx";
import { Download } from "../components/download.tsx";
import { Drawing } from "../components/drawing.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Await, ErrorNote } from "../components/states.tsx";
import { VersionColumn } from "../components/version-column.tsx";
import { Time } from "../components/words.tsx";
import { formatAmount, formatPercent } from "../format.ts";
import { holdoutEstimate } from "../report/measures.ts";

const ABOVE = { href: linkTo("/models"), name: "Models" };
const WIDEST_SCALE = 680;

export function Model({ params }: ScreenProps) {
  const key = params["modelKey"] ?? "";
  const loaded = useLoad((signal) => loadModel(key, signal), [key]);
  const model = loaded.value?.model;
  const datasetKey = model?.datasetKey;
  // Deleted datasets have no name to show any more.
  const dataset = useLoad(
    async (signal) => (datasetKey === undefined ? null : datasets.get(datasetKey, signal)),
    [datasetKey],
  );
  const title = dataset.value === null ? "Model" : `Model of ${dataset.value.name}`;
  const remove = useAction(async () => {
    const text = "All its versions go, for good. Predictions made with it stay.";
    if (!(await confirm({ title: "Delete the model?", text, action: "Delete", isDangerous: true }))) return;
    await models.remove(key);
    announce("The model was deleted.");
    goTo(linkTo("/models"));
  });
  return (
    <Page
      title={title}
      above={ABOVE}
      {...(model !== undefined && {
        actions: (
          <>
            <button type="button" class="quiet" disabled={remove.isRunning} onClick={() => remove.run()}>
              Delete
            </button>
            <a class="button" href={linkTo(`/models/${key}/row`)}>
              Try one row
            </a>
            <a class="button primary" href={linkTo(`/models/${key}/predict`)}>
              Predict a file
            </a>
          </>
        ),
      })}
    >
      {remove.problem !== null && <ErrorNote problem={remove.problem} />}
      <Await loaded={loaded}>{(whole) => <Body {...whole} onMoved={loaded.reload} />}</Await>
    </Page>
  );
}

function Body({ model, details, onMoved }: WholeModel & { onMoved(): void }) {
  const { versions, trainingJobKey } = model;
  const crown = useAction(async (version: number) => {
    await models.moveChampion(trainingJobKey, version);
    announce(`v${version} is the champion now: new predictions run against it.`);
    onMoved();
  });
  return (
    <>
      <Headline model={model} details={details} />
      <Section title="Versions side by side">
        <p class="note">
          Best first. The figures are those of the models that saw 80% of the rows; the files hold their refits on all
          of them. Predictions run against the champion.
        </p>
        {crown.problem !== null && <ErrorNote problem={crown.problem} />}
        <div class={`versions count-${versions.length}`}>
          {versions.map((version) => (
            <VersionColumn
              key={version.version}
              model={model}
              version={version}
              details={details}
              onCrown={crown.isRunning ? null : () => crown.run(version.version)}
            />
          ))}
        </div>
        {details === null && <p class="note">Nothing but these figures is kept of this model.</p>}
      </Section>
      {details !== null && <Warnings warnings={details.warnings} />}
    </>
  );
}

function Headline({ model, details }: WholeModel) {
  const { versions, version, modelKey, trainingJobKey, createdOn, achievedPerformance } = model;
  const champion = versions.find((known) => known.champion);
  return (
    <>
      <Facts
        facts={[
          ["Accuracy of the champion", formatPercent(achievedPerformance)],
          ...(details === null
            ? []
            : [["Always the most frequent", formatPercent(details.baseline.accuracy)] as const]),
          ["Champion", `v${version}${champion === undefined ? "" : `, ${champion.algorithm}`}`],
          ["Made", <Time key="made" at={createdOn} />],
          [
            "Where it comes from",
            <span key="from" class="row-actions">
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
      {details !== null && champion !== undefined && <Scale champion={champion} details={details} />}
    </>
  );
}

function Scale({ champion, details }: { champion: ModelDetail["versions"][number]; details: ModelDetails }) {
  const { baseline, holdout } = details;
  const rows = [
    ["held-out rows", "held", holdoutEstimate(champion, holdout.rows)],
    ["two further re-splits", "confirmed", champion.confirmedPerformance],
  ] as const;
  const intervals = rows.flatMap(([label, look, estimate]): AccuracyInterval[] =>
    estimate === null ? [] : [{ label, look, estimate }],
  );
  const always = `always ${plainName(baseline.label, 18)} ${formatPercent(baseline.accuracy)}`;
  const draw = (width: number) =>
    accuracyScale(
      {
        title: "Accuracy beside the majority baseline",
        intervals,
        rules: [{ label: always, look: "majority", value: baseline.accuracy }],
      },
      Math.min(width, WIDEST_SCALE),
    );
  const wrong = formatAmount(champion.falseDecisions, "wrong decision");
  const caption = `${wrong} of ${formatAmount(holdout.rows, "held-out row")}. Whiskers: 95% intervals. What the re-splits say is the figure to expect of new rows.`;
  return <Drawing markup={figure(responsive(draw), caption, null)} />;
}
