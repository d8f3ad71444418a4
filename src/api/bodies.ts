// JSON bodies: read with a cap on their size, and only once the caller is known.
import { findJsonFault, nestsDeeper } from "./json-syntax.ts";
import { MOST_JSON_BYTES, MOST_JSON_LEVELS } from "./limits.ts";
import { ApiError } from "./problem.ts";

/** In a larger body the place of a fault is not looked for: it would take seconds. */
const MOST_SEARCHED_CHARACTERS = 1024 * 1024;

/**
 * The value of a JSON body. Of a name that stands twice in an object the last value counts, and `__proto__` is a name like
 * any other; both are for the schema to judge.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, UPLOAD_INTERRUPTED or MALFORMED_JSON (with the position)
 */
export async function readJson(request: Request, mostBytes: number = MOST_JSON_BYTES): Promise<unknown> {
  requireContentType(request, "application/json");
  const text = decode(await readBytes(request, mostBytes));
  if (nestsDeeper(text, MOST_JSON_LEVELS)) {
    throw new ApiError("MALFORMED_JSON", `The body nests more than ${MOST_JSON_LEVELS} levels deep.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw malformedJson(text);
  }
}

/**
 * The media type without its parameters, in small letters.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE where it is none of those allowed, or its charset is not UTF-8 where that matters
 */
export function requireContentType(request: Request, ...allowed: readonly [string, ...string[]]): string {
  const given = request.headers.get("content-type");
  const [type = "", ...parameters] = (given ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.replace(/^charset=/, "");
  const isReadable = type !== "application/json" || charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (allowed.includes(type) && isReadable) return type;
  const sent = given === null ? "no content type was given" : `"${given.slice(0, 100)}" was given`;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", `This takes ${allowed.join(" or ")}; ${sent}.`, {
    headers: { accept: allowed.join(", ") },
  });
}

/**
 * Bodies are taken as they are: one that says it is packed is neither unpacked, which could make it any size, nor stored.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE
 */
export function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding");
  if (encoding === null || /^(?:identity)?$/i.test(encoding.trim())) return;
  const detail = `The body is sent with Content-Encoding: ${encoding.slice(0, 40)}. Unpack it, and send it without.`;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", detail, { headers: { "accept-encoding": "identity" } });
}

/** The error of a body above its limit. */
export function bodyTooLarge(mostBytes: number): ApiError {
  return new ApiError("BODY_TOO_LARGE", `The body may have at most ${mostBytes} bytes.`);
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const { headers } = request;
  const announced = headers.get("content-length");
  if (Number(announced ?? 0) > mostBytes) throw bodyTooLarge(mostBytes);
  // A body of a known length is as long as that and no longer: it needs no stream to be cut off.
  if (announced !== null && !headers.has("transfer-encoding")) return request.bytes().catch(interrupted);
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(interrupted);
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > mostBytes) {
      await reader.cancel();
      throw bodyTooLarge(mostBytes);
    }
    chunks.push(value);
  }
}

function interrupted(): never {
  throw new ApiError("UPLOAD_INTERRUPTED", "The connection broke while the body was being read.");
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("MALFORMED_JSON", "The body is not UTF-8 text.");
  }
}

function malformedJson(text: string): ApiError {
  if (text.trim() === "") return new ApiError("MALFORMED_JSON", "The body is empty; send a JSON object.");
  const fault = text.length > MOST_SEARCHED_CHARACTERS ? null : findJsonFault(text);
  if (fault === null) return new ApiError("MALFORMED_JSON", "The body is not JSON.");
  const { line, column, expected } = fault;
  const message = `At line ${line}, column ${column} of the body ${expected} was expected.`;
  return new ApiError("MALFORMED_JSON", message, {
    errors: [{ field: "body", code: "MALFORMED_JSON", message, line, column: String(column) }],
  });
}
