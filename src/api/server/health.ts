// Health and readiness, for supervisors and load balancers.

import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import { ApiError, type FieldError } from "../../http/problem.ts";
import { openRoute, type Route } from "../../routing/route.ts";
import { STORAGE_WORDS, storageFault } from "../../storage/storage-fault.ts";
import type { Services } from "../services.ts";

export function healthRoutes({ database, uploadsFolder, version }: Services): Route[] {
  const findErrors = shared(async () => [...databaseErrors(database), ...(await diskErrors(uploadsFolder))]);
  return [
    openRoute({
      method: "GET",
      path: "/healthz",
      operationId: "getHealth",
      tag: "Server",
      summary: "Whether the process lives",
      answer: {
        status: 200,
        description: "It does.",
        schema: Type.Object({ status: Type.Literal("ok"), version: Type.String() }),
        example: { status: "ok", version: "1.0.0" },
      },
      handle: () => ({ status: "ok" as const, version }),
    }),
    openRoute({
      method: "GET",
      path: "/readyz",
      operationId: "getReadiness",
      tag: "Server",
      summary: "Whether the server can work",
      description: "Asks the database and writes to the disk.",
      answer: {
        status: 200,
        description: "It can.",
        schema: Type.Object({ status: Type.Literal("ready") }),
        example: { status: "ready" },
      },
      problems: ["UNAVAILABLE"],
      handle: async () => {
        const errors = await findErrors();
        if (errors.length === 0) return { status: "ready" as const };
        const what = errors.map(({ message }) => message).join(" ");
        throw new ApiError("UNAVAILABLE", what, { errors, headers: { "retry-after": "5" } });
      },
    }),
  ];
}

/** Shares one running check among all callers: the route is open, and each check waits for the disk. */
function shared<T>(check: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= check().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

function databaseErrors({ client }: Database): FieldError[] {
  try {
    client.query("SELECT 1").get();
    return [];
  } catch {
    return [{ field: "database", code: "FAILING", message: "The database does not answer." }];
  }
}

async function diskErrors(folder: string): Promise<FieldError[]> {
  const path = join(folder, `${randomUUID()}.ready`);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.write("x");
      await file.datasync();
    } finally {
      await file.close();
    }
    return [];
  } catch (error) {
    const fault = storageFault(error);
    const message = fault === null ? "The disk cannot be written to." : STORAGE_WORDS[fault];
    return [{ field: "disk", code: fault ?? "FAILING", message }];
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
