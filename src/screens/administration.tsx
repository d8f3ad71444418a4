// Administration: who may log in.
import { useState } from "preact/hooks";
import type { UserItem } from "../auth/users.ts";
import { useAction } from "../browser/action.ts";
import { users } from "../browser/api.ts";
import type { Problem } from "../browser/problem.ts";
import { session } from "../browser/session.ts";
import { announce } from "../components/announcements.tsx";
import { confirm, Dialog } from "../components/dialog.tsx";
import { Field, TextField } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { Badge } from "../components/state-badge.tsx";
import { Empty, ErrorNote, NoPermission } from "../components/states.tsx";
import { PagedTable } from "../components/table.tsx";
import { Secret, Time } from "../components/words.tsx";

interface NewPassword {
  email: string;
  password: string;
}

export function Administration() {
  const [version, setVersion] = useState(0);
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<NewPassword | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  if (session.value?.account.role !== "admin") {
    return (
      <Page title="Administration">
        <NoPermission />
      </Page>
    );
  }
  const changed = () => setVersion(version + 1);
  return (
    <Page
      title="Users"
      lead="Everyone sees only what is their own. An administrator can add and remove users, and read the audit trail."
      actions={
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          Add a user
        </button>
      }
    >
      {problem !== null && <ErrorNote problem={problem} />}
      <PagedTable
        caption="Users in the order in which they were added"
        search="Search by e-mail"
        load={users.list}
        rowsOf={(page) => page.users}
        keyOf={({ userKey }) => userKey}
        version={version}
        columns={[
          { head: "E-mail", cell: ({ email }) => <bdi>{email}</bdi> },
          { head: "Role", cell: ({ role }) => (role === "admin" ? "Administrator" : "User") },
          {
            head: "State",
            cell: ({ disabledOn }) =>
              disabledOn === null ? <Badge tone="done" word="Active" /> : <Badge tone="early" word="Disabled" />,
          },
          { head: "Added", cell: ({ createdOn }) => <Time at={createdOn} /> },
          {
            head: "Changes",
            cell: (user) => <Changes user={user} onProblem={setProblem} onChange={changed} onPassword={setShown} />,
          },
        ]}
        empty={<Empty title="No users" />}
      />
      {isAdding && (
        <AddUser
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            setShown(added);
            changed();
          }}
        />
      )}
      {shown !== null && <ShowPassword {...shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

interface ChangesProps {
  user: UserItem;
  onProblem(problem: Problem | null): void;
  onChange(): void;
  onPassword(shown: NewPassword): void;
}

function Changes({ user: { userKey, email, disabledOn }, onProblem, onChange, onPassword }: ChangesProps) {
  const change = async (question: Parameters<typeof confirm>[0] | null, act: () => Promise<string>) => {
    if (question !== null && !(await confirm(question))) return;
    onProblem(null);
    try {
      announce(await act());
      onChange();
    } catch (error) {
      onProblem(error as Problem);
    }
  };
  const isOwn = userKey === session.value?.account.userKey;
  return (
    <span class="row-actions">
      <button
        type="button"
        class="link"
        onClick={() =>
          change(
            {
              title: `New password for ${email}?`,
              text: "Logins with the old one end at once. API keys stay good.",
              action: "Make a new password",
            },
            async () => {
              onPassword({ email, ...(await users.renewPassword(userKey)) });
              return `${email} has a new password.`;
            },
          )
        }
      >
        New password
      </button>
      {!isOwn && (
        <>
          <button
            type="button"
            class="link"
            onClick={() =>
              change(null, async () => {
                await users.change(userKey, { disabled: disabledOn === null });
                return `${email} was ${disabledOn === null ? "disabled" : "enabled"}.`;
              })
            }
          >
            {disabledOn === null ? "Disable" : "Enable"}
          </button>
          <button
            type="button"
            class="link"
            onClick={() =>
              change(
                {
                  title: `Remove ${email}?`,
                  text: "For good: what this user made will be out of everyone’s reach.",
                  action: "Remove",
                  isDangerous: true,
                },
                async () => {
                  await users.remove(userKey);
                  return `${email} was removed.`;
                },
              )
            }
          >
            Remove
          </button>
        </>
      )}
    </span>
  );
}

function AddUser({ onClose, onAdded }: { onClose(): void; onAdded(added: NewPassword): void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<UserItem["role"]>("user");
  const add = useAction(async () => onAdded(await users.add({ email, role })));
  return (
    <Dialog title="Add a user" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <TextField
          label="E-mail"
          help="The name to sign in with. No mail is sent."
          error={add.problem?.errorOf("email")}
          inputMode="email"
          required
          maxLength={254}
          value={email}
          onValue={setEmail}
        />
        <Field label="Role">
          {(control) => (
            <select
              {...control}
              value={role}
              onChange={({ currentTarget: { value } }) => setRole(value === "admin" ? "admin" : "user")}
            >
              <option value="user">User</option>
              <option value="admin">Administrator</option>
            </select>
          )}
        </Field>
        {add.problem !== null && <ErrorNote problem={add.problem} />}
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={add.isRunning}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ShowPassword({ email, password, onClose }: NewPassword & { onClose(): void }) {
  return (
    <Dialog title="The new password" onClose={onClose}>
      <p>
        Hand it to <bdi>{email}</bdi>. It is shown only now and is not stored.
      </p>
      <Secret label="Password" text={password} />
      <div class="actions end">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
