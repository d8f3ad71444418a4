// The list of predictions.
import { predictions } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { formatCount } from "../common/format.ts";
import { Download, LinkButton } from "../components/action-button.tsx";
import { Page } from "../components/page.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { NameLink, orDash, Time } from "../components/words.tsx";
import { isOver } from "../words/state-words.ts";

export function Predictions() {
  return (
    <Page title="Predictions" actions={<LinkButton word="Pick a model" href={linkTo("/models")} />}>
      <PagedTable
        caption="Predictions"
        load={predictions.list}
        keyOf={({ predictionKey }) => predictionKey}
        isSettled={({ status }) => isOver(status)}
        columns={[
          {
            head: "File",
            sort: "fileName",
            cell: ({ predictionKey, fileName }) => (
              <NameLink to={`/predictions/${predictionKey}`} name={fileName ?? "Without a name"} />
            ),
          },
          {
            head: "Model",
            cell: ({ modelKey, modelName, datasetName, version }) => (
              <a href={linkTo(`/models/${modelKey}`)}>
                <bdi>{modelName ?? datasetName}</bdi> v{version}
              </a>
            ),
          },
          { head: "State", cell: ({ status }) => <StateBadge state={status} /> },
          {
            head: "Rows",
            sort: "-rowCount",
            isNumber: true,
            cell: ({ rowCount }) => orDash("Not finished", rowCount, formatCount),
          },
          {
            head: "Result",
            cell: ({ predictionKey, predictionResultUrl, resultFileName }) =>
              predictionResultUrl !== null && (
                <Download path={`/api/v1/predictions/${predictionKey}/file`} fileName={resultFileName} />
              ),
          },
          { head: "Created", sort: "-createdOn", cell: ({ createdOn }) => <Time at={createdOn} /> },
        ]}
        empty={
          <Empty title="No predictions yet">
            <p>
              Pick a <a href={linkTo("/models")}>model</a>, send it rows without a label, and get them back with one.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
