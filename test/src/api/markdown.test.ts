// Documents as pages: what they hold stands there, in its form, and nothing of it becomes markup of its own.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { htmlOfMarkdown } from "../../../src/api/server/markdown.ts";

const DOCUMENTS = ["model-format", "decisions", "clients"].map((name) => ({
  name,
  text: readFileSync(join(import.meta.dir, `../../../docs/${name}.md`), "utf8"),
}));

/** What a reader sees: HTML without tags and entities. */
const shown = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

describe("a document as a page", () => {
  test.each(DOCUMENTS)("says every word of $name, in order", ({ text }) => {
    const written = text.replaceAll(/^```\w*$/gm, "");
    expect(wordsOf(shown(htmlOfMarkdown(text)))).toEqual(wordsOf(written));
  });

  test("has headings with anchors, tables, lists and blocks of code", () => {
    const html = htmlOfMarkdown(
      "# One\n\n## Two, three\n\ntext `a<b` **bold**:\n- x\n  goes `on`\n- y\n\n| a | b |\n|---|---|\n| `c` | d |\n\n```\n1 < 2\n\n3\n```\n",
    );
    expect(html.split("\n")).toEqual([
      "<h1>One</h1>",
      '<h2 id="two-three">Two, three</h2>',
      "<p>text <code>a&lt;b</code> <b>bold</b>:</p>",
      "<ul>",
      "<li>x goes <code>on</code></li>",
      "<li>y</li>",
      "</ul>",
      "<table>",
      "<thead><tr><th>a</th><th>b</th></tr></thead>",
      "<tbody>",
      "<tr><td><code>c</code></td><td>d</td></tr>",
      "</tbody>",
      "</table>",
      `<pre tabindex="0" role="group" aria-label="Code">1 &lt; 2`,
      "",
      "3",
      "</pre>",
    ]);
  });

  test("never makes markup of what the document holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<", ">", "&", '"', "`", "*", "|", "-", "#", " ", "\n", "a") }),
        (text) => {
          const tags = htmlOfMarkdown(text).match(/<[^>]*>?/g) ?? [];
          expect(
            tags.filter(
              (tag) =>
                !/^<\/?(?:h1|h2|h2 id="[a-z0-9-]*"|p|b|code|pre|pre tabindex="0" role="group" aria-label="Code"|ul|li|table|thead|tbody|tr|th|td)>$/.test(
                  tag,
                ),
            ),
          ).toEqual([]);
        },
      ),
    );
  });
});
