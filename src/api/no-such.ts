// The 404 of a key that the caller has nothing under: the same for an unknown and for somebody else's (D31).
import { ApiError } from "../http/problem.ts";

/** `what` as it follows "There is no": "model". */
export function noSuch(what: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no ${what} with this key.`);
}

/** What a look-up found. @throws ApiError NOT_FOUND where it found nothing */
export function found<T>(what: string, thing: T | null): T {
  if (thing === null) throw noSuch(what);
  return thing;
}
