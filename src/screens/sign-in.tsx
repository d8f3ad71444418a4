// Signing in: the first thing a visitor sees, and what stands over the page where a session has ended.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { hasEnded, session, signIn, signOut } from "../browser/session.ts";
import { Brand } from "../components/brand.tsx";
import { Dialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { ErrorNote } from "../components/states.tsx";

export function SignIn() {
  return (
    <main class="sign-in">
      <Brand />
      <h1>Sign in</h1>
      <Form username="" />
      <p class="note">
        The first administrator’s password was printed when the server started for the first time. Further users are
        added under Administration, or by <code>cupel user add</code>.
      </p>
    </main>
  );
}

/** Over the page, which stays as it is: what was typed is not lost. */
export function SignInAgain() {
  const account = session.value?.account;
  if (!hasEnded.value || account === undefined) return null;
  return (
    <Dialog title="Your session has ended">
      <p>Sign in again to go on where you are. Nothing on the page is lost.</p>
      <Form username={account.email} />
      <p class="note">
        Not you?{" "}
        <button type="button" class="link" onClick={signOut}>
          Sign out
        </button>
      </p>
    </Dialog>
  );
}

/** `username` where only that user can go on. */
function Form({ username }: { username: string }) {
  // Password managers fill both in one go, so neither may build on what was drawn before.
  const [typed, setTyped] = useState({ username, password: "" });
  const action = useAction(() => signIn(typed.username, typed.password));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
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
      {action.problem !== null && <ErrorNote problem={action.problem} />}
      <button type="submit" class="primary" disabled={action.isRunning}>
        {action.isRunning ? "Signing in…" : "Sign in"}
      </button>
    </form>
  );
}
