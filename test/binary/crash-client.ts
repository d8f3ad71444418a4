// A server that may be gone at any moment, and a client that tells an answer from a connection that broke.
import { PASSWORD, readUntil, start } from "../support/server.ts";

const ADMIN = "ada@example.org";

export interface Reply {
  status: number;
  /** Of JSON answers; empty of others. */
  json: Record<string, unknown>;
  text: string;
}

export interface Client {
  /** Null where the connection broke before the answer was whole: nothing is known of what was asked. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply | null>;
}

export interface LiveServer extends Client {
  child: ReturnType<typeof start>;
  /** Sends a signal and waits for the end; gives the exit code. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number>;
}

/** Starts the program on a folder without waiting for it. */
export function spawnServer(program: readonly string[], folder: string): ReturnType<typeof start> {
  const environment = { CUPEL_ADMIN_EMAIL: ADMIN, CUPEL_ADMIN_PASSWORD: PASSWORD };
  return start(program, ["serve", "--data", folder, "--port", "0", "--workers", "2"], environment);
}

/** Starts the program on a folder and logs in. */
export async function openServer(program: readonly string[], folder: string): Promise<LiveServer> {
  const child = spawnServer(program, folder);
  const printed = await readUntil(child.stdout, /listening on (http:\S+)\n/);
  const origin = /listening on (\S+)/.exec(printed)![1]!;
  const login = await send(`${origin}/api/login`, "POST", { username: ADMIN, password: PASSWORD }, {});
  if (login?.status !== 200) throw new Error(`no login after a start: ${login?.text}`);
  const authorization = `Bearer ${login.json["access_token"]}`;
  return {
    child,
    ask: (method, path, body, headers = {}) =>
      send(path.startsWith("http") ? path : `${origin}${path}`, method, body, { authorization, ...headers }),
    end: async (signal) => {
      child.kill(signal);
      return await child.exited;
    },
  };
}

async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply | null> {
  const isJson = body !== undefined && !(body instanceof FormData) && typeof body !== "string";
  try {
    const response = await fetch(url, {
      method,
      headers: isJson ? { "content-type": "application/json", ...headers } : headers,
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string | FormData) }),
    });
    const text = await response.text();
    const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: response.status, json, text };
  } catch {
    return null;
  }
}
