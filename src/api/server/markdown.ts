// Pages of this repository's documents as HTML: headings, paragraphs, lists,
// tables, blocks of code, and `code` and **bold** in them.

/**
 * Blocks stand between blank lines; tables and lists are blocks of their own.
 * Each heading of the second rank has an anchor. The keyboard reaches code, which may be wider than a phone.
 */
export function htmlOfMarkdown(markdown: string): string {
  const parts = markdown.split(/^```.*\n/m);
  // Between the marks of code, every other part is code.
  const blocks = parts.flatMap((part, at) =>
    at % 2 === 1
      ? [`<pre tabindex="0" role="group" aria-label="Code">${escapeHtml(part)}</pre>`]
      : part.split(/\n\n+/).map((block) => blockOf(block.trim())),
  );
  return blocks.filter((block) => block !== "").join("\n");
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function blockOf(block: string): string {
  const lines = block.split("\n");
  const [first = ""] = lines;
  if (block === "") return "";
  if (first.startsWith("# ")) return `<h1>${inlineOf(first.slice(2))}</h1>`;
  if (first.startsWith("## ")) return headingOf(first.slice(3));
  if (first.startsWith("|")) return tableOf(lines);
  const listAt = lines.findIndex((line) => line.startsWith("- "));
  if (listAt < 0) return `<p>${inlineOf(block)}</p>`;
  const items = itemsOf(lines.slice(listAt)).map((item) => `<li>${inlineOf(item)}</li>`);
  const before = listAt === 0 ? "" : `<p>${inlineOf(lines.slice(0, listAt).join("\n"))}</p>\n`;
  return `${before}<ul>\n${items.join("\n")}\n</ul>`;
}

/** A line that begins with two blanks belongs to the item above it. */
function itemsOf(lines: readonly string[]): string[] {
  return lines
    .join("\n")
    .slice("- ".length)
    .replaceAll("\n  ", " ")
    .split(/\n(?:- )?/);
}

function headingOf(text: string): string {
  return `<h2 id="${text.toLowerCase().replace(/[^a-z0-9]+/g, "-")}">${inlineOf(text)}</h2>`;
}

/** The second line only parts the header from the rows. */
function tableOf([header = "", , ...rows]: string[]): string {
  const cells = (line: string, tag: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => `<${tag}>${inlineOf(cell.trim())}</${tag}>`)
      .join("");
  const body = rows.map((line) => `<tr>${cells(line, "td")}</tr>`).join("\n");
  return `<table>\n<thead><tr>${cells(header, "th")}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function inlineOf(text: string): string {
  return escapeHtml(text)
    .replace(/\*\*([^*]*)\*\*/g, "<b>$1</b>")
    .replace(/`([^`]*)`/g, "<code>$1</code>");
}
