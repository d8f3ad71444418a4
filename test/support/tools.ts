// Programs of the system that some tests drive, and documents whose examples they run as they stand there.
import { describe } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a program is; null where it is not. Debian keeps servers out of the path of users. */
export function findTool(name: string): string | null {
  return Bun.which(name, { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` });
}

/**
 * Tests that need programs of the system. Where one is missing they are left out, and a line says so, unless
 * CUPEL_TOOL_TESTS is `required` and the program is one that every such machine can have.
 */
export function describeWithTools(
  title: string,
  { needed = [], welcome = [] }: { needed?: readonly string[]; welcome?: readonly string[] },
  define: () => void,
): void {
  const missing = (names: readonly string[]) => names.filter((name) => findTool(name) === null);
  if (process.env["CUPEL_TOOL_TESTS"] === "required" && missing(needed).length > 0)
    throw new Error(`${title} needs ${missing(needed).join(", ")}`);
  const left = missing([...needed, ...welcome]);
  if (left.length === 0) describe(title, define);
  else process.stderr.write(`tests were left out: ${title} (there is no ${left.join(", ")})\n`);
}

/** The blocks of a language in a document of this repository that have a text in them. */
export function examplesIn(path: string, language: string, text: string): string[] {
  const document = readFileSync(join(import.meta.dir, "..", "..", path), "utf8");
  const blocks = [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.filter(([, given, block]) => given === language && block!.includes(text)).map(([, , block]) => block!);
}
