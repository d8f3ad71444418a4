// The audit trail for administrators: who did what, when and from where; by day and by action.
import { AUDIT_ACTIONS } from "../../../data/database/audit-actions.ts";
import type { AuditItem } from "../../api/server/audit.ts";
import { audit, type PageQuery } from "../../browser/api.ts";
import { goTo, linkTo, place } from "../../browser/router.ts";
import { capitalised } from "../../common/format.ts";
import { SelectField, TextField } from "../../components/field.tsx";
import { Page, Tabs } from "../../components/page.tsx";
import { Empty } from "../../components/states.tsx";
import { PagedTable } from "../../components/table.tsx";
import { Time, Undefined } from "../../components/words.tsx";
import { ADMINISTRATION } from "./administration.tsx";

const FIELDS = ["action", "since", "until", "userKey"] as const;

export function Audit() {
  return (
    <Page
      title="Audit trail"
      lead="Logins, changes, downloads and limits that were hit. Nothing here can be changed; old events go with time."
    >
      <Tabs {...ADMINISTRATION} shown={linkTo("/administration/audit")} />
      <Choices />
      <PagedTable
        caption="Events, newest first"
        load={events}
        chosenBy={FIELDS}
        keyOf={keyOf}
        columns={[
          { head: "Action", cell: ({ action }) => actionWords(action) },
          { head: "When", cell: ({ time }) => <Time at={time} /> },
          { head: "Who", cell: (event) => <Who event={event} /> },
          { head: "What", cell: ({ objectKey, detail }) => <What objectKey={objectKey} detail={detail} /> },
          {
            head: "From",
            cell: ({ address }) => address ?? <Undefined reason="No address: the command line, or the server itself" />,
          },
        ]}
        empty={
          <Empty title="No such events">
            <p>
              <a href={linkTo("/administration/audit")}>Show all</a>
            </p>
          </Empty>
        }
      />
      <p class="note">
        <code>cupel audit</code> writes the whole trail, with the numbers of requests.
      </p>
    </Page>
  );
}

/** Days are the reader's own, the last one included. */
function events({ since = "", until = "", ...query }: PageQuery, signal: AbortSignal) {
  return audit.list({ ...query, from: midnightOf(since, 0), to: midnightOf(until, 1) }, signal);
}

/** The midnight that begins the day, or a day some days later; empty if the text is no day. */
function midnightOf(day: string | number, daysAfter: number): string {
  const midnight = new Date(`${day}T00:00`);
  if (Number.isNaN(midnight.getTime())) return "";
  midnight.setDate(midnight.getDate() + daysAfter);
  return midnight.toISOString();
}

/** Keeps the other choices and begins with the first page again. */
function choiceOf(field: (typeof FIELDS)[number], value: string): string {
  const { path, query } = place.value;
  const chosen = Object.fromEntries(FIELDS.map((name) => [name, query.get(name)]));
  return linkTo(path, { ...chosen, [field]: value });
}

function choose(field: (typeof FIELDS)[number], value: string): void {
  goTo(choiceOf(field, value), { replace: true });
}

function Choices() {
  const query = place.value.query;
  const userKey = query.get("userKey");
  return (
    <div class="choices">
      <SelectField label="Action" value={query.get("action") ?? ""} onValue={(value) => choose("action", value)}>
        <option value="">All</option>
        {AUDIT_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {actionWords(action)}
          </option>
        ))}
      </SelectField>
      <TextField label="Since" type="date" value={query.get("since") ?? ""} onValue={(day) => choose("since", day)} />
      <TextField label="Until" type="date" value={query.get("until") ?? ""} onValue={(day) => choose("until", day)} />
      {userKey !== null && (
        <p>
          <a href={choiceOf("userKey", "")}>All users again</a>
        </p>
      )}
    </div>
  );
}

function Who({ event: { email, userKey, apiKeyId, address } }: { event: AuditItem }) {
  if (userKey === null) {
    if (email !== null) return <bdi>{email}</bdi>;
    return address === null ? <>Command line</> : <Undefined reason="Nobody who is known" />;
  }
  return (
    <span class="stack">
      <a href={choiceOf("userKey", userKey)} title="Only this user’s events">
        <bdi>{email ?? userKey}</bdi>
      </a>
      {apiKeyId !== null && <small>by an API key</small>}
    </span>
  );
}

function What({ objectKey, detail }: Pick<AuditItem, "objectKey" | "detail">) {
  if (objectKey === null && detail === null) return <Undefined reason="The action says it all" />;
  return (
    <span class="stack">
      {detail !== null && <bdi>{detail}</bdi>}
      {objectKey !== null && <small class="key">{objectKey}</small>}
    </span>
  );
}

/** "MODEL_FILE_DOWNLOADED" as "Model file downloaded". */
function actionWords(action: string): string {
  return capitalised(action.toLowerCase().replaceAll("_", " ")).replace("Api", "API");
}

/** Events have no key of their own. */
function keyOf({ time, action, requestId, objectKey }: AuditItem): string {
  return [time, action, requestId, objectKey].join();
}
