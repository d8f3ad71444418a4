// Text files are imported as text: `import terms from "./licenses.txt" with { type: "text" }`.
declare module "*.txt" {
  const text: string;
  export = text;
}

declare module "*.md" {
  const text: string;
  export = text;
}

declare module "*.py" {
  const text: string;
  export = text;
}

declare module "*.java" {
  const text: string;
  export = text;
}

declare module "*.c" {
  const text: string;
  export = text;
}

declare module "*.h" {
  const text: string;
  export = text;
}
