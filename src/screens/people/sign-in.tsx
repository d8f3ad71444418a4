// Signing in: the first page of a visitor, and the dialog over the page after a session has ended.
import { useState } from "preact/hooks";
import { useAction } from "../../browser/action.ts";
import { hasEnded, session, signIn, signOut } from "../../browser/session.ts";
import { Brand } from "../../components/brand.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Form, TextField } from "../../components/field.tsx";

export function SignIn() {
  return (
    <main class="sign-in">
      <Brand />
      <h1>Sign in</h1>
      <Credentials username="" />
      <p class="note">
        The server printed the first administrator’s password when it started for the first time. An administrator adds
        further users.
      </p>
    </main>
  );
}

/** Stands over the page, which keeps what was typed. */
export function SignInAgain() {
  const account = session.value?.account;
  if (!hasEnded.value || account === undefined) return null;
  return (
    <Dialog title="Your session has ended">
      <p>Sign in again to continue. Nothing on the page is lost.</p>
      <Credentials username={account.email} />
      <p class="note">
        Not you?{" "}
        <button type="button" class="link" onClick={signOut}>
          Sign out
        </button>
      </p>
    </Dialog>
  );
}

/** `username` is empty, or the only user who may continue. */
function Credentials({ username }: { username: string }) {
  // Password managers fill in both fields at once, so each change builds on the latest state.
  const [typed, setTyped] = useState({ username, password: "" });
  const action = useAction(() => signIn(typed.username, typed.password));
  return (
    <Form action={action} submit="Sign in" submitting="Signing in…">
      <TextField
        label="E-mail"
        inputMode="email"
        autocomplete="username"
        required
        readOnly={username !== ""}
        value={typed.username}
        onValue={(value) => setTyped((before) => ({ ...before, username: value }))}
      />
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        value={typed.password}
        onValue={(password) => setTyped((before) => ({ ...before, password }))}
      />
    </Form>
  );
}
