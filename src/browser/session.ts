// Who is signed in, in this tab; and how a session that has ended is taken up again without leaving the page.
import { signal } from "@preact/signals";
import type { Token } from "../auth/login.ts";
import type { Account } from "../auth/users.ts";
import { apiAddress } from "./address.ts";
import { asProblem, Problem, problemOf } from "./problem.ts";

export interface Session {
  token: string;
  account: Account;
}

/** Of this tab alone, and gone with it; a reload finds it again. */
const STORED_AS = "cupel.session";

export const session = signal<Session | null>(storedSession());
/** The server refused the token: the page stays, and asks for the password. */
export const hasEnded = signal(false);

let renewal: PromiseWithResolvers<void> | null = null;

/** @throws Problem */
export async function signIn(username: string, password: string): Promise<void> {
  const token = await askWithout<Token>("POST", apiAddress("/api/login"), { username, password });
  const account = await askWithout<Account>("GET", apiAddress("/api/v1/account"), null, token.access_token);
  keep({ token: token.access_token, account });
  hasEnded.value = false;
  renewal?.resolve();
  renewal = null;
}

/** Resolves once the same user has signed in again; rejects where the user signs out instead. */
export function signInAgain(): Promise<void> {
  renewal ??= Promise.withResolvers<void>();
  hasEnded.value = true;
  return renewal.promise;
}

export function signOut(): void {
  keep(null);
  hasEnded.value = false;
  renewal?.reject(signedOut());
  renewal = null;
}

function signedOut(): Problem {
  return new Problem({ status: 401, code: "SIGNED_OUT", detail: "You signed out.", remedy: "Sign in again." });
}

async function askWithout<T>(method: string, address: URL, body: unknown, token?: string): Promise<T> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method,
      headers: {
        ...(body !== null && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    throw asProblem(error);
  }
  if (!response.ok) throw problemOf(response.status, text, response.headers.get("retry-after"));
  return JSON.parse(text) as T;
}

function keep(value: Session | null): void {
  session.value = value;
  try {
    if (value === null) sessionStorage.removeItem(STORED_AS);
    else sessionStorage.setItem(STORED_AS, JSON.stringify(value));
  } catch {
    // Without a storage the session ends with the page.
  }
}

function storedSession(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? "null") as Session | null;
  } catch {
    return null;
  }
}
