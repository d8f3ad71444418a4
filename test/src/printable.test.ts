// What files put into names, labels and messages, on its way to a terminal.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { printable, printableLines } from "../../src/printable.ts";
import { withFolder } from "../support/in-process.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\u001b", "\u009b", "\u007f", "\n", "\r", "\u202e", "\u2066", "\u2028", "a", "é"),
    fc.string(),
  ),
});

describe("text for a terminal", () => {
  test("is one line in which nothing steers", () => {
    fc.assert(fc.property(anyText, (text) => expect(printable(text)).not.toMatch(STEERING)));
    expect(printable("a\u001b[2Jb\u202ec\nd")).toBe("a [2Jb c d");
    expect(printable("naïve 👩‍👩‍👧 日本語 עברית")).toBe("naïve 👩‍👩‍👧 日本語 עברית");
  });

  test("or lines in which nothing steers, and JSON that means what it meant", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        const json = JSON.stringify({ value, text });
        const shown = printableLines(json);
        expect(shown).not.toMatch(STEERING);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json.toWellFormed()));
      }),
    );
    expect(printableLines("a\u001b[2J\nb\u202e")).toBe("a\\u001b[2J\nb\\u202e");
  });
});

describe("a hostile file", () => {
  const HOSTILE = "\u001b]0;owned\u0007\u009b2J\u202e\u2066";
  const run = async (...args: string[]) => {
    const child = Bun.spawn([process.execPath, MAIN, ...args], { stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { out, err, code: await child.exited };
  };
  const hasSteering = (text: string) => STEERING.test(text.replaceAll("\n", ""));

  test("steers no terminal, whatever is printed of it", () =>
    withFolder(async (folder) => {
      const path = join(folder, "table.csv");
      const rows = Array.from({ length: 60 }, (_, row) => `${row},${HOSTILE}${row % 3},"${HOSTILE}\n${row % 2}"\n`);
      writeFileSync(path, `sep=,\nsize${HOSTILE},"col\n${HOSTILE}",label${HOSTILE}\n${rows.join("")}`);
      const out = join(folder, "out");
      const asked = [
        ["inspect", path],
        ["inspect", path, "--json"],
        ["inspect", path, "--label", `none${HOSTILE}`],
        ["run", path, "--scaling", "2", "--out", out, "--predict", path, "--no-refine"],
        ["inspect", join(out, "model.cupel")],
        ["inspect", join(out, "model.cupel"), "--json"],
        ["predict", join(out, "model.cupel"), join(folder, `none${HOSTILE}`), "--out", join(folder, "r.csv")],
      ];
      const codes: number[] = [];
      for (const args of asked) {
        const { out: printed, err, code } = await run(...args);
        expect([args[0], hasSteering(printed), hasSteering(err)]).toEqual([args[0], false, false]);
        expect(printed.length + err.length).toBeGreaterThan(0);
        codes.push(code);
      }
      // A run of two attempts may or may not reach its target.
      expect([0, 4]).toContain(codes[3]!);
      expect(codes.toSpliced(3, 1)).toEqual([0, 0, 3, 0, 0, 3]);
    }));
});
