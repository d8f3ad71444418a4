// Checks the port of the service: Cupel answers, it is free, or another program has it.
import { createServer } from "node:net";
import type { RunningServer } from "../../data/files/running-server.ts";
import type { ServeOptions } from "../service/config.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

const ANSWER_LIMIT_MS = 3_000;

type ServerPlace = Pick<RunningServer, "host" | "port" | "basePath" | "tls">;

/** Where the running server listens, else where one with these options would. */
export function placeOf({ host, port, basePath, tls }: ServeOptions, running: RunningServer | null): ServerPlace {
  return running ?? { host, port, basePath, tls: tls !== null };
}

/** @param isServed whether a process uses the state folder */
export async function checkPort(options: ServerPlace, isServed: boolean): Promise<Finding[]> {
  const { host, port } = options;
  if (port === 0) return [];
  const place = `${host}:${port}`;
  const version = await askVersion(options);
  if (version !== null) {
    if (isServed) return [ok("port", `Cupel ${version} answers on ${place}.`)];
    const remedy = "Choose another --port, or name the folder of that server with --data.";
    return [warning("port", `Cupel ${version} answers on ${place}, but uses another folder.`, remedy)];
  }
  const fault = await bindingFault(host, port);
  if (fault === null) {
    if (!isServed) return [ok("port", `${place} is free.`)];
    const remedy = "Give the server's --host, --port and --base-path, or look into its log.";
    return [warning("port", `A process uses the folder, but nobody answers on ${place}.`, remedy)];
  }
  return [problem("port", `${place} cannot be listened on (${fault}).`, remedyFor(fault, port))];
}

/** Null where no Cupel answers. */
async function askVersion({ host, port, basePath, tls }: ServerPlace): Promise<string | null> {
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  try {
    const answer = await fetch(`${tls ? "https" : "http"}://${reachable}:${port}${basePath}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      redirect: "manual",
      // The certificate does not matter here.
      tls: { rejectUnauthorized: false },
    });
    const { status, version } = (await answer.json()) as Record<string, unknown>;
    return status === "ok" && typeof version === "string" ? version : null;
  } catch {
    return null;
  }
}

/** Tries to listen; null where that works. */
function bindingFault(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(codeOf(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function remedyFor(fault: string, port: number): string {
  if (fault === "EADDRINUSE") return "Another program has it. Stop that program, or choose another --port.";
  if (fault === "EACCES") return `Port ${port} needs special rights: choose another --port, or put a proxy in front.`;
  return "Give a --host that is an address of this machine, such as 127.0.0.1 or 0.0.0.0.";
}
