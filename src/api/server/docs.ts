// The API reference: Swagger UI, the problem codes, the decisions and the model
// format as pages of this server, which need no network.
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import clients from "../../../docs/clients.md" with { type: "text" };
import decisions from "../../../docs/decisions.md" with { type: "text" };
import modelFormat from "../../../docs/model-format.md" with { type: "text" };
import { PAGE_POLICY } from "../../http/headers.ts";
import { PROBLEMS } from "../../http/problem-codes.ts";
import { openRoute, type Route } from "../../routing/route.ts";
import { escapeHtml, htmlOfMarkdown } from "./markdown.ts";

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cupel API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Addresses are relative to the page: they work below any base path. */
const START_SCRIPT = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const PAGE_STYLE = `body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; }
h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; }
p, li { margin: .25rem 0; overflow-wrap: anywhere; }
td { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .6rem; background: #8882; }
:target { background: #fd06; }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr, td { display: block; }
  tr { padding: .4rem 0; border-bottom: 1px solid #8884; }
  td { padding: 0; border: 0; }
}
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8bf; } }`;

/** `document` makes the OpenAPI document, once, at its first use. */
export function docsRoutes(document: () => Record<string, unknown>): Route[] {
  let rendered: string | null = null;
  const openApi = () => {
    rendered ??= JSON.stringify(document());
    return rendered;
  };
  return [
    page("/openapi.json", "getOpenApi", "This API as an OpenAPI 3.1 document", "application/json", openApi),
    page("/docs", "getReference", "This API as pages to read and try out", "text/html", () => REFERENCE_PAGE),
    page("/docs/problems", "getProblems", "Every problem code and what to do", "text/html", problemsPage),
    page(
      "/docs/decisions",
      "getDecisions",
      "What this server does where its description is silent",
      "text/html",
      decisionsPage,
    ),
    page("/docs/clients", "getClientsPage", "Clients for programs", "text/html", () =>
      documentPage("Clients for programs", htmlOfMarkdown(clients)),
    ),
    page("/docs/model-format", "getModelFormat", "What a model file holds", "text/html", () =>
      documentPage("The model file", htmlOfMarkdown(modelFormat)),
    ),
    page("/docs/start.js", "getReferenceScript", "Script of the reference", "text/javascript", () => START_SCRIPT),
    page("/docs/swagger-ui.css", "getSwaggerStyles", "Styles of the reference", "text/css", () => Bun.file(styles)),
    page("/docs/swagger-ui-bundle.js", "getSwaggerBundle", "Swagger UI", "text/javascript", () => Bun.file(bundle)),
  ];
}

function page(
  path: `/${string}`,
  operationId: string,
  summary: string,
  form: string,
  content: () => string | Blob,
): Route {
  return openRoute({
    method: "GET",
    path,
    operationId,
    tag: "Server",
    summary,
    ...(path !== "/openapi.json" && { hidden: true as const }),
    answer: { status: 200, description: `${summary}.`, forms: [form] },
    handle: () =>
      new Response(content(), {
        headers: {
          "content-type": form === "application/json" ? form : `${form}; charset=utf-8`,
          "content-security-policy": PAGE_POLICY,
          "cache-control": "no-cache",
        },
      }),
  });
}

function problemsPage(): string {
  const rows = Object.entries(PROBLEMS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, title, remedy }]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${escapeHtml(remedy)}</td></tr>`,
    );
  return documentPage(
    "Cupel API: problems",
    `<h1>Problems</h1>
<p>Errors are <code>application/problem+json</code>. A code never changes its meaning or status; new ones may come.</p>
<table>
<thead><tr><th>Code</th><th>Status</th><th>Title</th><th>What to do</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`,
  );
}

/** docs/decisions.md, where the number of a heading is its anchor, and every other number a link to it. */
function decisionsPage(): string {
  const html = htmlOfMarkdown(decisions)
    .replace(/<h2 id="[^"]*">(D\d+)/g, '<h2 id="$1">$1')
    .replace(/^(?!<h2).*$/gm, (line) => line.replace(/\bD\d{2,3}\b/g, '<a href="#$&">$&</a>'));
  return documentPage("Cupel API: decisions", html);
}

function documentPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${PAGE_STYLE}</style></head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
