// Who is signed in, the same in all tabs of a browser, and how an expired session is renewed without leaving the page.
//
// Each tab keeps the session for itself, so that it ends with the last of them and never lies on a disk; tabs tell each
// other over a channel, which no other origin hears.
import { signal } from "@preact/signals";
import type { Token } from "../api/users/login.ts";
import type { Account } from "../api/users/users.ts";
import { apiAddress, BASE_ADDRESS } from "./address.ts";
import { fetched, Problem } from "./problem.ts";

export interface Session {
  token: string;
  account: Account;
}

/** The key in this tab's storage: it survives a reload and ends with the tab. */
const STORED_AS = "cupel.session";

/** A new tab asks; every change is told. Null is a sign-out. */
type TabMessage = { asks: true } | { session: Session | null };

/** A channel of this server only: another may stand below another base path of the same origin. */
const otherTabs = new BroadcastChannel(`cupel.session ${BASE_ADDRESS}`);

export const session = signal<Session | null>(storedSession());
/** True after the server refused the token: the page stays and asks for the password. */
export const hasEnded = signal(false);

const json = (response: Response) => response.json();

let renewal: PromiseWithResolvers<void> | null = null;

otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
  if (!("asks" in data)) takeOver(data.session);
  else if (session.value !== null && !hasEnded.value) tellOtherTabs({ session: session.value });
};
if (session.value === null) tellOtherTabs({ asks: true });

/** @throws Problem */
export async function signIn(username: string, password: string): Promise<void> {
  const { access_token: token } = await fetched<Token>(
    apiAddress("/api/login"),
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    },
    json,
  );
  const headers = { authorization: `Bearer ${token}` };
  const account = await fetched<Account>(apiAddress("/api/v1/account"), { headers }, json);
  const renewed = { token, account };
  takeOver(renewed);
  tellOtherTabs({ session: renewed });
}

/** Resolves once the user has signed in again; rejects if the user signs out instead. */
export function signInAgain(): Promise<void> {
  renewal ??= Promise.withResolvers<void>();
  hasEnded.value = true;
  return renewal.promise;
}

export function signOut(): void {
  takeOver(null);
  tellOtherTabs({ session: null });
}

/** Requests that wait for a renewed session go on only for the same user. */
function takeOver(next: Session | null): void {
  const isSameUser = next !== null && next.account.userKey === session.value?.account.userKey;
  storeSession(next);
  hasEnded.value = false;
  const detail = "You signed out.";
  if (isSameUser) renewal?.resolve();
  else renewal?.reject(new Problem({ status: 401, code: "SIGNED_OUT", detail, remedy: "Sign in again." }));
  renewal = null;
}

function tellOtherTabs(message: TabMessage): void {
  otherTabs.postMessage(message);
}

function storeSession(value: Session | null): void {
  session.value = value;
  try {
    if (value === null) sessionStorage.removeItem(STORED_AS);
    else sessionStorage.setItem(STORED_AS, JSON.stringify(value));
  } catch {
    // Without storage the session ends with the page.
  }
}

function storedSession(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? "null") as Session | null;
  } catch {
    return null;
  }
}
