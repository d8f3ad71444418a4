// The list of refinements.
import { refinements } from "../browser/api.ts";
import { linkTo } from "../browser/router.ts";
import { formatDuration } from "../common/format.ts";
import { LinkButton } from "../components/action-button.tsx";
import { Page } from "../components/page.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Empty } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { NameLink, orDash, Time } from "../components/words.tsx";
import { isOver } from "../words/state-words.ts";

export function Refinements() {
  return (
    <Page
      title="Refinements"
      actions={<LinkButton word="New refinement" href={linkTo("/refinements/new")} look="primary" />}
    >
      <PagedTable
        caption="Refinements"
        search="Search by name"
        load={refinements.list}
        keyOf={({ featureRefinementKey }) => featureRefinementKey}
        isSettled={({ state }) => isOver(state)}
        columns={[
          {
            head: "Name",
            sort: "name",
            cell: ({ featureRefinementKey, name }) => (
              <NameLink to={`/refinements/${featureRefinementKey}`} name={name} />
            ),
          },
          { head: "State", cell: ({ state }) => <StateBadge state={state} /> },
          {
            head: "File",
            sort: "trainFileName",
            cell: ({ trainFileName }) => orDash("Not named", trainFileName, (name) => <bdi>{name}</bdi>),
          },
          { head: "Took", isNumber: true, cell: ({ elapsedSeconds }) => formatDuration(elapsedSeconds) },
          { head: "Created", sort: "-createdOn", cell: ({ createdOn }) => <Time at={createdOn} /> },
        ]}
        empty={
          <Empty title="No refinements yet">
            <p>A refinement finds out which columns of your table help to predict the label.</p>
            <p>
              <LinkButton word="Start the first one" href={linkTo("/refinements/new")} />
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
