// The dashboard: one page that browsers revalidate, and parts that never change.
import { type Asset, CODINGS, loadDashboard } from "../../dashboard/assets.ts";
import { preferredForm } from "../../http/accept.ts";
import { isKnown } from "../../http/file-answer.ts";
import { DASHBOARD_POLICY } from "../../http/headers.ts";
import { ApiError } from "../../http/problem.ts";
import { openRoute, type Route } from "../../http/route.ts";
import { textLike } from "../../http/schemas.ts";

const AssetName = textLike(/^[\w.-]{1,80}$/, "the name of a part of the dashboard");

/** A part's name changes with its content. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Open routes: the script fetches all data of users from the API. */
export function dashboardRoutes(): Route[] {
  return [
    openRoute({
      method: "GET",
      path: "/",
      operationId: "getDashboard",
      tag: "Server",
      summary: "The dashboard",
      hidden: true,
      answer: { status: 200, description: "The page.", forms: ["text/html"] },
      handle: async ({ request }) => assetAnswer((await loadDashboard()).page, request, "no-cache"),
    }),
    openRoute({
      method: "GET",
      path: "/assets/{name}",
      params: { name: AssetName },
      operationId: "getDashboardPart",
      tag: "Server",
      summary: "A part of the dashboard",
      hidden: true,
      answer: { status: 200, description: "The part.", forms: ["text/javascript", "text/css", "image/svg+xml"] },
      problems: ["NOT_FOUND"],
      handle: async ({ params: { name }, request }) => {
        const part = (await loadDashboard()).parts.get(name);
        if (part === undefined) throw new ApiError("NOT_FOUND", "The dashboard has no such part; load its page anew.");
        return assetAnswer(part, request, FOR_EVER);
      },
    }),
  ];
}

function assetAnswer({ contentType, etag, bodies }: Asset, { headers }: Request, caching: string): Response {
  const shared = {
    etag,
    "cache-control": caching,
    "content-security-policy": DASHBOARD_POLICY,
    vary: "accept-encoding",
  };
  if (isKnown(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: shared });
  const accepted = headers.get("accept-encoding") || "identity";
  const coding = preferredForm(accepted, CODINGS) ?? "identity";
  return new Response(bodies[coding], {
    headers: {
      ...shared,
      "content-type": contentType,
      ...(coding !== "identity" && { "content-encoding": coding }),
    },
  });
}
