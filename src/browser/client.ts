// The one door to the API: every request of a signed-in user goes through here, with its token, and none fails unexplained.
import { apiAddress, onThisServer } from "./address.ts";
import { asProblem, cancelled, Problem, problemOf } from "./problem.ts";
import { session, signInAgain } from "./session.ts";

type Query = Readonly<Record<string, string | number | undefined>>;

interface Sent {
  query?: Query;
  /** Goes as JSON; a form as it is. */
  body?: object | FormData;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** JSON of an answer. @throws Problem */
export async function ask<T>(method: string, path: `/${string}`, sent: Sent = {}): Promise<T> {
  const response = await send(method, path, sent);
  const text = await readText(response);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** Saves a file of the API under a name. It needs the token, so that a plain link would not do. @throws Problem */
export async function download(path: `/${string}`, fileName: string): Promise<void> {
  const response = await send("GET", path, {});
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The first bytes of a file of the API, or all of it where it is shorter. @throws Problem */
export async function readBeginning(path: `/${string}`, byteCount: number, signal?: AbortSignal): Promise<Uint8Array> {
  const response = await send("GET", path, { headers: { range: `bytes=0-${byteCount - 1}` }, signal });
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw asProblem(error);
  }
}

/** What is told of a body on its way. */
export interface Way {
  /** Hears of the share that has left, from 0 to 1. */
  onProgress(share: number): void;
  signal?: AbortSignal | undefined;
}

export interface Upload extends Way {
  url: string;
  headers: Readonly<Record<string, string>>;
  file: Blob;
}

/** Sends a file to a signed address, which is its own credential. @throws Problem, CANCELLED by the signal */
export async function upload({ url, headers, file, ...way }: Upload): Promise<void> {
  await transfer("PUT", onThisServer(url), { "content-type": "text/csv", ...headers }, file, way);
}

/** Sends a form; gives the JSON of the answer. @throws Problem, CANCELLED by the signal */
export async function sendForm<T>(
  path: `/${string}`,
  parts: Readonly<Record<string, string | File>>,
  way: Way,
): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  for (;;) {
    const token = session.value?.token ?? "";
    try {
      return JSON.parse(await transfer("POST", apiAddress(path), { authorization: `Bearer ${token}` }, form, way)) as T;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "INVALID_TOKEN" || session.value === null) throw error;
      if (session.value.token === token) await signInAgain();
    }
  }
}

/** The text of the answer. */
function transfer(
  method: string,
  address: URL,
  headers: Readonly<Record<string, string>>,
  body: Blob | FormData,
  { onProgress, signal }: Way,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // `fetch` does not tell how much of a body has left.
  const request = new XMLHttpRequest();
  request.open(method, address);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  request.onload = () => {
    if (request.status < 400) resolve(request.responseText);
    else reject(problemOf(request.status, request.responseText, request.getResponseHeader("retry-after")));
  };
  request.onerror = () => reject(asProblem(null));
  request.onabort = () => reject(cancelled());
  signal?.addEventListener("abort", () => request.abort());
  if (signal?.aborted === true) reject(cancelled());
  else request.send(body);
  return promise;
}

/** With the token; where the server no longer takes that, again with the next one. */
async function send(method: string, path: `/${string}`, { query, body, headers, signal }: Sent): Promise<Response> {
  for (;;) {
    const token = session.value?.token ?? "";
    const isJson = body !== undefined && !(body instanceof FormData);
    let response: Response;
    try {
      response = await fetch(apiAddress(path, query), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json, */*",
          ...headers,
          ...(isJson && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      throw asProblem(error);
    }
    if (response.ok) return response;
    const problem = problemOf(response.status, await readText(response), response.headers.get("retry-after"));
    if (problem.code !== "INVALID_TOKEN") throw problem;
    // Another request may have asked for the password meanwhile, and have been given it.
    if (session.value === null) throw problem;
    if (session.value.token === token) await signInAgain();
  }
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw asProblem(error);
  }
}
