// The headers that every response has, and those of pages.

/** For answers that are data: nothing in them may run or load, and no cache keeps them. A response may set its own values. */
const DATA_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** For pages of ours: scripts, styles and images from this server alone, and no frame around them. */
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

/** For the dashboard, which has no inline style either: everything that is not named is refused, other origins above all. */
export const DASHBOARD_POLICY = PAGE_POLICY.replace(" 'unsafe-inline'", "");

/** Tells browsers to use nothing but TLS for a year. */
export const STRICT_TRANSPORT = "max-age=31536000";

/** Adds what every response has to the headers of one. */
export function completeHeaders(headers: Headers, requestId: string): void {
  for (const [name, value] of Object.entries(DATA_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  headers.set("x-request-id", requestId);
}
