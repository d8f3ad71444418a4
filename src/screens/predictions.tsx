// The list of predictions.
import { predictions } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { Download } from "../components/download.tsx";
import { Page } from "../components/page.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Time, Undefined } from "../components/words.tsx";
import { formatCount } from "../format.ts";

const RECHECK_MS = 4_000;

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
        rowsOf={(page) => page.predictions}
        keyOf={({ predictionKey }) => predictionKey}
        wait={(page) => (page.predictions.every(({ status }) => isOver(status)) ? null : RECHECK_MS)}
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
          <Empty title="Nothing was predicted yet">
            <p>
              A prediction needs a <a href={linkTo("/models")}>model</a>: it takes rows without a label, and gives them
              one.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
