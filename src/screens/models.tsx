// The list of models, each with its champion's figures.
import { models } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { formatPercent } from "../common/format.ts";
import { HealthWord } from "../components/model/health-word.tsx";
import { Judged } from "../components/model/judged.tsx";
import { Page, Tabs } from "../components/page.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { NameLink, Time } from "../components/words.tsx";
import { isAlarm } from "../words/health-words.ts";
import { TRAINING_LISTS } from "./trainings.tsx";

export function Models() {
  return (
    <Page title="Trainings & models">
      <Tabs {...TRAINING_LISTS} shown={linkTo("/models")} />
      <PagedTable
        caption="Models"
        load={models.list}
        keyOf={({ modelKey }) => modelKey}
        columns={[
          {
            head: "Name",
            sort: "name",
            cell: ({ modelKey, name, datasetName, watchState, answeredBy }) => (
              <>
                <NameLink to={`/models/${modelKey}`} name={name ?? datasetName} />
                {name !== null && (
                  <small>
                    of <bdi>{datasetName}</bdi>
                  </small>
                )}
                <HealthWord modelKey={modelKey} state={watchState} answeredBy={answeredBy} />
              </>
            ),
          },
          { head: "Champion", cell: ({ version }) => `v${version}` },
          {
            head: "Held-out accuracy",
            sort: "-testPerformance",
            isNumber: true,
            cell: (model) => (
              <Judged
                accuracy={model.testPerformance}
                verdict={model.verdict}
                href={linkTo(`/models/${model.modelKey}`)}
                trained={model}
                isAlarming={isAlarm(model.watchState)}
              />
            ),
          },
          {
            head: "Training accuracy",
            isNumber: true,
            cell: ({ trainingPerformance }) => formatPercent(trainingPerformance),
          },
          { head: "Made", sort: "-createdOn", cell: ({ createdOn }) => <Time at={createdOn} /> },
          {
            head: "Beside another",
            cell: ({ modelKey, name, datasetName }) => (
              <a href={linkTo("/models/compare", { a: modelKey })}>
                Compare<span class="unseen"> {name ?? datasetName}</span>
              </a>
            ),
          },
        ]}
        empty={
          <Empty title="No models yet">
            <p>
              Training on a <a href={linkTo("/datasets")}>dataset</a> gives you a model.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
