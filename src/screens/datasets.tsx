// The list of datasets.
import { datasets } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { Page } from "../components/page.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Time, Undefined } from "../components/words.tsx";
import { formatBytes, formatCount } from "../format.ts";

const RECHECK_MS = 4_000;

export function Datasets() {
  return (
    <Page
      title="Datasets"
      actions={
        <a class="button primary" href={linkTo("/datasets/new")}>
          New dataset
        </a>
      }
    >
      <PagedTable
        caption="Datasets, newest first"
        search="Search by name"
        load={datasets.list}
        rowsOf={(page) => page.datasets}
        keyOf={({ datasetKey }) => datasetKey}
        wait={(page) => (page.datasets.every(({ status }) => isOver(status)) ? null : RECHECK_MS)}
        columns={[
          {
            head: "Name",
            cell: ({ datasetKey, name, description }) => (
              <>
                <a href={linkTo(`/datasets/${datasetKey}`)}>
                  <bdi>{name}</bdi>
                </a>
                {description !== null && <small>{description}</small>}
              </>
            ),
          },
          { head: "State", cell: ({ status }) => <StateBadge state={status} /> },
          {
            head: "Rows",
            isNumber: true,
            cell: ({ rowCount }) => (rowCount === null ? <Unread /> : formatCount(rowCount)),
          },
          {
            head: "Columns",
            isNumber: true,
            cell: ({ columnCount }) => (columnCount === null ? <Unread /> : formatCount(columnCount)),
          },
          {
            head: "Label",
            cell: ({ labelColumn }) => (labelColumn === null ? <Unread /> : <bdi>{labelColumn}</bdi>),
          },
          {
            head: "Size",
            isNumber: true,
            cell: ({ sizeBytes }) => (sizeBytes === null ? <Unread /> : formatBytes(sizeBytes)),
          },
          { head: "Created", cell: ({ createdOn }) => <Time at={createdOn} /> },
        ]}
        empty={
          <Empty title="No datasets yet">
            <p>A dataset is a labelled table, prepared for training.</p>
            <p>
              <a class="button" href={linkTo("/datasets/new")}>
                Make the first one
              </a>
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

function Unread() {
  return <Undefined reason="The file has not been read yet" />;
}
