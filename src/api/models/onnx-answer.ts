// The download of a version as ONNX.
import { isKnown } from "../../http/file-answer.ts";
import type { ModelExports } from "../services.ts";

/** A version as ONNX; `etag` without quotation marks. The same program makes the same bytes of a version. */
export async function onnxAnswer(
  exports: ModelExports,
  about: { path: string; name: string; etag: string },
  ml: 2 | 5,
  request: Request,
): Promise<Response> {
  const etag = `"${about.etag}"`;
  const headers = { etag, "cache-control": "private" };
  if (isKnown(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const { sizeBytes, body } = await exports.onnx(about.path, ml);
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${about.name}.onnx"`,
      "content-length": String(sizeBytes),
      "accept-ranges": "none",
    },
  });
}
