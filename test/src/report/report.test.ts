// The report as a whole: well-formed, self-contained, complete, and proof against what files put into names.
import { describe, expect, test } from "bun:test";
import { renderReport } from "../../../src/report/report.ts";
import type { RunSummary } from "../../../src/summary.ts";
import {
  binarySummary,
  cancelledSummary,
  HOSTILE_TEXTS,
  hostileSummary,
  manyClassesSummary,
  wideSummary,
} from "../../support/summaries.ts";

const SUMMARIES: readonly (readonly [string, () => RunSummary])[] = [
  ["two classes", binarySummary],
  ["26 classes", manyClassesSummary],
  ["100 classes", () => manyClassesSummary(100)],
  ["cancelled without a version", cancelledSummary],
  ["hostile names", hostileSummary],
  ["600 columns", wideSummary],
];

describe.each(SUMMARIES)("a report on %s", (_, build) => {
  const report = renderReport(build());

  test("is well-formed", () => {
    expect(unbalanced(report)).toEqual([]);
  });

  test("refers to nothing outside itself and runs nothing", async () => {
    const found: string[] = [];
    const elements = new Set<string>();
    const rewriter = new HTMLRewriter().on("*", {
      element(element) {
        elements.add(element.tagName);
        for (const [name, value] of element.attributes) {
          const reference = ["src", "href", "xlink:href", "action", "data", "poster", "style"].includes(name);
          if (name.startsWith("on") || (reference && !/^#[a-z]+$/.test(value))) found.push(`${name}="${value}"`);
        }
      },
    });
    await rewriter.transform(new Response(report)).text();
    expect(found).toEqual([]);
    for (const kind of ["script", "img", "iframe", "link", "base", "object", "embed", "form"]) {
      expect(elements).not.toContain(kind);
    }
    expect(report).toContain("default-src 'none'");
    expect(report).not.toMatch(/https?:|@import|url\(/);
  });

  test("names and describes every picture", () => {
    const pictures = report.match(/<svg role="img".*?<\/svg>/gs) ?? [];
    for (const picture of pictures)
      expect(picture).toMatch(/^<svg role="img"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/);
    const others = (report.match(/<svg /g) ?? []).length - pictures.length;
    expect(report.match(/<svg [^>]*aria-hidden="true"/g) ?? []).toHaveLength(others);
  });

  test("holds no figure that is not one", () => {
    const withoutNames = report.replace(/<bdi>.*?<\/bdi>/gs, "");
    expect(withoutNames).not.toMatch(/NaN|>undefined<|"undefined"|Infinity|\[object/);
  });

  test("is the same every time", () => {
    expect(renderReport(build())).toBe(report);
  });
});

test("the style sheet is the one that the policy admits", () => {
  const report = renderReport(binarySummary());
  const styles = /<style>(.*?)<\/style>/s.exec(report)?.[1] ?? "";
  const hash = new Bun.CryptoHasher("sha256").update(styles).digest("base64");
  expect(report).toContain(`style-src 'sha256-${hash}'`);
});

test("the first screen answers the four questions", () => {
  const first = section(renderReport(binarySummary()), "answer");
  expect(first).toContain("94.2%");
  expect(first).toContain("[92.6, 95.5]");
  expect(first).toContain("58 of 1,000");
  expect(first).toContain("Always answering no 84.5% 155 wrong");
  expect(first).toContain("Target reached 94.0%");
  expect(first).toContain("93.7% [92.5, 94.7]");
  expect(first).toContain("Clearly better than always answering no .");
  expect(first).toContain("total day minutes 6.1");
  expect(first).toContain("cupel predict model.cupel NEW.csv");
  expect(first).toContain("3 warnings");
});

test("the leaderboard shows both scores of every attempt, and the libraries apart", () => {
  const summary = binarySummary();
  const competition = section(renderReport(summary), "competition");
  for (const { accuracy, outOfFoldAccuracy, logLoss } of summary.attempts) {
    if (accuracy !== null) expect(competition).toContain(`${(accuracy * 100).toFixed(1)}%`);
    if (outOfFoldAccuracy !== null) expect(competition).toContain(`${(outOfFoldAccuracy * 100).toFixed(1)}%`);
    if (logLoss !== null) expect(competition).toContain(logLoss.toFixed(3));
  }
  expect(competition).toContain("undefined: Out of memory while building the pairs.");
  expect(competition).toContain("300 trees, 4 features per split, rows per leaf at least 1");
  expect(competition).toMatch(/Library baselines.*ml-naivebayes.*ml-random-forest/s);
});

test("each version has its figures, confusion matrix, measures, calibration and importance", () => {
  const versions = section(renderReport(binarySummary()), "versions");
  for (const figure of ["828", "98.0%", "114", "73.5%", "87.0%", "79.7%", "0.168", "model-v3.cupel"]) {
    expect(versions).toContain(figure);
  }
});

test("an undefined measure is a dash with its reason, never 0", () => {
  const versions = section(renderReport(manyClassesSummary()), "versions");
  expect(versions).toContain("– undefined: nothing was decided as this class");
  expect(versions).toContain("– is undefined: nothing was decided as one class.");
});

test("classes by the hundred get a heat map, the worst confusions and the whole table", () => {
  const summary = manyClassesSummary(100);
  const report = renderReport(summary);
  const versions = section(report, "versions");
  expect(versions).toContain("Actual Decided as Rows Share");
  expect(report.match(/>as <bdi>class \d+<\/bdi>/g)).toHaveLength(100);
  expect(report.length).toBeLessThan(1_000_000);
});

test("a run that did not complete says so first, with its reason", () => {
  const cancelled = section(renderReport(cancelledSummary()), "answer");
  expect(cancelled).toContain("The run was cancelled.");
  expect(cancelled).toContain("Stopped by Ctrl-C after 2 seconds");
  expect(cancelled).toContain("No model was kept.");
  expect(cancelled).not.toContain("cupel predict");
  const below = section(renderReport(manyClassesSummary()), "answer");
  expect(below).toContain("The run ended below its target.");
  expect(below).toContain("Target missed 98.0%");
});

test("what was not measured is said to be so", () => {
  const summary = binarySummary();
  const versions = summary.versions.map((version) => ({
    ...version,
    importance: [],
    calibration: [],
    confirmedPerformance: null,
  }));
  const report = renderReport({ ...summary, versions, targetPerformance: null });
  expect(section(report, "answer")).toContain("Not confirmed");
  expect(section(report, "answer")).toContain("The importance of columns was not measured");
  expect(section(report, "versions")).toContain("undefined: the run ended before the re-splits");
  expect(section(report, "competition")).not.toContain("target");
});

test("a model that does not beat the majority is called by its name", () => {
  const summary = binarySummary();
  const report = renderReport({ ...summary, baseline: { label: "no", falseDecisions: 60, accuracy: 0.94 } });
  expect(section(report, "answer")).toContain("Not clearly better than always answering no : do not rely on it yet.");
});

test("many columns do not blow up the page", () => {
  const report = renderReport(wideSummary(10_000));
  expect(section(report, "columns")).toContain("9,800 more columns are in summary.json.");
  expect(report.length).toBeLessThan(1_500_000);
});

test("hostile texts are shown as texts", () => {
  const report = renderReport(hostileSummary());
  expect(report).not.toContain("<script>alert");
  expect(report).not.toContain("<img");
  expect(report).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(report).toContain("<bdi>__proto__</bdi>");
  expect(report).toContain("<bdi>constructor</bdi>");
  expect(report).toContain('<i class="nameless">(empty)</i>');
  expect(report).toContain(`<bdi>${HOSTILE_TEXTS[6]}</bdi>`);
  expect(report).not.toMatch(/(?![\n])\p{Cc}/u);
  expect(report).not.toContain("long ".repeat(40));
});

/** The text of a section, tags taken out. */
function section(report: string, id: string): string {
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
