// Serves the app on one port, with or without TLS.
import { IDLE_SECONDS } from "../http/limits.ts";
import type { App } from "../routing/serve-routes.ts";

export interface ListenOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  tls: { certPath: string; keyPath: string } | null;
  /** A connection without traffic for this long is closed. */
  idleSeconds?: number;
}

export interface Listening {
  /** Without a final slash. */
  origin: string;
  port: number;
  /** Takes no more requests and resolves once open ones are answered; `atOnce` breaks them off. */
  stop(atOnce?: boolean): Promise<void>;
}

/** Serves the app. Throws where the port is taken or the certificate cannot be used. */
export function listen(app: App, { host, port, tls, idleSeconds = IDLE_SECONDS }: ListenOptions): Listening {
  const server = Bun.serve({
    hostname: host,
    port,
    // Measured: a slow body has this long for each 160 KB; headers have twelve seconds in all, whatever this says.
    idleTimeout: idleSeconds,
    // Bodies are limited where they are read, and Bun does not keep unread ones: 500 MB refused added 11 MB (measured).
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Without development, Bun would share the port with a second server, which then answers every other client.
    reusePort: false,
    ...(tls !== null && { tls: { cert: Bun.file(tls.certPath), key: Bun.file(tls.keyPath) } }),
    fetch: (request, server) => app.fetch(request, server),
  });
  return {
    origin: server.url.href.replace(/\/$/, ""),
    port: server.port!,
    stop: (atOnce = false) => server.stop(atOnce),
  };
}
