// Writes the TypeScript types of an OpenAPI document, as a user would: `bun
// generate-types.ts <openapi.json> <schema.ts>`.
import typescript from "typescript-5";

// openapi-typescript works with the compiler's own interface, which version 7 of TypeScript does not have.
Bun.plugin({
  name: "typescript of openapi-typescript",
  setup: (build) => {
    build.module("typescript", () => ({ exports: { ...typescript, default: typescript }, loader: "object" }));
  },
});
const { default: openapiTS, astToString } = await import("openapi-typescript");

const [document, target] = process.argv.slice(2) as [string, string];
const nodes = await openapiTS(await Bun.file(document).json(), { silent: true, defaultNonNullable: false });
await Bun.write(target, astToString(nodes));
