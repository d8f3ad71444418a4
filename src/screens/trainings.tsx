// The list of training jobs, with the accuracy that each reached.
import { trainings } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { Judged } from "../components/model/judged.tsx";
import { Page } from "../components/page.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Percent, Time, Undefined } from "../components/words.tsx";
import { formatCount } from "../format.ts";

export function Trainings() {
  return (
    <Page title="Trainings & models">
      <TrainingTabs shown="trainings" />
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
              <a href={linkTo(`/trainings/${trainingJobKey}`)}>
                <bdi>{datasetName}</bdi>
              </a>
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
            cell: ({ targetPerformance }) => <Percent share={targetPerformance} reason="No target was set" />,
          },
          { head: "Attempts planned", isNumber: true, cell: ({ scalingFactor }) => formatCount(scalingFactor + 1) },
          {
            head: "Model",
            cell: ({ modelKey, modelName }) =>
              modelKey === null ? (
                <Undefined reason="No model was kept" />
              ) : (
                <a href={linkTo(`/models/${modelKey}`)}>
                  <bdi>{modelName ?? "Model"}</bdi>
                </a>
              ),
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

/** Leads from each list of the section to the other. */
export function TrainingTabs({ shown }: { shown: "trainings" | "models" }) {
  return (
    <nav class="tabs" aria-label="Lists">
      <a href={linkTo("/trainings")} aria-current={shown === "trainings" ? "page" : undefined}>
        Training jobs
      </a>
      <a href={linkTo("/models")} aria-current={shown === "models" ? "page" : undefined}>
        Models
      </a>
    </nav>
  );
}
