// Tests that every report page must pass, and helpers that find faults in a page or the text of a section.
import { describe, expect, test } from "bun:test";

/** A page is well-formed, refers to nothing outside itself, names its pictures, and is the same every time. */
export function describePage(what: string, render: () => string): void {
  describe(what, () => {
    const page = render();

    test("is well-formed and the same every time", () => {
      expect(unbalanced(page)).toEqual([]);
      expect(render()).toBe(page);
    });

    test("refers to nothing outside itself and runs nothing", async () => {
      expect(await foreignParts(page)).toEqual([]);
      expect(page).not.toMatch(/https?:|@import|url\(/);
      const styles = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? "";
      const hash = new Bun.CryptoHasher("sha256").update(styles).digest("base64");
      expect(page).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    });

    test("names its pictures and holds no figure that is not one", () => {
      expect(namelessPictures(page)).toEqual([]);
      expect(page.replace(/<bdi>.*?<\/bdi>/gs, "")).not.toMatch(/NaN|>undefined<|"undefined"|Infinity|\[object/);
    });

    test("leads only to sections that are there", () => {
      for (const [, id] of page.matchAll(/href="#([a-z]+)"/g)) expect(page).toContain(`<section id="${id}"`);
    });
  });
}

/** What a page must do to every hostile text: show it as text. */
export function expectHarmless(page: string, longName: string): void {
  expect(page).not.toContain("<script>alert");
  expect(page).not.toContain("<img");
  expect(page).toContain("<bdi>__proto__</bdi>");
  expect(page).toContain(`<bdi>${longName}</bdi>`);
  expect(page).not.toMatch(/(?![\n])\p{Cc}/u);
  expect(page).not.toContain("long ".repeat(40));
}

/** The text of a section, tags taken out. */
export function section(report: string, id: string): string {
  const found = report
    .split("<section ")
    .find((part) => part.startsWith(`id="${id}"`) || part.startsWith(`class="${id}"`));
  const start = report.indexOf(found ?? "no such section");
  const next = report.indexOf("\n<section id=", start);
  const text = report.slice(start, next === -1 ? undefined : next);
  return text
    .replace(/^[^>]*>/, "")
    .replace(/<\/?(?:abbr|small|em|bdi|strong|span)[^>]*>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(["meta", "input", "br", "hr"]);

/** Tags that are not closed in the order of their opening; a correct page has none. */
function unbalanced(report: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const body = report.replace("<!doctype html>", "").replace(/<style>.*?<\/style>/s, "");
  for (const [whole, closing, name = "", rest = ""] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z0-9:-]+(?:="[^"<>]*")?)*\s*\/?)>|[<>]/gi,
  )) {
    if (name === "") faults.push(`stray ${whole}`);
    else if (closing === "/") {
      const expected = open.pop();
      if (expected !== name) faults.push(`</${name}> where ${expected ?? "nothing"} is open`);
    } else if (!rest.endsWith("/") && !VOID_ELEMENTS.has(name)) open.push(name);
  }
  return [...faults, ...open.map((name) => `<${name}> stays open`)];
}

/** References to anything outside the page, and elements or attributes that run or fetch something. */
async function foreignParts(report: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      if (FOREIGN_ELEMENTS.has(element.tagName)) found.push(element.tagName);
      for (const [name, value] of element.attributes) {
        const reference = ["src", "href", "xlink:href", "action", "data", "poster", "style"].includes(name);
        if (name.startsWith("on") || (reference && !/^#[a-z]+$/.test(value))) found.push(`${name}="${value}"`);
      }
    },
  });
  await rewriter.transform(new Response(report)).text();
  return found;
}

/** Pictures that neither have a title and description nor are hidden from those who hear the page. */
function namelessPictures(report: string): string[] {
  const hidden = /^<svg [^>]*aria-hidden="true"/;
  const named = /^<svg role="img"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/;
  return (report.match(/<svg .*?<\/svg>/gs) ?? []).filter((picture) => !hidden.test(picture) && !named.test(picture));
}

const FOREIGN_ELEMENTS: ReadonlySet<string> = new Set([
  "script",
  "img",
  "iframe",
  "link",
  "base",
  "object",
  "embed",
  "form",
]);
