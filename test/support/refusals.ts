// Requests that are refused before their bodies are read, sent by real
// clients to a server that is a process of its own.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const CLIENTS = ["Node", "Bun", "Python", "curl"] as const;
export type Client = (typeof CLIENTS)[number];

/** Of bodies, in MB. */
export const BODY_SIZES = [0.3, 1, 5, 40] as const;

/** A request, its body in three parts: text, so many bytes of filling, text. */
interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  head: string;
  fillBytes: number;
  tail: string;
  isChunked: boolean;
}

export interface Refusal {
  name: string;
  status: number;
  call(megabytes: number): Call;
  /** Of bodies that are refused for this reason; above it, as too large. */
  mostMegabytes?: number;
}

const UNKNOWN_KEY = "11111111-2222-4333-8444-555555555555";

/** One refusal for each way in which a body is sent; `token` is a valid login's. */
export function refusalsOf(origin: string, token: string): readonly Refusal[] {
  const bearer = { authorization: `Bearer ${token}` };
  const at = (path: string) => `${origin}/api/v1/${path}`;
  const filling = (megabytes: number) => Math.round(megabytes * 1_000_000);
  const json =
    (path: string, headers: Record<string, string>, isChunked = false) =>
    (megabytes: number) => ({
      method: "POST",
      url: at(path),
      headers: { ...headers, "content-type": "application/json" },
      head: '{"name":"',
      fillBytes: filling(megabytes),
      tail: '"}',
      isChunked,
    });
  const form = (path: string, part: string, headers: Record<string, string>) => (megabytes: number) => ({
    method: "POST",
    url: at(path),
    headers: { ...headers, "content-type": "multipart/form-data; boundary=X" },
    head: `--X\r\nContent-Disposition: form-data; name="${part}"; filename="t.csv"\r\nContent-Type: text/csv\r\n\r\n`,
    fillBytes: filling(megabytes),
    tail: "\r\n--X--\r\n",
    isChunked: false,
  });
  const put = (megabytes: number) => ({
    method: "PUT",
    url: at(`uploads/${UNKNOWN_KEY}/TRAIN?expires=1&signature=x`),
    headers: { "content-type": "text/csv" },
    head: "",
    fillBytes: filling(megabytes),
    tail: "",
    isChunked: false,
  });
  return [
    { name: "JSON without a credential", status: 401, call: json("feature-refinery", {}) },
    { name: "JSON that is too large", status: 413, call: json("feature-refinery", bearer) },
    { name: "JSON in chunks, too large", status: 413, call: json("feature-refinery", bearer, true) },
    { name: "JSON to no path", status: 404, call: json("no-such-path", bearer) },
    { name: "an upload without its signature", status: 403, call: put },
    { name: "a form without a credential", status: 401, call: form("datasets", "file", {}) },
    { name: "a form for no model", status: 404, call: form(`predictions/models/${UNKNOWN_KEY}`, "file", bearer) },
    { name: "a form of another part", status: 400, call: form("datasets", "other", bearer), mostMegabytes: 32 },
  ];
}

export function statusAt({ status, mostMegabytes = Number.POSITIVE_INFINITY }: Refusal, megabytes: number): string {
  return String(megabytes > mostMegabytes ? 413 : status);
}

const COMMANDS: Record<Exclude<Client, "curl">, readonly string[]> = {
  Node: ["node", join(import.meta.dir, "refused-client.mjs")],
  Bun: [process.execPath, join(import.meta.dir, "refused-client.mjs")],
  Python: ["python3", join(import.meta.dir, "refused_client.py")],
};

export function isInstalled(client: Client): boolean {
  return client === "curl" ? Bun.which("curl") !== null : Bun.which(COMMANDS[client][0]!) !== null;
}

/** What became of each call, in order: the status, or the client's name for its fault. `folder` takes what is sent. */
export async function outcomesOf(client: Client, calls: readonly Call[], folder: string): Promise<string[]> {
  const path = join(folder, `calls-${client}`);
  try {
    if (client === "curl") {
      const outcomes: string[] = [];
      for (const call of calls) outcomes.push(await outcomeOfCurl(call, path));
      return outcomes;
    }
    writeFileSync(path, JSON.stringify(calls));
    const child = Bun.spawn([...COMMANDS[client], path], { stdout: "pipe", stderr: "inherit" });
    return JSON.parse(await child.stdout.text());
  } finally {
    rmSync(path, { force: true });
  }
}

async function outcomeOfCurl(call: Call, path: string): Promise<string> {
  const { method, url, headers, head, fillBytes, tail, isChunked } = call;
  writeFileSync(path, Buffer.concat([Buffer.from(head), Buffer.alloc(fillBytes, "x"), Buffer.from(tail)]));
  const sent = Object.entries(isChunked ? { ...headers, "transfer-encoding": "chunked" } : headers);
  const child = Bun.spawn(
    [
      ...["curl", "--silent", "--request", method, "--data-binary", `@${path}`, "--write-out", "\n%{http_code}"],
      ...sent.flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      url,
    ],
    { stdout: "pipe", stderr: "ignore" },
  );
  const [body = "", status = ""] = (await child.stdout.text()).split("\n");
  if ((await child.exited) !== 0) return `exit ${child.exitCode} after ${status}`;
  return String(JSON.parse(body).status) === status ? status : `${status} with another body`;
}
