// JSON bodies: read with a cap on their size, and only once the caller is known.
import { Type } from "@sinclair/typebox";
import { MalformedJson, parseJson } from "../../engine/json-body.ts";
import { formatByteLimit } from "../common/format.ts";
import { checkValue } from "../http/fields.ts";
import { MOST_JSON_BYTES, MOST_JSON_LEVELS } from "../http/limits.ts";
import { ApiError } from "../http/problem.ts";

const NO_FIELDS = Type.Object({});

/**
 * The value of a JSON body. Of two values of one name in an object the last counts; `__proto__` is an ordinary name.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, UPLOAD_INTERRUPTED or MALFORMED_JSON (with the position)
 */
export async function readJson(request: Request): Promise<unknown> {
  requireContentType(request, "application/json");
  return parse(await readBytes(request, MOST_JSON_BYTES));
}

/**
 * For operations that take no body: accepts none, or an empty object of any content type.
 *
 * @throws ApiError VALIDATION_FAILED, MALFORMED_JSON, BODY_TOO_LARGE or UPLOAD_INTERRUPTED
 */
export async function refuseFields(request: Request): Promise<void> {
  if (request.body === null) return;
  const bytes = await readBytes(request, MOST_JSON_BYTES);
  if (bytes.length > 0) checkValue(NO_FIELDS, parse(bytes));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MOST_JSON_LEVELS);
  } catch (error) {
    throw error instanceof MalformedJson ? new ApiError("MALFORMED_JSON", error.message, error) : error;
  }
}

/**
 * The media type without its parameters, in small letters.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE if it is not among those allowed, or is JSON in another charset than UTF-8
 */
export function requireContentType(request: Request, ...allowed: readonly [string, ...string[]]): string {
  const contentType = request.headers.get("content-type");
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.replace(/^charset=/, "");
  const isReadable = type !== "application/json" || charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (allowed.includes(type) && isReadable) return type;
  const sent = contentType === null ? "no content type was given" : `"${contentType.slice(0, 100)}" was given`;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", `This takes ${allowed.join(" or ")}; ${sent}.`, {
    headers: { accept: allowed.join(", ") },
  });
}

/** Refuses compressed bodies: unpacked, one could have any size. @throws ApiError UNSUPPORTED_MEDIA_TYPE */
export function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding");
  if (encoding === null || /^(?:identity)?$/i.test(encoding.trim())) return;
  const detail = `The body is sent with Content-Encoding: ${encoding.slice(0, 40)}. Unpack it, and send it without.`;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", detail, { headers: { "accept-encoding": "identity" } });
}

function bodyTooLarge(mostBytes: number): ApiError {
  return new ApiError("BODY_TOO_LARGE", `The body may have at most ${formatByteLimit(mostBytes)}.`);
}

/** The size that a body's headers announce; null if it comes in chunks. */
export function announcedBytes({ headers }: Request): number | null {
  const announced = headers.get("content-length");
  return announced === null || headers.has("transfer-encoding") ? null : Number(announced);
}

/** The bytes of a small body. @throws ApiError BODY_TOO_LARGE or UPLOAD_INTERRUPTED */
export async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const announced = announcedBytes(request);
  if ((announced ?? 0) > mostBytes) throw bodyTooLarge(mostBytes);
  // The runtime ends a body at its announced length, so this one cannot grow beyond it.
  if (announced !== null) return request.bytes().catch(interrupted);
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(interrupted);
      if (done) return Buffer.concat(chunks);
      size += value.length;
      if (size > mostBytes) throw bodyTooLarge(mostBytes);
      chunks.push(value);
    }
  } finally {
    reader.releaseLock();
  }
}

function interrupted(): never {
  throw new ApiError("UPLOAD_INTERRUPTED", "The connection broke while the body was being read.");
}
