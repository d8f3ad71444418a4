// SQL files are imported as text: `import sql from "./0001-first.sql" with { type: "text" }`.
declare module "*.sql" {
  const text: string;
  export = text;
}
