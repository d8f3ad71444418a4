// One dataset: what was understood of its file.
import type { DatasetRecord } from "../api/datasets.ts";
import { useAction } from "../browser/action.ts";
import { datasets } from "../browser/api.ts";
import { until, useLive } from "../browser/loading.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { announce } from "../components/announcements.tsx";
import { classBars } from "../components/class-bars.ts";
import { ColumnsTable } from "../components/columns-table.tsx";
import { DatasetFacts, Warnings } from "../components/dataset-profile.tsx";
import { confirm } from "../components/dialog.tsx";
import { Drawing } from "../components/drawing.tsx";
import { isLabelFault } from "../components/label-choice.tsx";
import { Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Await, Empty, ErrorNote } from "../components/states.tsx";

const ABOVE = { href: linkTo("/datasets"), name: "Datasets" };

export function Dataset({ params }: ScreenProps) {
  const key = params["datasetKey"] ?? "";
  const loaded = useLive(
    (signal) => datasets.get(key, signal),
    [key],
    until(({ status }) => isOver(status)),
  );
  const name = loaded.value?.name ?? "Dataset";
  const remove = useAction(async () => {
    const text = "It leaves your list and its name is free again. Models trained on it stay.";
    if (!(await confirm({ title: `Delete ${name}?`, text, action: "Delete", isDangerous: true }))) return;
    await datasets.remove(key);
    announce(`${name} was deleted.`);
    goTo(linkTo("/datasets"));
  });
  return (
    <Page
      title={name}
      above={ABOVE}
      {...(loaded.value !== null && {
        mark: <StateBadge state={loaded.value.status} />,
        ...(loaded.value.description !== null && { lead: loaded.value.description }),
        actions: (
          <>
            <button type="button" class="quiet" disabled={remove.isRunning} onClick={() => remove.run()}>
              Delete
            </button>
            <Next dataset={loaded.value} />
          </>
        ),
      })}
    >
      {remove.problem !== null && <ErrorNote problem={remove.problem} />}
      <Await loaded={loaded}>{(dataset) => <Body dataset={dataset} />}</Await>
    </Page>
  );
}

/** What can be done with it now. */
function Next({ dataset: { datasetKey, status, source, errorCode } }: { dataset: DatasetRecord }) {
  const isLabelAtFault = isLabelFault(errorCode);
  return (
    <>
      {(isLabelAtFault || (status === "COMPLETED" && source === "UPLOAD")) && (
        <a class="button" href={linkTo(`/start/${datasetKey}`)}>
          {isLabelAtFault ? "Choose another label" : "Step by step"}
        </a>
      )}
      {status === "COMPLETED" && (
        <a class="button primary" href={linkTo(`/datasets/${datasetKey}/train`)}>
          Train
        </a>
      )}
    </>
  );
}

function Body({ dataset }: { dataset: DatasetRecord }) {
  switch (dataset.status) {
    case "PENDING":
      return (
        <Empty title="The file has not come yet">
          <p>It is sent within an hour of the dataset’s making, or the dataset fails. To begin anew, make another.</p>
        </Empty>
      );
    case "PROCESSING":
      return <Progress label="Reading the file and its columns" share={null} />;
    case "FAILED":
      return (
        <div class="banner failed" role="note">
          <strong>
            {isLabelFault(dataset.errorCode) ? "This label cannot be learned." : "The file cannot be used."}
          </strong>
          <p>{dataset.errorReason}</p>
          <p>
            {isLabelFault(dataset.errorCode)
              ? "Choose another label, or correct the file and make a new dataset of it."
              : "Correct the file, then make a new dataset of it."}
          </p>
        </div>
      );
    case "COMPLETED":
      return <Profile dataset={dataset} />;
  }
}

function Profile({ dataset }: { dataset: DatasetRecord }) {
  return (
    <>
      <DatasetFacts dataset={dataset} />
      <Warnings warnings={dataset.warnings} />
      <Section title="Classes">
        <Drawing markup={classBars(dataset.classes)} />
      </Section>
      <Section title="Columns">
        <ColumnsTable dataset={dataset} />
      </Section>
    </>
  );
}
