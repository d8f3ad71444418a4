// Requests to one server: the credential, time limits, retries.
import { type Names, only } from "./options.ts";
import { CupelProblem, ownProblem, problemOf } from "./problem.ts";
import { asProblem, type Patience, persistently } from "./retry.ts";

/** How to log in, and how patient to be. Either `key`, or `user` and `password`. */
export interface CupelOptions {
  /** An API key. It needs the scopes of what is done: `read`, `write`, `predict`. */
  key?: string | undefined;
  /** The e-mail address of an account. The client logs in when it has to, and again when the token expires. */
  user?: string | undefined;
  password?: string | undefined;
  /**
   * Seconds for which a request is sent again while the server cannot be
   * reached or is busy; 120 by default, 0 for never.
   */
  retrySeconds?: number | undefined;
  /**
   * Seconds without an answer after which the connection counts as broken;
   * 60 by default. Bodies get more, by their size.
   */
  timeoutSeconds?: number | undefined;
  /** In place of the platform's own: for proxies, private certificate authorities and the like. */
  fetch?: ((address: string, request: RequestInit) => Promise<Response>) | undefined;
}

export interface AskOptions {
  /** Ends the request. */
  signal?: AbortSignal | undefined;
}

export const ASKING: Names<AskOptions> = { signal: true };
const CONNECTING: Names<CupelOptions> = {
  ...{ key: true, user: true, password: true },
  ...{ retrySeconds: true, timeoutSeconds: true, fetch: true },
};

export interface Sent extends AskOptions {
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  json?: object;
  body?: Blob | FormData | Uint8Array<ArrayBuffer>;
  /** The size of the body. */
  sizeBytes?: number;
  headers?: Readonly<Record<string, string>>;
  /** The server makes something: all attempts have one key, by which it knows them for one request. */
  creates?: boolean;
  /** The address is its own credential. */
  isOpen?: boolean;
}

const DEFAULT_RETRY_SECONDS = 120;
const DEFAULT_TIMEOUT_SECONDS = 60;
/** The rate of a slow line; the server itself gives up below 4 KiB a second. */
const LEAST_BYTES_PER_SECOND = 8 * 1_024;
/** A token is renewed before it expires, since clocks and lines differ. */
const RENEWAL_MS = 60_000;

interface Token {
  text: string;
  endMs: number;
}

export class Connection {
  readonly timeoutMs: number;
  readonly retrySeconds: number;
  /** With a slash at the end. */
  private readonly base: string;
  private readonly options: CupelOptions;
  private token: Promise<Token> | null = null;

  /** @throws CupelProblem NO_CREDENTIAL, NOT_HERE for an address that is none; TypeError for unknown options */
  constructor(url: string | URL, options: CupelOptions) {
    only(CONNECTING, options);
    if (options.key === undefined && (options.user === undefined || options.password === undefined)) {
      throw ownProblem("NO_CREDENTIAL", "There is no credential", "Give a key, or user and password.");
    }
    if (!URL.canParse(url.toString()) || !/^https?:$/.test(new URL(url).protocol)) {
      throw ownProblem("NOT_HERE", "The address is none", "The server's address must begin with http:// or https://.");
    }
    const { origin, pathname } = new URL(url);
    this.base = origin + pathname.replace(/\/?$/, "/");
    this.options = options;
    this.retrySeconds = options.retrySeconds ?? DEFAULT_RETRY_SECONDS;
    this.timeoutMs = (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
  }

  patience(signal: AbortSignal | undefined): Patience {
    return { retrySeconds: this.retrySeconds, signal };
  }

  /** The JSON of an answer; undefined where it has no body. @throws CupelProblem, or the signal's reason */
  json<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    return this.persistently(method, path, sent, async (response) => {
      const text = await response.text();
      return (text === "" ? undefined : parsed(text, response.status)) as T;
    });
  }

