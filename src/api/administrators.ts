// What only administrators may do.
import type { Caller } from "../auth/bearer.ts";
import { ApiError } from "./problem.ts";

/** @throws ApiError FORBIDDEN */
export function requireAdministrator({ role }: Caller): void {
  if (role !== "admin") throw new ApiError("FORBIDDEN", "This needs the credential of an administrator.");
}
