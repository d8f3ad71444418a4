// A file as an answer: whole, a range of it, or 304 if the client has it (RFC 9110, sections 13 and 14).
import { stat } from "node:fs/promises";
import { setImmediate as otherRequests } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { SpreadsheetSafeText } from "../../engine/csv/spreadsheet-safe.ts";
import { attachment } from "./file-names.ts";
import { ApiError } from "./problem.ts";

export interface FileAbout {
  contentType: string;
  /** The name to save it under, in one line and without folders. */
  fileName: string;
  /** Changes with the content, such as its SHA-256. Without quotation marks. */
  etag: string;
  /**
   * For a CSV of ours: disarms cells that a spreadsheet would run. The answer
   * is then always whole, as its size is unknown.
   */
  spreadsheetSafe?: boolean;
}

/** For `query` of a route that returns a CSV file of ours. */
export const SPREADSHEET_QUERY = {
  spreadsheetSafe: Type.Boolean({
    default: false,
    description:
      "Put an apostrophe before cells and headers that a spreadsheet would run as a formula. " +
      "The text then differs from the file, and `Range` is ignored.",
    "x-decision": "D51",
  }),
};

/** For `answer.headers` of a route that returns a file. */
export const FILE_HEADERS = {
  etag: "Identifies this content; send it as `If-None-Match` (304 if nothing changed) or `If-Range`.",
  "accept-ranges": "`bytes`: a `Range` returns 206 with `Content-Range`, or 416 outside the file.",
  "content-disposition": "The name to save the file under.",
} as const;

/** Bytes of a CSV that are made safe in one step. */
const SAFE_BYTES = 64 * 1024;

interface ByteRange {
  start: number;
  /** After the last byte. */
  end: number;
}

/**
 * Answers a request for an existing file with 200, 206, 304 or 416. Serves a
 * single range; any other `Range` gets the whole file.
 *
 * @throws ApiError RANGE_NOT_SATISFIABLE
 */
export async function fileAnswer(path: string, about: FileAbout, request: Request): Promise<Response> {
  const { size } = await stat(path);
  const etag = about.spreadsheetSafe === true ? `"${about.etag}-safe"` : `"${about.etag}"`;
  const headers = { etag, "cache-control": "private" };
  if (isKnown(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const content = {
    ...headers,
    "content-type": about.contentType,
    "content-disposition": attachment(about.fileName),
    "accept-ranges": "bytes",
  };
  const file = Bun.file(path);
  if (about.spreadsheetSafe === true) {
    return new Response(madeSafe(file.stream()), { headers: { ...content, "accept-ranges": "none" } });
  }
  const rangeHeader = request.headers.get("range");
  const range =
    rangeHeader !== null && isSameAs(request.headers.get("if-range"), etag) ? readRange(rangeHeader, size) : null;
  if (range !== null) {
    const { start, end } = range;
    const place = { "content-range": `bytes ${start}-${end - 1}/${size}` };
    return new Response(file.slice(start, end), { status: 206, headers: { ...content, ...place } });
  }
  // The runtime itself answers a Range if the body is a file; a stream is sent whole.
  const body = rangeHeader === null ? file : file.stream().pipeThrough(new TransformStream());
  return new Response(body, { headers: content });
}

/** Works a few milliseconds at a time: other requests are answered in between. */
function madeSafe(file: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const text = new SpreadsheetSafeText();
  return file.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>({
      transform: async (chunk, controller) => {
        for (let at = 0; at < chunk.length; at += SAFE_BYTES) {
          const piece = chunk.subarray(at, at + SAFE_BYTES);
          controller.enqueue(encoder.encode(text.push(decoder.decode(piece, { stream: true }))));
          await otherRequests();
        }
      },
      flush: (controller) => {
        controller.enqueue(encoder.encode(text.push(decoder.decode()) + text.end()));
      },
    }),
  );
}

/** True without `If-Range`, or with the file's own tag. A date never matches. */
function isSameAs(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}

/** Whether `If-None-Match` names this content; weak tags count as strong ones. */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}

/** Null, to ignore the header, for anything but a single range of bytes. */
function readRange(text: string, size: number): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(text) ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? unsatisfiable(size) : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < start) return null;
  return start < size ? { start, end } : unsatisfiable(size);
}

function unsatisfiable(size: number): never {
  throw new ApiError("RANGE_NOT_SATISFIABLE", `The file has ${size} bytes.`, {
    headers: { "content-range": `bytes */${size}` },
  });
}
