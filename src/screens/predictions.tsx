// The list of predictions.
import { predictions } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { Download } from "../components/action-button.tsx";
import { Page } from "../components/page.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Time, Undefined } from "../components/words.tsx";
import { formatCount } from "../format.ts";

export function Predictions() {
  return (
    <Page
      title="Predictions"
      actions={
        <a class="button" href={linkTo("/models")}>
          Pick a model
        </a>
      }
    >
      <PagedTable
        caption="Predictions, newest first"
        load={predictions.list}
        keyOf={({ predictionKey }) => predictionKey}
        isSettled={({ status }) => isOver(status)}
        columns={[
          {
            head: "Model of",
            cell: ({ predictionKey, datasetName, version }) => (
              <a href={linkTo(`/predictions/${predictionKey}`)}>
                <bdi>{datasetName}</bdi> v{version}
              </a>
            ),
          },
          { head: "State", cell: ({ status }) => <StateBadge state={status} /> },
          {
            head: "Rows",
            isNumber: true,
            cell: ({ rowCount }) => (rowCount === null ? <Undefined reason="Not finished" /> : formatCount(rowCount)),
          },
          {
            head: "Result",
            cell: ({ predictionKey, predictionResultUrl }) =>
              predictionResultUrl !== null && (
                <Download
                  path={`/api/v1/predictions/${predictionKey}/file`}
                  fileName={`prediction-${predictionKey}.csv`}
                />
              ),
          },
          { head: "Created", cell: ({ createdOn }) => <Time at={createdOn} /> },
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
