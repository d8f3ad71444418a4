// The figures of the service for Prometheus.

import { requireAdministrator } from "../auth/bearer.ts";
import { type Route, route } from "../http/route.ts";
import { EXPOSITION_TYPE } from "../metrics/exposition.ts";
import type { Services } from "./services.ts";

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
        "Requests, jobs, queues, threads, memory and room, in the text format 0.0.4; no names, keys or contents of anybody. A " +
        "decision of this product: it takes the token of an administrator's login, or an administrator's API key with the " +
        "scope `metrics`, which can do nothing else. The address of a caller opens nothing: behind a proxy on the same " +
        "machine everybody comes from there.",
      scopes: ["metrics"],
      answer: { status: 200, description: "The figures.", forms: ["text/plain"] },
      handle: ({ caller }) => {
        requireAdministrator(caller);
        return new Response(showFigures(), { headers: { "content-type": EXPOSITION_TYPE } });
      },
    }),
  ];
}
