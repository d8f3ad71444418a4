// One file by tus-js-client to a real server over a link that is cut again
// and again, the server killed at some of the cuts.
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { type Server, serve, start } from "./server.ts";

const CLIENT = [process.execPath, join(import.meta.dir, "tus-client.ts")];
const BLOCK_BYTES = 1024 * 1024;

export interface BrokenLink {
  program: readonly string[];
  /** For the state and the file. */
  folder: string;
  fileBytes: number;
  cuts: number;
  /** Kills the server at each so many cuts. */
  killEach: number;
}

export interface Arrival {
  /** Requests that the client had to begin anew. */
  retries: number;
  sentSha256: string;
  /** Of each file that the server has. */
  storedSha256: string[];
  unfinishedCount: number;
  /** Of each life of the server, in MiB: what it held before the file came, and at the most. */
  memory: { rest: number; peak: number }[];
  seconds: number;
}

export async function sendOverBrokenLink({ program, folder, fileBytes, cuts, killEach }: BrokenLink): Promise<Arrival> {
  const [state, file] = [join(folder, "state"), join(folder, "table.csv")];
  for (let bytes = 0; bytes < fileBytes; bytes += BLOCK_BYTES) {
    const block = crypto
      .getRandomValues(Buffer.alloc(64))
      .toString("hex")
      .repeat(BLOCK_BYTES / 128);
    writeFileSync(file, block.slice(0, fileBytes - bytes), { flag: "a" });
  }
  let server = await serve(program, state);
  let rest = memoryOf(server, "VmRSS");
  const memory: Arrival["memory"] = [];
  const note = () => memory.push({ rest, peak: memoryOf(server, "VmHWM") });
  const proxy = await startCuttingProxy({ cutEveryBytes: fileBytes / (cuts + 1), cuts }, async (cut) => {
    if (cut % killEach !== 0) return;
    note();
    server.child.kill("SIGKILL");
    await server.child.exited;
    server = await serve(program, state);
    rest = memoryOf(server, "VmRSS");
    proxy.lead(portOf(server));
  });
  try {
    proxy.lead(portOf(server));
    const { pathname, search } = new URL(await addressOf(server));
    const startMs = performance.now();
    const client = start(CLIENT, [`${proxy.origin}${pathname}${search}`, file]);
    const [printed, noted, code] = await Promise.all([client.stdout.text(), client.stderr.text(), client.exited]);
    if (code !== 0) throw new Error(`the client ended with ${code}: ${noted}`);
    const seconds = (performance.now() - startMs) / 1_000;
    note();
    const { retries } = JSON.parse(printed) as { retries: number };
    const stored = readdirSync(join(state, "files")).map((name) => hashOf(join(state, "files", name)));
    const unfinishedCount = readdirSync(join(state, "unfinished")).length;
    const [sentSha256, storedSha256] = [await hashOf(file), await Promise.all(stored)];
    return { retries, sentSha256, storedSha256, unfinishedCount, memory, seconds };
  } finally {
    proxy.close();
  }
}

/** The signed address of a new refinement's TRAIN file: nothing begins to work on it. */
async function addressOf({ call }: Server): Promise<string> {
  const made = await call<{ uploadTargets: { kind: string; url: string }[] }>("POST", "/api/v1/feature-refinery", {});
  return made.uploadTargets.find(({ kind }) => kind === "TRAIN")!.url;
}

function portOf({ printed }: Server): number {
  return Number(/listening on \S+:(\d+)/.exec(printed)![1]);
}

function memoryOf({ child }: Server, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)![1]) / 1_024;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
