// The list of datasets.
import { datasets } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { LinkButton } from "../components/action-button.tsx";
import { Page } from "../components/page.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { NameLink, Time, Undefined } from "../components/words.tsx";
import { formatBytes, formatCount } from "../format.ts";

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
            cell: ({ rowCount }) => (rowCount === null ? <Unread /> : formatCount(rowCount)),
          },
          {
            head: "Columns",
            sort: "-columnCount",
            isNumber: true,
            cell: ({ columnCount }) => (columnCount === null ? <Unread /> : formatCount(columnCount)),
          },
          {
            head: "Label",
            cell: ({ labelColumn }) => (labelColumn === null ? <Unread /> : <bdi>{labelColumn}</bdi>),
          },
          {
            head: "Size",
            sort: "-sizeBytes",
            isNumber: true,
            cell: ({ sizeBytes }) => (sizeBytes === null ? <Unread /> : formatBytes(sizeBytes)),
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

function Unread() {
  return <Undefined reason="The file has not been read yet" />;
}
