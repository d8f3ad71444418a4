// The server beneath the app: one port, plain or by TLS.
import { IDLE_SECONDS } from "./http/limits.ts";
import type { App } from "./http/serve-routes.ts";

export interface ListenOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  tls: { certPath: string; keyPath: string } | null;
  /** How long nothing may move on a connection. */
  idleSeconds?: number;
}

export interface Listening {
  /** Without a final slash. */
  origin: string;
  port: number;
  /** Takes no more requests, and resolves once those under way are answered; `atOnce` breaks them off. */
  stop(atOnce?: boolean): Promise<void>;
}

/** Serves the app. Throws where the port is taken or the certificate cannot be used. */
export function listen(app: App, { host, port, tls, idleSeconds = IDLE_SECONDS }: ListenOptions): Listening {
  const server = Bun.serve({
    hostname: host,
    port,
    // Measured: a body that trickles has this long for each 160 KB, headers twelve seconds in all whatever stands here.
    idleTimeout: idleSeconds,
    // Every body is counted where it is read, and one that nobody reads is not held: measured, 500 MB refused add 11 MB.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    ...(tls !== null && { tls: { cert: Bun.file(tls.certPath), key: Bun.file(tls.keyPath) } }),
    fetch: (request, server) => app.fetch(request, server),
  });
  return {
    origin: server.url.href.replace(/\/$/, ""),
    port: server.port!,
    stop: (atOnce = false) => server.stop(atOnce),
  };
}
