// Texts that people mistake for CSV: web pages, XML, JSON, ARFF, SQL. A table could begin as some of them do, so of
// these only what makes no table is looked at.

import { InputError } from "../input-error.ts";

/** Characters of a text by which it is told. */
const TOLD_CHARS = 1_000;

const JSON_TEXT = '"(?:[^"\\\\]|\\\\.)*"';
/** How a text begins after blanks; JSON with a bracket alone on its line, an object, or a list of whatever. */
const KINDS: readonly { start: RegExp; what: string; remedy: string; isSure?: boolean }[] = [
  {
    // Records that are cut at their commas make a table, with labels such as "late"}.
    start: new RegExp(`^(?:\\{\\s*${JSON_TEXT}\\s*:|\\[\\s*${JSON_TEXT}\\s*[,\\]])`),
    what: "JSON",
    remedy: "Save the table as CSV.",
    isSure: true,
  },
  { start: /^INSERT INTO\s/i, what: "SQL", remedy: "Export the table as CSV.", isSure: true },
  {
    start: /^(?:%[^\n]*\n\s*)*@relation\s/i,
    what: "an ARFF file",
    remedy: "Put the names of its attributes, with commas between, in place of all lines above its data.",
  },
  {
    start: /^<(?:!doctype\s+html|html|table)[\s>]/i,
    what: "an HTML page",
    remedy: "Save the table itself as CSV. A download often gets a login page instead of its file.",
  },
  { start: /^<\?xml\s/i, what: "XML", remedy: "Export the table as CSV." },
  {
    start: new RegExp(
      [
        "^(?:\\[|\\{|\\[[ \\t]*\\{)[ \\t]*(?:[\\r\\n]|$)",
        `^(?:\\[\\s*)?\\{\\s*(?:${JSON_TEXT}\\s*:|\\})`,
        `^\\[\\s*(?:\\[|\\]|(?:${JSON_TEXT}|-?\\d[\\d.eE+-]*)\\s*[,\\]])`,
      ].join("|"),
    ),
    what: "JSON",
    remedy: "Save the table as CSV.",
  },
];

/** The refusal of a text by its beginning; null where that may be meant for CSV. `isTable`: it makes a table. */
export function otherText(opening: string, isTable = false): InputError | null {
  const text = opening.slice(0, TOLD_CHARS).trimStart();
  const kind = KINDS.find(({ start, isSure = false }) => (isSure || !isTable) && start.test(text));
  if (kind === undefined) return null;
  return new InputError("NOT_TEXT", `The file is ${kind.what}, not CSV text. ${kind.remedy}`);
}
