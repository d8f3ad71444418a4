// The clients for programs: one file for each language, from this server itself,
// since networks without internet have no registry.
import { CLIENT_NAMES, CLIENTS, type ClientName } from "../../clients/clients.ts";
import { type Asset, asset, assetAnswer } from "../../http/asset.ts";
import { oneOf } from "../../http/schemas.ts";
import { openRoute, type Route } from "../../routing/route.ts";

const Name = oneOf(CLIENT_NAMES, { description: "The types of the client for TypeScript are `cupel.d.ts`." });

/** Some runtimes take the types of a module from there. */
const TYPES_OF: Partial<Record<ClientName, ClientName>> = { "cupel.js": "cupel.d.ts" };

/** An open route: the files are parts of the program, and hold nothing of its users. */
export function clientRoutes(): Route[] {
  const assets = new Map<ClientName, Promise<Asset>>();
  return [
    openRoute({
      method: "GET",
      path: "/clients/{name}",
      params: { name: Name },
      operationId: "getClient",
      tag: "Server",
      summary: "A client for programs",
      description:
        "One file without dependencies, which a program takes along or loads from here: " +
        "train, refine and predict in a few lines, over broken connections too. " +
        "The [clients](docs/clients) are described with examples.",
      decisions: ["D117"],
      answer: {
        status: 200,
        description: "The source of the client.",
        forms: [...new Set(CLIENT_NAMES.map((name) => CLIENTS[name].contentType.split(";")[0]!))] as [string],
        headers: { etag: "Identifies this content; send it as `If-None-Match` (304 if nothing changed)." },
      },
      handle: async ({ params: { name }, request }) => {
        const { contentType, text } = CLIENTS[name];
        if (!assets.has(name))
          assets.set(
            name,
            Promise.resolve(text()).then((whole) => asset(whole, contentType)),
          );
        const types = TYPES_OF[name];
        return assetAnswer(await assets.get(name)!, request, {
          // Revalidated: an upgraded server has another client.
          "cache-control": "no-cache",
          "content-disposition": `inline; filename="${name}"`,
          ...(types !== undefined && { "x-typescript-types": `./${types}` }),
        });
      },
    }),
  ];
}
