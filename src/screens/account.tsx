// One's own account: the API keys that programs use in one's name.
import { useState } from "preact/hooks";
import type { CreatedApiKey, NewApiKey } from "../auth/api-keys.ts";
import { useAction } from "../browser/action.ts";
import { apiKeys } from "../browser/api.ts";
import type { Problem } from "../browser/problem.ts";
import { session } from "../browser/session.ts";
import { announce } from "../components/announcements.tsx";
import { confirm, Dialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { Badge } from "../components/state-badge.tsx";
import { Empty, ErrorNote } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Secret, Time, Undefined } from "../components/words.tsx";

type Scope = NewApiKey["scopes"][number];

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["read", "read everything that is yours"],
  ["write", "create, start, cancel, change and delete"],
  ["predict", "create predictions, read predictions and models"],
  ["metrics", "read /metrics; for administrators"],
];

export function Account() {
  const [version, setVersion] = useState(0);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const revoke = async (key: string, name: string) => {
    const text = "Programs that use it are refused from their next request on. It cannot be taken back.";
    if (!(await confirm({ title: `Revoke ${name}?`, text, action: "Revoke", isDangerous: true }))) return;
    try {
      await apiKeys.revoke(key);
      announce(`${name} was revoked.`);
      setVersion(version + 1);
    } catch (error) {
      setProblem(error as Problem);
    }
  };
  return (
    <Page
      title="API keys"
      lead={`For programs that act in the name of ${session.value?.account.email}: they send a key where a login would send its token.`}
      actions={
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          Make an API key
        </button>
      }
    >
      {problem !== null && <ErrorNote problem={problem} />}
      <PagedTable
        caption="API keys, newest first"
        load={apiKeys.list}
        rowsOf={(page) => page.apiKeys}
        keyOf={({ apiKeyId }) => apiKeyId}
        version={version}
        columns={[
          { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
          { head: "May", cell: ({ scopes }) => scopes.join(", ") },
          { head: "State", cell: (key) => <KeyState {...key} /> },
          {
            head: "Last used",
            cell: ({ lastUsedOn }) =>
              lastUsedOn === null ? <Undefined reason="It was never used" /> : <Time at={lastUsedOn} />,
          },
          { head: "Made", cell: ({ createdOn }) => <Time at={createdOn} /> },
          {
            head: "Changes",
            cell: ({ apiKeyId, name, revokedOn }) =>
              revokedOn === null && (
                <button type="button" class="link" onClick={() => revoke(apiKeyId, name)}>
                  Revoke
                </button>
              ),
          },
        ]}
        empty={
          <Empty title="No API keys">
            <p>A script that sends files every night needs one; people sign in.</p>
          </Empty>
        }
      />
      {isMaking && (
        <MakeKey
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            setVersion(version + 1);
          }}
        />
      )}
      {made !== null && <ShowKey made={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

function ShowKey({ made: { name, apiKey }, onClose }: { made: CreatedApiKey; onClose(): void }) {
  return (
    <Dialog title={`The key ${name}`} onClose={onClose}>
      <p>Put it where the program finds it. It is shown only now and is not stored.</p>
      <Secret label="API key" text={apiKey} />
      <div class="actions end">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

function KeyState({ revokedOn, expiresOn }: { revokedOn: string | null; expiresOn: string | null }) {
  if (revokedOn !== null) return <Badge tone="early" word="Revoked" />;
  if (expiresOn !== null && Date.parse(expiresOn) <= Date.now()) return <Badge tone="early" word="Expired" />;
  return <Badge tone="done" word="Good" />;
}

function MakeKey({ onClose, onMade }: { onClose(): void; onMade(key: CreatedApiKey): void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(["read"]);
  const [lastDay, setLastDay] = useState("");
  const make = useAction(async () => {
    const expiresOn = lastDay === "" ? null : new Date(`${lastDay}T23:59:59`).toISOString();
    onMade(await apiKeys.create({ name: name.trim(), scopes: [...chosen], expiresOn }));
  });
  const errorOf = (field: string) => make.problem?.errorOf(field);
  return (
    <Dialog title="Make an API key" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <TextField
          label="Name"
          help="What uses it, or where."
          error={errorOf("name")}
          required
          maxLength={100}
          value={name}
          onValue={setName}
        />
        <fieldset class="field">
          <legend>It may</legend>
          {SCOPES.map(([scope, meaning]) => (
            <label class="choice" key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, scope] : chosen.filter((known) => known !== scope))
                }
              />
              <span>
                <strong>{scope}</strong>: {meaning}
              </span>
            </label>
          ))}
        </fieldset>
        <TextField
          label="Last day"
          help="Left empty, it is good until it is revoked."
          error={errorOf("expiresOn")}
          type="date"
          value={lastDay}
          onValue={setLastDay}
        />
        {make.problem !== null && <ErrorNote problem={make.problem} />}
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={make.isRunning || chosen.length === 0}>
            Make
          </button>
        </div>
      </form>
    </Dialog>
  );
}
