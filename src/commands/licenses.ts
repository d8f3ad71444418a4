// `cupel licenses`: prints the licences of everything inside the executable.
import { EXIT } from "../common/exit-codes.ts";
import text from "../packaging/licenses.txt" with { type: "text" };
import type { Console } from "./console.ts";

export function licenses(console: Console): number {
  console.print(...text.trimEnd().split("\n"));
  return EXIT.done;
}
