// Regular expressions may take no more than linear time: a cell, a header field or
// a name can be a megabyte made for the worst case.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { analyse } from "scslre";

const ROOT = join(import.meta.dir, "..");
/** They see the licence texts of our own packages alone, when the program is built. */
const OWN_TEXTS_ONLY = /^src\/packaging\//;
/** A regular expression where an expression may begin. */
const LITERAL =
  /(?:^|[(,=:[!&|?{;>}]|\breturn)\s*\/(?![/*])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s.,;:)\]}]|$)/gm;

interface Pattern {
  path: string;
  pattern: RegExp;
}

function patternsOf(path: string): Pattern[] {
  const code = readFileSync(join(ROOT, path), "utf8").replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return [...code.matchAll(LITERAL)].flatMap(([, source, flags]) => {
    try {
      return [{ path, pattern: new RegExp(source!, flags) }];
    } catch {
      // Two divisions in one line.
      return [];
    }
  });
}

/** Whether there are texts on which it takes the square of their length or worse. */
function isSlow(pattern: RegExp): boolean {
  return analyse(pattern).reports.length > 0;
}

const patterns = [...new Glob("{engine,data,workers,src}/**/*.{ts,tsx}").scanSync(ROOT)].sort().flatMap(patternsOf);

test("the search finds the patterns, and tells the slow ones", () => {
  expect(patterns.length).toBeGreaterThan(150);
  expect(patterns.map(({ path }) => path)).toContain("engine/columns/numbers.ts");
  const slow = [/^\d+\.?\d*$/, /^\s*(identity)?\s*$/, /\s*;\s*/, /0+$/, /(a+)+b/];
  expect(slow.filter(isSlow)).toEqual(slow);
});

test("no pattern of the product backtracks beyond linear time", () => {
  const wrong = patterns.filter(({ path, pattern }) => !OWN_TEXTS_ONLY.test(path) && isSlow(pattern));
  expect(wrong.map(({ path, pattern }) => `${path}: ${pattern}`)).toEqual([]);
});
