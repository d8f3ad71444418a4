// CORS: browsers let scripts of another site read answers only if this server was started with its origin.
import { UPLOAD_HEADER_NAME } from "../http/headers.ts";

/** Headers and methods for such a script. The browser's own credentials are left out: the API uses none. */
const ALLOWED = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    `authorization, content-type, accept, range, if-range, if-none-match, idempotency-key, ${UPLOAD_HEADER_NAME}, ` +
    "tus-resumable, upload-length, upload-offset, upload-metadata",
  "access-control-max-age": "600",
} as const;

const EXPOSED =
  "x-request-id, location, retry-after, idempotency-replayed, allow, etag, accept-ranges, content-range, " +
  "content-disposition, www-authenticate, tus-resumable, tus-version, tus-extension, " +
  "tus-max-size, upload-offset, upload-length, upload-expires";

export interface Cors {
  /** The answer to a preflight from a named origin; null for any other request. */
  preflight(request: Request): Response | null;
  /** Adds to an answer whether the script may read it. */
  complete(request: Request, headers: Headers): void;
}

/** `origins` as browsers write them; without any, nothing is added. */
export function corsOf(origins: readonly string[]): Cors {
  const allowedOrigins = new Set(origins);
  const originOf = (request: Request) => {
    const origin = request.headers.get("origin");
    return origin !== null && allowedOrigins.has(origin) ? origin : null;
  };
  return {
    preflight: (request) => {
      const isAsking = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
      return isAsking && originOf(request) !== null ? new Response(null, { status: 204, headers: ALLOWED }) : null;
    },
    complete: (request, headers) => {
      if (allowedOrigins.size === 0) return;
      // For other origins too: a cache must not serve their answer to an allowed one.
      headers.append("vary", "origin");
      const origin = originOf(request);
      if (origin === null) return;
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-expose-headers", EXPOSED);
    },
  };
}
