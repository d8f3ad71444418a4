// The list of datasets.
import { datasets } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { formatBytes, formatCount } from "../common/format.ts";
import { LinkButton } from "../components/action-button.tsx";
import { Page } from "../components/page.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { NameLink, orDash, Time } from "../components/words.tsx";
import { isOver } from "../words/state-words.ts";

const UNREAD = "The file has not been read yet";

export function Datasets() {
  return (
    <Page title="Datasets" actions={<LinkButton word="New dataset" href={linkTo("/datasets/new")} look="primary" />}>
      <PagedTable
        caption="Datasets"
        search="Search by name"
        load={datasets.list}
        keyOf={({ datasetKey }) => datasetKey}
        isSettled={({ status }) => isOver(status)}
        columns={[
          {
            head: "Name",
            sort: "name",
            cell: ({ datasetKey, name, description }) => (
              <>
                <NameLink to={`/datasets/${datasetKey}`} name={name} />
                {description !== null && <small>{description}</small>}
              </>
            ),
          },
          { head: "State", cell: ({ status }) => <StateBadge state={status} /> },
          {
            head: "Rows",
            sort: "-rowCount",
            isNumber: true,
            cell: ({ rowCount }) => orDash(UNREAD, rowCount, formatCount),
          },
          {
            head: "Columns",
            sort: "-columnCount",
            isNumber: true,
            cell: ({ columnCount }) => orDash(UNREAD, columnCount, formatCount),
          },
          { head: "Label", cell: ({ labelColumn }) => orDash(UNREAD, labelColumn, (label) => <bdi>{label}</bdi>) },
          {
            head: "Size",
            sort: "-sizeBytes",
            isNumber: true,
            cell: ({ sizeBytes }) => orDash(UNREAD, sizeBytes, formatBytes),
          },
          { head: "Created", sort: "-createdOn", cell: ({ createdOn }) => <Time at={createdOn} /> },
        ]}
        empty={
          <Empty title="No datasets yet">
            <p>A dataset is a table with a label for every row, ready for training.</p>
            <p>
              <LinkButton word="Add your first file" href={linkTo("/datasets/new")} />
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
