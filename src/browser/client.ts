// The one door to the API: every request of a signed-in user goes through here, with its token, and none fails unexplained.
import { apiAddress, onThisServer } from "./address.ts";
import { asProblem, cancelled, problemOf } from "./problem.ts";
import { session, signInAgain } from "./session.ts";

type Query = Readonly<Record<string, string | number | undefined>>;

interface Sent {
  query?: Query;
  /** Goes as JSON; a form as it is. */
  body?: object | FormData;
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

export interface Upload {
  url: string;
  headers: Readonly<Record<string, string>>;
  file: Blob;
  /** Hears of the share that has left, from 0 to 1. */
  onProgress(share: number): void;
  signal?: AbortSignal | undefined;
}

/** Sends a file to a signed address, which is its own credential. @throws Problem, CANCELLED by the signal */
export function upload({ url, headers, file, onProgress, signal }: Upload): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // `fetch` does not tell how much of a body has left.
  const request = new XMLHttpRequest();
  request.open("PUT", onThisServer(url));
  request.setRequestHeader("content-type", "text/csv");
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  request.onload = () => {
    if (request.status < 400) resolve();
    else reject(problemOf(request.status, request.responseText, request.getResponseHeader("retry-after")));
  };
  request.onerror = () => reject(asProblem(null));
  request.onabort = () => reject(cancelled());
  signal?.addEventListener("abort", () => request.abort());
  if (signal?.aborted === true) reject(cancelled());
  else request.send(file);
  return promise;
}

/** With the token; where the server no longer takes that, again with the next one. */
async function send(method: string, path: `/${string}`, { query, body, signal }: Sent): Promise<Response> {
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
