// Files of swagger-ui-dist, imported with `type: "file"`: the import is the file's path, also inside an executable.

declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;

  export = path;
}

declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;

  export = path;
}
