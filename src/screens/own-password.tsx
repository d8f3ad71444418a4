// Changing one's own password. Logins with the old one end, and this page takes up the new one by itself.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { account } from "../browser/api.ts";
import { Problem } from "../browser/problem.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { session, signIn } from "../browser/session.ts";
import { announce } from "../components/announcements.tsx";
import { TextField } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { ErrorNote } from "../components/states.tsx";

const LEAST_CHARACTERS = 12;

export function OwnPassword() {
  const [typed, setTyped] = useState({ current: "", next: "", again: "" });
  const email = session.value?.account.email ?? "";
  const change = useAction(async () => {
    if (typed.next !== typed.again) throw different();
    await account.changePassword({ currentPassword: typed.current, newPassword: typed.next });
    await signIn(email, typed.next);
    announce("Your password was changed.");
    goTo(linkTo("/"));
  });
  return (
    <Page
      title="Change password"
      lead={`For ${email}. Other places where you are signed in will ask for the new one; API keys stay good.`}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.run();
        }}
      >
        <TextField
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          value={typed.current}
          onValue={(current) => setTyped((before) => ({ ...before, current }))}
        />
        <TextField
          label="New password"
          help={`At least ${LEAST_CHARACTERS} characters; a few words are as good as signs.`}
          error={change.problem?.errorOf("newPassword")}
          type="password"
          autocomplete="new-password"
          required
          minLength={LEAST_CHARACTERS}
          value={typed.next}
          onValue={(next) => setTyped((before) => ({ ...before, next }))}
        />
        <TextField
          label="New password again"
          error={change.problem?.errorOf("again")}
          type="password"
          autocomplete="new-password"
          required
          value={typed.again}
          onValue={(again) => setTyped((before) => ({ ...before, again }))}
        />
        {change.problem !== null && <ErrorNote problem={change.problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={change.isRunning}>
            {change.isRunning ? "Changing…" : "Change the password"}
          </button>
        </div>
      </form>
    </Page>
  );
}

function different(): Problem {
  const detail = "The two new passwords differ.";
  const errors = [{ field: "again", code: "DIFFERENT", message: detail }];
  return new Problem({ status: 0, code: "DIFFERENT", detail, remedy: "Type the new one twice.", errors });
}
