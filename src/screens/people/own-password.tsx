// Changing one's own password. Other logins end; this page signs in again with the new password.
import { useState } from "preact/hooks";
import { useAction } from "../../browser/action.ts";
import { changePassword } from "../../browser/api.ts";
import { Problem } from "../../browser/problem.ts";
import { goTo, linkTo } from "../../browser/router.ts";
import { session, signIn } from "../../browser/session.ts";
import { announce } from "../../components/announcements.tsx";
import { Form, TextField } from "../../components/field.tsx";
import { Page } from "../../components/page.tsx";

const LEAST_CHARACTERS = 12;

export function OwnPassword() {
  const [typed, setTyped] = useState({ current: "", next: "", again: "" });
  const email = session.value?.account.email ?? "";
  const change = useAction(async () => {
    if (typed.next !== typed.again) throw different();
    await changePassword({ currentPassword: typed.current, newPassword: typed.next });
    await signIn(email, typed.next);
    announce("Your password was changed.");
    goTo(linkTo("/"));
  });
  const field = (name: keyof typeof typed) => ({
    type: "password" as const,
    required: true,
    value: typed[name],
    onValue: (value: string) => setTyped((before) => ({ ...before, [name]: value })),
  });
  return (
    <Page
      title="Change password"
      lead={`For ${email}. Wherever else you are signed in, you will be asked for the new one. API keys keep working.`}
    >
      <Form action={change} submit="Change the password" submitting="Changing…">
        <TextField label="Current password" autocomplete="current-password" {...field("current")} />
        <TextField
          label="New password"
          help={`At least ${LEAST_CHARACTERS} characters. A few words are as good as special characters.`}
          error={change.errorOf("newPassword")}
          autocomplete="new-password"
          minLength={LEAST_CHARACTERS}
          {...field("next")}
        />
        <TextField
          label="New password again"
          error={change.errorOf("again")}
          autocomplete="new-password"
          {...field("again")}
        />
      </Form>
    </Page>
  );
}

function different(): Problem {
  const detail = "The two new passwords differ.";
  const errors = [{ field: "again", code: "DIFFERENT", message: detail }];
  return new Problem({ status: 0, code: "DIFFERENT", detail, remedy: "Type the new one twice.", errors });
}
