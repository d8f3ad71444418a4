// One dataset: what Cupel read from its file.
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { datasets } from "../browser/api.ts";
import { hasChoices } from "../browser/forms/choices.ts";
import { useLoad } from "../browser/loading.ts";
import { useLiveDataset } from "../browser/resources.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { DeleteButton, LinkButton } from "../components/action-button.tsx";
import { DatasetChoices } from "../components/choosing/choices.tsx";
import { classBars } from "../components/class-bars.ts";
import { ColumnsTable } from "../components/columns-table.tsx";
import { DatasetFacts, Warnings } from "../components/dataset-profile.tsx";
import { DrawnSection } from "../components/drawing.tsx";
import { FirstRows } from "../components/first-rows.tsx";
import { Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { isLabelFault } from "../components/starting/label-choice.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Await, Banner, Empty } from "../components/states.tsx";

const ABOVE = { href: linkTo("/datasets"), name: "Datasets" };

export function Dataset({ params }: ScreenProps) {
  const loaded = useLiveDataset(params["datasetKey"] ?? "");
  const dataset = loaded.value;
  return (
    <Page
      title={dataset?.name ?? "Dataset"}
      above={ABOVE}
      mark={dataset && <StateBadge state={dataset.status} />}
      lead={dataset?.description}
      actions={dataset && <Actions dataset={dataset} />}
    >
      <Await loaded={loaded}>{(value) => <Body dataset={value} reload={loaded.reload} />}</Await>
    </Page>
  );
}

function Actions({ dataset: { datasetKey, name, status, source, errorCode } }: { dataset: DatasetRecord }) {
  const isLabelAtFault = isLabelFault(errorCode);
  return (
    <>
      <DeleteButton
        title={`Delete ${name}?`}
        text="It leaves your list and its name is free again. Models trained on it stay."
        files={source === "UPLOAD" ? "dataset" : "dataset of a refinement"}
        remove={() => datasets.remove(datasetKey)}
        news={`${name} was deleted.`}
        list="/datasets"
      />
      {(isLabelAtFault || (status === "COMPLETED" && source === "UPLOAD")) && (
        <LinkButton
          word={isLabelAtFault ? "Choose another label" : "Step by step"}
          href={linkTo(`/start/${datasetKey}`)}
        />
      )}
      {status === "COMPLETED" && (
        <LinkButton word="Train" href={linkTo(`/datasets/${datasetKey}/train`)} look="primary" />
      )}
    </>
  );
}

function Body({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  switch (dataset.status) {
    case "PENDING":
      return (
        <Empty title="The file has not arrived yet">
          <p>If it does not arrive within an hour, the dataset fails. To start again, make a new dataset.</p>
        </Empty>
      );
    case "PROCESSING":
      return <Progress label="Reading the file and its columns" share={null} />;
    default:
      return <Read dataset={dataset} reload={reload} />;
  }
}

function Read({ dataset, reload }: { dataset: DatasetRecord; reload(): void }) {
  const { datasetKey, status, source, errorCode } = dataset;
  const preview = useLoad((signal) => datasets.preview(datasetKey, signal).catch(() => null), [datasetKey]);
  const opening = preview.value;
  const isCompleted = status === "COMPLETED";
  const mayChoose = source === "UPLOAD" && (isCompleted || (hasChoices(dataset) && !isLabelFault(errorCode)));
  return (
    <>
      {isCompleted ? <Profile dataset={dataset} /> : <Unread dataset={dataset} />}
      {preview.isLoading ? null : mayChoose && opening !== null ? (
        <DatasetChoices dataset={dataset} opening={opening} reload={reload} />
      ) : (
        <>
          {opening !== null && <FirstRows title="First rows" opening={opening} />}
          {isCompleted && (
            <Section title="Columns">
              <ColumnsTable dataset={dataset} />
            </Section>
          )}
        </>
      )}
    </>
  );
}

function Profile({ dataset }: { dataset: DatasetRecord }) {
  return (
    <>
      <DatasetFacts dataset={dataset} />
      <Warnings warnings={dataset.warnings} />
      <DrawnSection title="Classes" markup={classBars(dataset.classes)} />
    </>
  );
}

function Unread({ dataset }: { dataset: DatasetRecord }) {
  const { errorCode, errorReason } = dataset;
  if (isLabelFault(errorCode)) {
    return (
      <Banner tone="failed" title="This label cannot be learned.">
        <p>{withReadersNumbers(errorReason ?? "")}</p>
        <p>Choose another label, or correct the file and make a new dataset of it.</p>
      </Banner>
    );
  }
  const mayHelp = hasChoices(dataset);
  return (
    <Banner tone="failed" title={mayHelp ? "The table cannot be read like this." : "The file cannot be used."}>
      <p>{withReadersNumbers(errorReason ?? "")}</p>
      <p>
        {mayHelp
          ? "Choose otherwise below, or correct the file and make a new dataset of it."
          : "Correct the file, then make a new dataset of it."}
      </p>
    </Banner>
  );
}
