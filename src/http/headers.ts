// The headers of every response, of pages and of uploads.

/** The header that an upload must carry (D40), as `extraHeaders` and `requiredHeader` of the answers tell it. */
export const UPLOAD_HEADER_NAME = "x-cupel-content-length-range";

/** For data: nothing in it may run or load, and no cache keeps it. A response may set its own values. */
const DATA_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** For our pages: scripts, styles and images from this server only, and no frame around them. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** For the dashboard, which has no inline styles either. */
export const DASHBOARD_POLICY = PAGE_POLICY.replace(" 'unsafe-inline'", "");

/** Tells browsers to use only TLS for a year. */
export const STRICT_TRANSPORT = "max-age=31536000";

export function completeHeaders(headers: Headers, requestId: string): void {
  for (const [name, value] of Object.entries(DATA_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  headers.set("x-request-id", requestId);
}
