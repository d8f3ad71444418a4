// The real program as a process of its own, for the fuzz campaign: a world is
// made in its folder, and what it logs is heard.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApi } from "../support/api.ts";
import { PASSWORD, readUntil, start } from "../support/server.ts";
import { createWorld, type FuzzWorld } from "./fuzz-world.ts";

export interface FuzzedServer {
  /** In the server's folder; the faults of its API are those that the server logs of requests. */
  world: FuzzWorld;
  residentMib(): number;
  /** Ends the server; gives its exit code. */
  stop(): Promise<number>;
}

export async function startFuzzedServer(program: readonly string[]): Promise<FuzzedServer> {
  const root = mkdtempSync(join(tmpdir(), "cupel-fuzz-"));
  const folder = join(root, "state");
  const child = start(
    program,
    ["serve", "--data", folder, "--port", "0", "--log-format", "json", "--log-level", "error"],
    { CUPEL_ADMIN_EMAIL: "root@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD, CUPEL_REQUESTS_PER_MINUTE: "999999999" },
  );
  const printed = await readUntil(child.stdout, /listening on (http:\S+)\n/);
  const origin = /listening on (\S+)/.exec(printed)![1]!;
  const api = await startApi({ beside: { folder, origin } });
  const heard = hearFaults(child.stderr, api.faults);
  return {
    world: createWorld(api),
    residentMib: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024,
    stop: async () => {
      child.kill("SIGTERM");
      const code = await child.exited;
      await heard;
      await api.close();
      rmSync(root, { recursive: true });
      return code;
    },
  };
}

/** Jobs of drawn requests may have faults of their own: their datasets were never there. */
async function hearFaults(stream: ReadableStream<Uint8Array>, faults: unknown[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    faults.push(...lines.filter((line) => !line.startsWith("{") || "requestId" in (JSON.parse(line) as object)));
  }
}
