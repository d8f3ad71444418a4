// The list of training jobs, with the accuracy that each reached.
import { trainings } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { formatCount, formatPercent } from "../common/format.ts";
import { Judged } from "../components/model/judged.tsx";
import { Page, Tabs } from "../components/page.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { NameLink, orDash, Time } from "../components/words.tsx";
import { isOver } from "../words/state-words.ts";

export function Trainings() {
  return (
    <Page title="Trainings & models">
      <Tabs {...TRAINING_LISTS} shown={linkTo("/trainings")} />
      <PagedTable
        caption="Training jobs"
        load={trainings.list}
        keyOf={({ trainingJobKey }) => trainingJobKey}
        isSettled={({ status }) => isOver(status)}
        columns={[
          {
            head: "Dataset",
            sort: "datasetName",
            cell: ({ trainingJobKey, datasetName }) => (
              <NameLink to={`/trainings/${trainingJobKey}`} name={datasetName} />
            ),
          },
          { head: "State", cell: ({ status }) => <StateBadge state={status} /> },
          {
            head: "Accuracy",
            sort: "-achievedPerformance",
            isNumber: true,
            cell: (job) => (
              <Judged
                accuracy={job.achievedPerformance}
                verdict={job.verdict}
                href={linkTo(`/trainings/${job.trainingJobKey}`)}
                trained={job}
              />
            ),
          },
          {
            head: "Target",
            isNumber: true,
            cell: ({ targetPerformance }) => orDash("No target was set", targetPerformance, formatPercent),
          },
          { head: "Attempts planned", isNumber: true, cell: ({ scalingFactor }) => formatCount(scalingFactor + 1) },
          {
            head: "Model",
            cell: ({ modelKey, modelName }) =>
              orDash("No model was kept", modelKey, (key) => (
                <NameLink to={`/models/${key}`} name={modelName ?? "Model"} />
              )),
          },
          { head: "Started", sort: "-createdOn", cell: ({ createdOn }) => <Time at={createdOn} /> },
        ]}
        empty={
          <Empty title="No trainings yet">
            <p>
              Open a <a href={linkTo("/datasets")}>dataset</a> to start one.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

/** The lists of the section. */
export const TRAINING_LISTS = {
  label: "Lists",
  tabs: [
    [linkTo("/trainings"), "Training jobs"],
    [linkTo("/models"), "Models"],
  ],
} as const;
