// What only administrators may do.

import { ApiError } from "../http/problem.ts";
import type { Caller } from "./bearer.ts";

/** @throws ApiError FORBIDDEN */
export function requireAdministrator({ role }: Caller): void {
  if (role !== "admin") throw new ApiError("FORBIDDEN", "This needs the credential of an administrator.");
}
