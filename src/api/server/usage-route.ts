// The room that a user's files take, and what is left.

import { type Static, Type } from "@sinclair/typebox";
import { totalOf } from "../../../data/usage.ts";
import { countOf, named, orNull } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import type { Services } from "../services.ts";

const UsageRecord = Type.Object({
  usedBytes: Type.Object({
    refinements: countOf("Uploads and reduced files."),
    datasets: countOf("Without datasets from refinements, which share the refinement's file."),
    predictions: countOf("Inputs and results."),
    models: countOf("Versions, summaries and reports."),
    unfinished: countOf("Files that are sent in pieces and not whole yet, by their whole size."),
    total: countOf("All of these. Deleted files count while they are kept."),
  }),
  quotaBytes: orNull(countOf("Bytes that your files may take; null without such a limit.")),
  freeBytes: orNull(
    countOf("Bytes that you can still add, by your quota and that of all users together; null without limits."),
  ),
});

named({ Usage: UsageRecord });

const EXAMPLE = {
  usedBytes: {
    refinements: 96_422,
    datasets: 48_211,
    predictions: 20_480,
    models: 812_000,
    unfinished: 0,
    total: 977_113,
  },
  quotaBytes: 10_737_418_240,
  freeBytes: 10_736_441_127,
} as const satisfies Static<typeof UsageRecord>;

export function usageRoutes({ quotas }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/usage",
      operationId: "getUsage",
      tag: "Server",
      summary: "How much room your files take",
      description: "`storage` in `GET /api/v1/limits` says how long files are kept.",
      decisions: ["D57"],
      scopes: ["read", "write", "predict"],
      answer: { status: 200, description: "The room.", schema: UsageRecord, example: EXAMPLE },
      handle: ({ caller: { userKey } }) => {
        const { used, quotaBytes, freeBytes } = quotas.roomOf(userKey);
        return { usedBytes: { ...used, total: totalOf(used) }, quotaBytes, freeBytes };
      },
    }),
  ];
}
