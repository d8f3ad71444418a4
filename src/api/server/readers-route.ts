// The readers of model files: a program in one file for each language, so that machines without a network have them.

import { READER_NAMES, READERS } from "../../exporting/readers.ts";
import { oneOf } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";

const Language = oneOf(READER_NAMES, {
  description: "`c` is the source, `c-header` the header that it needs beside it.",
});

export function readerRoutes(): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/readers/{language}",
      params: { language: Language },
      operationId: "getReader",
      tag: "Server",
      summary: "A program that scores rows by a model file",
      description:
        "Takes the path of a `.cupel` file and of a CSV file, needs nothing but its language, " +
        "and gives this server's labels and probabilities. Its first lines say how it is used. " +
        "The reader for C refuses models that read texts.",
      decisions: ["D104"],
      scopes: ["read", "predict"],
      answer: {
        status: 200,
        description: "The source of the reader.",
        forms: ["text/plain"],
        headers: { "content-disposition": "The name to save the file under." },
      },
      handle: async ({ params }) => {
        const { fileName, text } = READERS[params.language];
        return new Response(await text(), {
          headers: {
            "content-type": "text/plain; charset=utf-8",
            "content-disposition": `attachment; filename="${fileName}"`,
          },
        });
      },
    }),
  ];
}
