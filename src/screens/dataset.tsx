// One dataset: what was understood of its file.
import type { DatasetRecord } from "../api/datasets.ts";
import { useAction } from "../browser/action.ts";
import { datasets } from "../browser/api.ts";
import { until, useLive } from "../browser/loading.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { announce } from "../components/announcements.tsx";
import { classBars } from "../components/class-bars.ts";
import { confirm } from "../components/dialog.tsx";
import { Drawing } from "../components/drawing.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Await, Empty, ErrorNote } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/words.tsx";
import { formatBytes, formatCount, formatPercent } from "../format.ts";

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
          <button type="button" class="quiet" disabled={remove.isRunning} onClick={() => remove.run()}>
            Delete
          </button>
        ),
      })}
    >
      {remove.problem !== null && <ErrorNote problem={remove.problem} />}
      <Await loaded={loaded}>{(dataset) => <Body dataset={dataset} />}</Await>
    </Page>
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
          <strong>The file cannot be used.</strong>
          <p>{dataset.errorReason}</p>
          <p>Correct the file, then make a new dataset of it.</p>
        </div>
      );
    case "COMPLETED":
      return <Profile dataset={dataset} />;
  }
}

function Profile({ dataset }: { dataset: DatasetRecord }) {
  const { rowCount, columnCount, sizeBytes, numberOfBuckets, labelColumn, createdOn, recommendedThreshold } = dataset;
  const { classes, columns, warnings } = dataset;
  const rows = Math.max(1, rowCount ?? 1);
  return (
    <>
      <Facts
        facts={[
          ["Rows with a label", formatCount(rowCount)],
          ["Columns", formatCount(columnCount)],
          ["Label", <bdi key="label">{labelColumn}</bdi>],
          ["Buckets", formatCount(numberOfBuckets)],
          ["Size", formatBytes(sizeBytes)],
          ["Created", <Time key="created" at={createdOn} />],
          ...(recommendedThreshold === undefined
            ? []
            : [["Recommended target", formatPercent(recommendedThreshold)] as const]),
        ]}
      />
      {warnings.length > 0 && (
        <Section title="Warnings">
          <ul class="warnings">
            {warnings.map(({ code, message, column }) => (
              <li key={`${code} ${column} ${message}`}>{message}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Classes">
        <Drawing markup={classBars(classes)} />
      </Section>
      <Section title="Columns">
        <Table
          caption="Columns in the order of the file"
          rows={columns}
          keyOf={({ name }) => name}
          columns={[
            { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
            { head: "Kind", cell: ({ kind }) => kind },
            {
              head: "Missing",
              isNumber: true,
              cell: ({ missing }) =>
                missing === 0 ? "none" : `${formatCount(missing)} (${formatPercent(missing / rows)})`,
            },
            { head: "Different values", isNumber: true, cell: ({ distinct }) => formatCount(distinct) },
            { head: "Note", cell: ({ warning }) => warning },
          ]}
        />
      </Section>
    </>
  );
}
