// The list of training jobs, with the accuracy that each reached.
import { trainings } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { Page } from "../components/page.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Percent, Time, Undefined } from "../components/words.tsx";
import { formatCount } from "../format.ts";

const RECHECK_MS = 4_000;

export function Trainings() {
  return (
    <Page title="Trainings & models">
      <TrainingTabs shown="trainings" />
      <PagedTable
        caption="Training jobs, newest first"
        load={trainings.list}
        rowsOf={(page) => page.trainingJobs}
        keyOf={({ trainingJobKey }) => trainingJobKey}
        wait={(page) => (page.trainingJobs.every(({ status }) => isOver(status)) ? null : RECHECK_MS)}
        columns={[
          {
            head: "Dataset",
            cell: ({ trainingJobKey, datasetName }) => (
              <a href={linkTo(`/trainings/${trainingJobKey}`)}>
                <bdi>{datasetName}</bdi>
              </a>
            ),
          },
          { head: "State", cell: ({ status }) => <StateBadge state={status} /> },
          {
            head: "Accuracy",
            isNumber: true,
            cell: ({ achievedPerformance }) => <Percent share={achievedPerformance} reason="No model was kept" />,
          },
          {
            head: "Target",
            isNumber: true,
            cell: ({ targetPerformance }) => <Percent share={targetPerformance} reason="No target was asked for" />,
          },
          { head: "Attempts planned", isNumber: true, cell: ({ scalingFactor }) => formatCount(scalingFactor + 1) },
          {
            head: "Model",
            cell: ({ modelKey }) =>
              modelKey === null ? (
                <Undefined reason="No model was kept" />
              ) : (
                <a href={linkTo(`/models/${modelKey}`)}>Model</a>
              ),
          },
          { head: "Started", cell: ({ createdOn }) => <Time at={createdOn} /> },
        ]}
        empty={
          <Empty title="Nothing was trained yet">
            <p>
              Training starts from a <a href={linkTo("/datasets")}>dataset</a>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

/** Both lists of the section. */
export function TrainingTabs({ shown }: { shown: "trainings" | "models" }) {
  return (
    <Tabs
      label="Lists"
      tabs={[
        { name: "Training jobs", href: linkTo("/trainings"), isShown: shown === "trainings" },
        { name: "Models", href: linkTo("/models"), isShown: shown === "models" },
      ]}
    />
  );
}
