// A text of the program itself as an answer: compressed as the client takes it, or 304 if the client has it.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { preferredForm } from "./accept.ts";
import { isKnown } from "./file-answer.ts";

export interface Asset {
  contentType: string;
  /** Changes with every byte; with its quotation marks. */
  etag: string;
  /** By content coding; `identity` is the content itself. */
  bodies: Readonly<Record<Coding, Uint8Array<ArrayBuffer>>>;
}

/** The best first. */
const CODINGS = ["br", "gzip", "identity"] as const;
type Coding = (typeof CODINGS)[number];

const BROTLI_QUALITY = 9;

export function asset(text: string, contentType: string): Asset {
  const identity = new TextEncoder().encode(text);
  return {
    contentType,
    etag: `"${new Bun.CryptoHasher("sha256").update(identity).digest("hex").slice(0, 24)}"`,
    bodies: {
      identity,
      gzip: new Uint8Array(gzipSync(identity, { level: 9 })),
      br: new Uint8Array(
        brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      ),
    },
  };
}

/** `more`: headers of the answer, also of a 304. */
export function assetAnswer(
  { contentType, etag, bodies }: Asset,
  { headers }: Request,
  more: Readonly<Record<string, string>>,
): Response {
  const shared = { etag, vary: "accept-encoding", ...more };
  if (isKnown(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: shared });
  const accepted = headers.get("accept-encoding") || "identity";
  const coding = preferredForm(accepted, CODINGS) ?? "identity";
  return new Response(bodies[coding], {
    headers: {
      ...shared,
      "content-type": contentType,
      ...(coding !== "identity" && { "content-encoding": coding }),
    },
  });
}
