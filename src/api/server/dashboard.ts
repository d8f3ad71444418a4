// The dashboard: one page that browsers revalidate, and parts that never change.
import { loadDashboard } from "../../dashboard/assets.ts";
import { type Asset, assetAnswer } from "../../http/asset.ts";
import { DASHBOARD_POLICY } from "../../http/headers.ts";
import { ApiError } from "../../http/problem.ts";
import { textLike } from "../../http/schemas.ts";
import { openRoute, type Route } from "../../routing/route.ts";

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
      handle: async ({ request }) => pageAnswer((await loadDashboard()).page, request, "no-cache"),
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
        return pageAnswer(part, request, FOR_EVER);
      },
    }),
  ];
}

function pageAnswer(part: Asset, request: Request, caching: string): Response {
  return assetAnswer(part, request, { "cache-control": caching, "content-security-policy": DASHBOARD_POLICY });
}
