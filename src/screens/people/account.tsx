// The API keys that programs use in one's own name.
import { useState } from "preact/hooks";
import type { CreatedApiKey, NewApiKey } from "../../api/users/api-keys.ts";
import { useAction } from "../../browser/action.ts";
import { apiKeys } from "../../browser/api.ts";
import { session } from "../../browser/session.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Dialog, DialogButton, SecretDialog } from "../../components/dialog.tsx";
import { Choice, Form, TextField } from "../../components/field.tsx";
import { Page } from "../../components/page.tsx";
import { Badge } from "../../components/state-badge.tsx";
import { Empty } from "../../components/states.tsx";
import { PagedTable } from "../../components/table.tsx";
import { orDash, Time } from "../../components/words.tsx";

type Scope = NewApiKey["scopes"][number];

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["read", "read everything that is yours"],
  ["write", "create, start, cancel, change and delete"],
  ["predict", "create predictions, read predictions and models"],
  ["metrics", "read /metrics; for administrators"],
];

export function Account() {
  const [version, setVersion] = useState(0);
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const changed = () => setVersion(version + 1);
  return (
    <Page
      title="API keys"
      lead={`With a key, a program acts in the name of ${session.value?.account.email} without signing in.`}
      actions={
        <DialogButton word="Make an API key" look="primary">
          {(close) => (
            <MakeKey
              onClose={close}
              onMade={(key) => {
                close();
                setMade(key);
                changed();
              }}
            />
          )}
        </DialogButton>
      }
    >
      <PagedTable
        caption="API keys, newest first"
        load={apiKeys.list}
        keyOf={({ apiKeyId }) => apiKeyId}
        version={version}
        columns={[
          { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
          { head: "May", cell: ({ scopes }) => scopes.join(", ") },
          { head: "State", cell: (key) => <KeyState {...key} /> },
          {
            head: "Last used",
            cell: ({ lastUsedOn }) => orDash("It was never used", lastUsedOn, (at) => <Time at={at} />),
          },
          { head: "Made", cell: ({ createdOn }) => <Time at={createdOn} /> },
          {
            head: "Changes",
            cell: ({ apiKeyId, name, revokedOn }) =>
              revokedOn === null && (
                <ActionButton
                  word="Revoke"
                  look="link"
                  question={{
                    title: `Revoke ${name}?`,
                    text: "Programs that use it are refused from their next request on. This cannot be undone.",
                    action: "Revoke",
                    isDangerous: true,
                  }}
                  act={() => apiKeys.revoke(apiKeyId)}
                  news={`${name} was revoked.`}
                  onDone={changed}
                />
              ),
          },
        ]}
        empty={
          <Empty title="No API keys">
            <p>Programs need one, such as a script that sends files every night. People sign in.</p>
          </Empty>
        }
      />
      {made !== null && (
        <SecretDialog title={`The key ${made.name}`} label="API key" secret={made.apiKey} onClose={() => setMade(null)}>
          Copy it to where the program reads it.
        </SecretDialog>
      )}
    </Page>
  );
}

function KeyState({ revokedOn, expiresOn }: { revokedOn: string | null; expiresOn: string | null }) {
  if (revokedOn !== null) return <Badge tone="early" word="Revoked" />;
  if (expiresOn !== null && Date.parse(expiresOn) <= Date.now()) return <Badge tone="early" word="Expired" />;
  return <Badge tone="done" word="Active" />;
}

function MakeKey({ onClose, onMade }: { onClose(): void; onMade(key: CreatedApiKey): void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(["read"]);
  const [lastDay, setLastDay] = useState("");
  const make = useAction(async () => {
    const expiresOn = lastDay === "" ? null : new Date(`${lastDay}T23:59:59`).toISOString();
    onMade(await apiKeys.create({ name: name.trim(), scopes: [...chosen], expiresOn }));
  });
  return (
    <Dialog title="Make an API key" onClose={onClose}>
      <Form action={make} submit="Make" isReady={chosen.length > 0} onCancel={onClose}>
        <TextField
          label="Name"
          help="Which program uses it, or where."
          error={make.errorOf("name")}
          required
          maxLength={100}
          value={name}
          onValue={setName}
        />
        <fieldset class="field">
          <legend>It may</legend>
          {SCOPES.map(([scope, meaning]) => (
            <Choice
              key={scope}
              checked={chosen.includes(scope)}
              onChange={(isChosen) =>
                setChosen(isChosen ? [...chosen, scope] : chosen.filter((known) => known !== scope))
              }
            >
              <strong>{scope}</strong>: {meaning}
            </Choice>
          ))}
        </fieldset>
        <TextField
          label="Last day"
          help="Leave it empty for a key that works until it is revoked."
          error={make.errorOf("expiresOn")}
          type="date"
          value={lastDay}
          onValue={setLastDay}
        />
      </Form>
    </Dialog>
  );
}
