// Files of swagger-ui-dist, imported with `type: "file"`: what is imported is the path of the file, also inside an executable.

declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;

  export = path;
}

declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;

  export = path;
}
