// Every request of a signed-in user: sends the token, asks for the password
// when it expires, turns failures into problems.
import { apiAddress, onThisServer } from "./address.ts";
import { asProblem, cancelled, fetched, Problem, problemOf } from "./problem.ts";
import { session, signInAgain } from "./session.ts";

interface RequestParts {
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: object;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** Answers that were asked for before the screen that needs them was there, by path. */
const ahead = new Map<string, Promise<unknown>>();
/** An answer that nobody has taken for so long is old. */
const KEPT_AHEAD_MS = 5_000;

/** Asks for what a screen will ask for: the first `ask` for the path takes this answer, or its problem. */
export async function askAhead(path: `/${string}`): Promise<void> {
  const answer = ask("GET", path);
  ahead.set(path, answer);
  try {
    await answer;
  } finally {
    setTimeout(() => ahead.delete(path), KEPT_AHEAD_MS);
  }
}

/** The JSON of an answer. @throws Problem */
export async function ask<T>(method: string, path: `/${string}`, sent: RequestParts = {}): Promise<T> {
  const known = method === "GET" && sent.query === undefined ? ahead.get(path) : undefined;
  if (known !== undefined) {
    ahead.delete(path);
    return known as Promise<T>;
  }
  return send(method, path, sent, async (response) => {
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  });
}

/** Saves a file of the API under a name. A plain link cannot send the token. @throws Problem */
export async function download(path: `/${string}`, fileName: string): Promise<void> {
  const address = URL.createObjectURL(await send("GET", path, {}, (response) => response.blob()));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The first bytes of a file of the API, or the whole file if it is shorter. @throws Problem */
export async function readBeginning(path: `/${string}`, byteCount: number, signal?: AbortSignal): Promise<Uint8Array> {
  const sent = { headers: { range: `bytes=0-${byteCount - 1}` }, signal };
  return send("GET", path, sent, async (response) => new Uint8Array(await response.arrayBuffer()));
}

/** How an upload reports progress and is stopped. */
export interface UploadOptions {
  /** Called with the share sent so far, from 0 to 1. */
  onProgress(share: number): void;
  /** Called with what broke while the upload waits to go on by itself, and with null once it goes on. */
  onPause?(problem: Problem | null): void;
  signal?: AbortSignal | undefined;
}

export interface Upload extends UploadOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  file: Blob;
}

/** Sends a file to a signed address, which is its own credential. @throws Problem; CANCELLED if the signal stops it */
export async function upload({ url, headers, file, ...way }: Upload): Promise<void> {
  await transfer("PUT", onThisServer(url), { "content-type": "text/csv", ...headers }, file, way);
}

/** Sends a form and returns the JSON of the answer. @throws Problem; CANCELLED if the signal stops it */
export async function sendForm<T>(
  path: `/${string}`,
  parts: Readonly<Record<string, string | File>>,
  way: UploadOptions,
): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  return withToken(
    async (authorization) => JSON.parse(await transfer("POST", apiAddress(path), { authorization }, form, way)) as T,
  );
}

/** Sends a body with progress; returns the text of the answer. */
async function transfer(
  method: string,
  address: URL,
  headers: Readonly<Record<string, string>>,
  body: Blob | FormData,
  { onProgress, signal }: UploadOptions,
): Promise<string> {
  const onSent = (loaded: number, total: number) => onProgress(total === 0 ? 1 : loaded / total);
  return (await exchange(method, address, { headers, body, onSent, signal })).responseText;
}

export interface Exchange {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
  body?: Blob | FormData;
  onSent?(bytes: number, total: number): void;
  /** Gives the connection up once it has said nothing for so long; never where it is left out. */
  silentMs?: number;
}

/** A request that reports what of its body was sent, which `fetch` does not. @throws Problem */
export function exchange(
  method: string,
  address: URL,
  { headers, signal, body, onSent, silentMs }: Exchange,
): Promise<XMLHttpRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<XMLHttpRequest>();
  const request = new XMLHttpRequest();
  request.open(method, address);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(silence);
    if (silentMs !== undefined) silence = setTimeout(() => request.abort(), silentMs);
  };
  heard();
  request.upload.onprogress = ({ loaded, total }) => {
    heard();
    onSent?.(loaded, total);
  };
  request.onload = () => {
    if (request.status < 400) return resolve(request);
    // HEAD has no body that would say why.
    const { status, responseText } = request;
    reject(problemOf(status, responseText, request.getResponseHeader("retry-after")));
  };
  request.onerror = () => reject(asProblem(null));
  request.onabort = () => reject(signal?.aborted === true ? cancelled() : asProblem(null));
  const stop = () => request.abort();
  signal?.addEventListener("abort", stop);
  request.onloadend = () => {
    clearTimeout(silence);
    signal?.removeEventListener("abort", stop);
  };
  if (signal?.aborted === true) reject(cancelled());
  else request.send(body ?? null);
  return promise;
}

/** Sends a request and reads its answer. */
function send<T>(
  method: string,
  path: `/${string}`,
  { query, body, headers, signal }: RequestParts,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  return withToken((authorization) => {
    const request = {
      method,
      headers: {
        authorization,
        accept: "application/json, */*",
        ...headers,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    };
    return fetched(apiAddress(path, query), request, read);
  });
}

/** Runs a request with the token; after the server refuses it, asks for the password and tries again. */
async function withToken<T>(request: (authorization: string) => Promise<T>): Promise<T> {
  for (;;) {
    const token = session.value?.token ?? "";
    try {
      return await request(`Bearer ${token}`);
    } catch (error) {
      const isRefused = error instanceof Problem && ["INVALID_TOKEN", "TOKEN_EXPIRED"].includes(error.code);
      if (!isRefused || session.value === null) throw error;
      // Another request may already have brought a new token.
      if (session.value.token === token) await signInAgain();
    }
  }
}
