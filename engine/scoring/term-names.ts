// How the words and pairs of a text are shown.
import { termName } from "../text/term-name.ts";
import type { TextCoder } from "./text-coder.ts";

/** By the number of the term: those that the model knows, and may show. */
export function namesIn(text: string, { scanner, table, text: known }: TextCoder): Map<number, string> {
  const names = new Map<number, string>();
  scanner.scan(text);
  for (let at = 0; at < scanner.count; at++) {
    const term = table.find(scanner.low[at]!, scanner.high[at]!);
    if (term >= 0 && term < known.shownCount && !names.has(term)) names.set(term, termName(scanner, at));
  }
  return names;
}
