// Warns of labels that differ in upper and lower case, in blanks or in the way a number is written only.
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import { canonicalNumberText } from "./numbers.ts";
import type { ClassCount } from "./profile.ts";

const GROUPS_LISTED = 5;
/** Blanks, and characters that nobody sees. */
const BLANKS = /[\s\p{Cf}]+/gu;

/** Returns ALIKE_LABELS, or null where every two labels differ in more than that. O(classes) */
export function alikeWarning(column: string, classes: readonly ClassCount[]): Warning | null {
  const alike = new Map<string, ClassCount[]>();
  for (const own of classes) {
    const text = own.label.normalize("NFKC").toLowerCase().replace(BLANKS, " ").trim();
    const key = canonicalNumberText(text) ?? text;
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [own]);
    else others.push(own);
  }
  const groups = [...alike.values()].filter((group) => group.length > 1);
  if (groups.length === 0) return null;
  const named = groups.slice(0, GROUPS_LISTED).map((group) => group.map(labelWithCount).join(" and "));
  const further = groups.length > GROUPS_LISTED ? "; …" : "";
  const message =
    `Labels in column ${quotedName(column)} differ only in case, in blanks or in how a number is written, and are ` +
    `learned as classes of their own: ${named.join("; ")}${further}. If they mean the same, write them alike.`;
  return { code: "ALIKE_LABELS", message, column, count: groups.flat().length };
}

function labelWithCount({ label, count }: ClassCount): string {
  return `${quotedName(label)} (${count === 1 ? "1 row" : `${count} rows`})`;
}
