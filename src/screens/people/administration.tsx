// Administration: who may sign in.
import { useState } from "preact/hooks";
import type { UserItem } from "../../api/users/users.ts";
import { useAction } from "../../browser/action.ts";
import { users } from "../../browser/api.ts";
import { linkTo } from "../../browser/router.ts";
import { session } from "../../browser/session.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Dialog, DialogButton, SecretDialog } from "../../components/dialog.tsx";
import { Form, SelectField, TextField } from "../../components/field.tsx";
import { Page, Tabs } from "../../components/page.tsx";
import { Badge } from "../../components/state-badge.tsx";
import { Empty } from "../../components/states.tsx";
import { PagedTable } from "../../components/table.tsx";
import { Time } from "../../components/words.tsx";

interface NewPassword {
  email: string;
  password: string;
}

export function Administration() {
  const [version, setVersion] = useState(0);
  const [shown, setShown] = useState<NewPassword | null>(null);
  const changed = () => setVersion(version + 1);
  return (
    <Page
      title="Users"
      lead="Users see only their own data. Administrators also add and remove users and read the audit trail."
      actions={
        <DialogButton word="Add a user" look="primary">
          {(close) => (
            <AddUser
              onClose={close}
              onAdded={(added) => {
                close();
                setShown(added);
                changed();
              }}
            />
          )}
        </DialogButton>
      }
    >
      <Tabs {...ADMINISTRATION} shown={linkTo("/administration")} />
      <PagedTable
        caption="Users in the order in which they were added"
        search="Search by e-mail"
        load={users.list}
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
          { head: "Changes", cell: (user) => <Changes user={user} onChange={changed} onPassword={setShown} /> },
        ]}
        empty={<Empty title="No users" />}
      />
      {shown !== null && (
        <SecretDialog title="The new password" label="Password" secret={shown.password} onClose={() => setShown(null)}>
          Give it to <bdi>{shown.email}</bdi>.
        </SecretDialog>
      )}
    </Page>
  );
}

/** The screens of the section. */
export const ADMINISTRATION = {
  label: "Administration",
  tabs: [
    [linkTo("/administration"), "Users"],
    [linkTo("/administration/audit"), "Audit trail"],
  ],
} as const;

interface ChangesProps {
  user: UserItem;
  onChange(): void;
  onPassword(shown: NewPassword): void;
}

function Changes({ user: { userKey, email, disabledOn }, onChange, onPassword }: ChangesProps) {
  const isOwn = userKey === session.value?.account.userKey;
  return (
    <span class="row-actions">
      <ActionButton
        word="New password"
        look="link"
        question={{
          title: `New password for ${email}?`,
          text: "The old one stops working at once. API keys keep working.",
          action: "Make a new password",
        }}
        act={async () => onPassword({ email, ...(await users.renewPassword(userKey)) })}
        news={`${email} has a new password.`}
        onDone={onChange}
      />
      {!isOwn && (
        <>
          <ActionButton
            word={disabledOn === null ? "Disable" : "Enable"}
            look="link"
            act={() => users.change(userKey, { disabled: disabledOn === null })}
            news={`${email} was ${disabledOn === null ? "disabled" : "enabled"}.`}
            onDone={onChange}
          />
          <ActionButton
            word="Remove"
            look="link"
            question={{
              title: `Remove ${email}?`,
              text: "This cannot be undone. Datasets, models and predictions of this user are deleted with their files.",
              action: "Remove",
              isDangerous: true,
            }}
            act={() => users.remove(userKey)}
            news={`${email} was removed.`}
            onDone={onChange}
          />
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
      <Form action={add} submit="Add" onCancel={onClose}>
        <TextField
          label="E-mail"
          help="The name to sign in with. No mail is sent."
          error={add.errorOf("email")}
          inputMode="email"
          required
          maxLength={254}
          value={email}
          onValue={setEmail}
        />
        <SelectField label="Role" value={role} onValue={(value) => setRole(value === "admin" ? "admin" : "user")}>
          <option value="user">User</option>
          <option value="admin">Administrator</option>
        </SelectField>
      </Form>
    </Dialog>
  );
}