  /** An answer whose body is still to be read. @throws CupelProblem, or the signal's reason */
  response(method: string, path: string, sent: Sent = {}): Promise<Response> {
    return this.persistently(method, path, sent, async (response) => response);
  }

  /** One attempt. @throws CupelProblem, or the signal's reason */
  async once<T>(method: string, path: string, sent: Sent, read: (response: Response) => Promise<T>): Promise<T> {
    if (sent.isOpen === true) return this.send(method, path, sent, {}, read);
    const token = await this.credential(sent.signal);
    try {
      return await this.send(method, path, sent, { authorization: `Bearer ${token.text}` }, read);
    } catch (error) {
      if (!(error instanceof CupelProblem) || error.status !== 401 || this.options.key !== undefined) throw error;
      // The token has expired, or the server has renewed its secret: another login, and one more attempt.
      await this.forget(token);
      const renewed = await this.credential(sent.signal);
      return this.send(method, path, sent, { authorization: `Bearer ${renewed.text}` }, read);
    }
  }

  /** A path, from an address that the server gave: it may know itself by another name than the client does. */
  pathOf(address: string): string {
    const start = address.indexOf("/api/v1/");
    return start < 0 ? address : address.slice(start);
  }

  private persistently<T>(
    method: string,
    path: string,
    sent: Sent,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const once = { "idempotency-key": crypto.randomUUID() };
    const all = sent.creates === true ? { ...sent, headers: { ...sent.headers, ...once } } : sent;
    return persistently(this.patience(sent.signal), () => this.once(method, path, all, read));
  }

  private async send<T>(
    method: string,
    path: string,
    { query = {}, json, body, sizeBytes = 0, headers, signal }: Sent,
    credential: Readonly<Record<string, string>>,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const address = new URL(path.replace(/^\//, ""), this.base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const ending = new AbortController();
    const stop = () => ending.abort(signal?.reason);
    const limitMs = this.timeoutMs + (sizeBytes / LEAST_BYTES_PER_SECOND) * 1_000;
    const timer = setTimeout(() => ending.abort(new Error(`no answer in ${limitMs} ms`)), limitMs);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      signal?.throwIfAborted();
      const response = await (this.options.fetch ?? fetch)(address.href, {
        method,
        headers: {
          accept: "application/json, */*",
          ...credential,
          ...(json !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        signal: ending.signal,
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(body !== undefined && { body }),
      });
      if (!response.ok) throw problemOf(response.status, await response.text(), response.headers.get("retry-after"));
      return await read(response);
    } catch (error) {
      throw asProblem(error, this.base, signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  /** The key, or a token that is good for a while. Requests that come together wait for one login. */
  private async credential(signal: AbortSignal | undefined): Promise<Token> {
    if (this.options.key !== undefined) return { text: this.options.key, endMs: Number.POSITIVE_INFINITY };
    signal?.throwIfAborted();
    this.token ??= this.logIn().catch((error) => {
      this.token = null;
      throw error;
    });
    const token = await this.token;
    if (Date.now() < token.endMs) return token;
    await this.forget(token);
    return this.credential(signal);
  }

  /** Another request may already have brought a new one. */
  private async forget(token: Token): Promise<void> {
    if ((await this.token?.catch(() => null)) === token) this.token = null;
  }

  /** Nobody's signal ends it, since others may wait for it too. */
  private async logIn(): Promise<Token> {
    const { user: username, password } = this.options;
    const json = { username, password };
    type Answer = { access_token: string; expires_in: number };
    const answer = await this.send("POST", "/api/login", { json }, {}, async (response) => {
      return (await response.json()) as Answer;
    });
    const { access_token: text, expires_in: seconds } = answer;
    return { text, endMs: Date.now() + Math.max(RENEWAL_MS, seconds * 1_000 - RENEWAL_MS) };
  }
}

/** A page of a proxy may have the status of a success. */
function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problemOf(status, text, null);
  }
}
