// A file as an answer: whole, a range of it, or not at all where the client has it already (RFC 9110, sections 13 and 14).
import { stat } from "node:fs/promises";
import { setImmediate as otherRequests } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { SpreadsheetSafeText } from "../../engine/csv/spreadsheet-safe.ts";
import { ApiError } from "./problem.ts";

export interface FileAbout {
  contentType: string;
  /** What a browser saves it as: a name of ours, in letters, digits, blanks, dots, hyphens and underscores. */
  fileName: string;
  /** Changes with every byte of the file; the SHA-256 is one. Without quotation marks. */
  etag: string;
  /** For a CSV that we wrote: disarms cells that a spreadsheet would run. The answer is then always whole: its size is not known. */
  spreadsheetSafe?: boolean;
}

/** For `query` of a route that gives a CSV file of ours. */
export const SPREADSHEET_QUERY = {
  spreadsheetSafe: Type.Boolean({
    default: false,
    description:
      "Put an apostrophe before what a spreadsheet would run as a formula, in headers too. The file is then no longer the " +
      "same text, and `Range` counts for nothing.",
    "x-decision": "D51",
  }),
};

/** For `answer.headers` of a route that gives a file. */
export const FILE_HEADERS = {
  etag: "Names this content; send it as `If-None-Match` (304 where nothing changed) or `If-Range`.",
  "accept-ranges": "`bytes`: a `Range` gives 206 with `Content-Range`, or 416 outside the file.",
  "content-disposition": "The name to save the file under.",
} as const;

/** Bytes of a CSV that are made safe at a time. */
const SAFE_BYTES = 64 * 1024;

interface ByteRange {
  start: number;
  /** Behind the last byte. */
  end: number;
}

/**
 * Answers a request for an existing file by 200, 206, 304 or 416. Serves a single range of bytes; any other `Range` gets
 * the whole file.
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
    "content-disposition": `attachment; filename="${checkedName(about.fileName)}"`,
    "accept-ranges": "bytes",
  };
  const file = Bun.file(path);
  if (about.spreadsheetSafe === true) {
    return new Response(madeSafe(file.stream()), { headers: { ...content, "accept-ranges": "none" } });
  }
  const asked = request.headers.get("range");
  const range = asked !== null && isSameAs(request.headers.get("if-range"), etag) ? readRange(asked, size) : null;
  if (range !== null) {
    const { start, end } = range;
    const place = { "content-range": `bytes ${start}-${end - 1}/${size}` };
    return new Response(file.slice(start, end), { status: 206, headers: { ...content, ...place } });
  }
  // The runtime answers a Range by itself where the body is a file; as a stream the file is sent whole.
  const body = asked === null ? file : file.stream().pipeThrough(new TransformStream());
  return new Response(body, { headers: content });
}

/** Works a few milliseconds at a time, so that other requests are answered in between. */
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

/** True without `If-Range`, or with the file's own tag. A date never matches: no answer gives one. */
function isSameAs(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}

/** Weak tags count as the strong ones of the same text. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}

/** Null for anything but a single range of bytes: the header is then ignored. */
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

/** No user's text gets into the header, nor a line end or quotation mark. */
function checkedName(name: string): string {
  if (!/^[\w .-]+$/.test(name)) throw new Error(`no name for a file: ${JSON.stringify(name)}`);
  return name;
}
