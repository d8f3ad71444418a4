// Uploads in pieces by the protocol's own client against a real server: cut, and the server killed, again and again.
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { withFolder } from "../support/in-process.ts";
import { endAll, FROM_SOURCE, type Server, serve, start } from "../support/server.ts";

const FILE_BYTES = 64 * 1024 * 1024;
const [CUTS, KILL_EACH] = [20, 4];
const CLIENT = [process.execPath, join(import.meta.dir, "../support/tus-client.ts")];

afterAll(() => endAll());

const portOf = ({ printed }: Server) => Number(/listening on \S+:(\d+)/.exec(printed)![1]);
const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Mebibytes that a process holds, and has held at the most. */
function memoryOf({ child }: Server): { now: number; peak: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)![1]) / 1_024;
  return { now: mib("VmRSS"), peak: mib("VmHWM") };
}

test("a file arrives whole over a link that breaks 20 times, to a server that is killed five times", () =>
  withFolder(async (folder) => {
    const [state, file] = [join(folder, "state"), join(folder, "table.csv")];
    writeFileSync(
      file,
      crypto
        .getRandomValues(Buffer.alloc(65_536))
        .toString("hex")
        .repeat(FILE_BYTES / 131_072),
    );
    let server = await serve(FROM_SOURCE, state);
    const grown: number[] = [];
    let rest = memoryOf(server).now;
    const note = () => grown.push(memoryOf(server).peak - rest);
    const proxy = await startCuttingProxy({ cutEveryBytes: FILE_BYTES / (CUTS + 1), cuts: CUTS }, async (cut) => {
      if (cut % KILL_EACH !== 0) return;
      note();
      server.child.kill("SIGKILL");
      await server.child.exited;
      server = await serve(FROM_SOURCE, state);
      rest = memoryOf(server).now;
      proxy.lead(portOf(server));
    });
    proxy.lead(portOf(server));
    const made = await server.call<{ uploadTargets: { kind: string; url: string }[] }>(
      "POST",
      "/api/v1/feature-refinery",
      {},
    );
    const { url } = made.uploadTargets.find(({ kind }) => kind === "TRAIN")!;
    const { pathname, search } = new URL(url);
    const client = start(CLIENT, [`${proxy.origin}${pathname}${search}`, file]);
    const [printed, noted, code] = await Promise.all([client.stdout.text(), client.stderr.text(), client.exited]);
    expect([noted, code]).toEqual(["", 0]);
    expect((JSON.parse(printed) as { retries: number }).retries).toBeGreaterThanOrEqual(CUTS);
    note();
    const stored = readdirSync(join(state, "files")).map((name) => hashOf(join(state, "files", name)));
    expect([stored, readdirSync(join(state, "unfinished"))]).toEqual([[hashOf(file)], []]);
    if (process.env["SHOW_MEMORY"]) process.stderr.write(`${rest} ${grown}\n`);
    expect(grown).toHaveLength(CUTS / KILL_EACH + 1);
    // Far less than the file: a body is never gathered.
    expect(Math.max(...grown)).toBeLessThan(48);
    proxy.close();
  }));
