// Metrics of the service for Prometheus.

import { requireAdministrator } from "../../auth/bearer.ts";
import { EXPOSITION_TYPE } from "../../metrics/exposition.ts";
import { type Route, route } from "../../routing/route.ts";
import type { Services } from "../services.ts";

export function metricsRoutes({ showFigures }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/metrics",
      operationId: "getMetrics",
      tag: "Server",
      decisions: ["D52"],
      summary: "Figures of the running service, for Prometheus",
      description:
        "Requests, jobs, queues, threads, memory and storage, in the text format 0.0.4, without names, " +
        "keys or contents. A decision of this product: " +
        "it takes the token of an administrator's login, or an administrator's API key with the scope " +
        "`metrics`, which allows nothing else. The caller's address gives no right: " +
        "behind a proxy on the same machine everybody has that address.",
      scopes: ["metrics"],
      answer: { status: 200, description: "The figures.", forms: ["text/plain"] },
      handle: ({ caller }) => {
        requireAdministrator(caller);
        return new Response(showFigures(), { headers: { "content-type": EXPOSITION_TYPE } });
      },
    }),
  ];
}
