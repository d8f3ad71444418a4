// Lines on a terminal break between words, and below the text that they belong to.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { wrapped, wrappedFor } from "../../../src/common/wrapped.ts";

test("a line that names its text goes on below the text", () => {
  expect(wrapped("Accuracy    77.0% on 200 held-out rows: 46 wrong", 32)).toBe(
    "Accuracy    77.0% on 200\n            held-out rows: 46\n            wrong",
  );
});

test("an indented line keeps its indent, another begins at the left", () => {
  expect(wrapped("  Add labelled rows.\nerror: the file is empty", 16)).toBe(
    "  Add labelled\n  rows.\nerror: the file\nis empty",
  );
});

test.each([
  "Next        cupel predict model.cupel NEW.csv",
  '{"rows": 1, "of": 2}',
  "ExecStart=/bin/cupel serve --port 1",
])("%j is to be copied, and stays one line", (line) => expect(wrapped(line, 12)).toBe(line));

test("only a terminal has a width", () => {
  const line = "cupel: a line of many words";
  expect(wrappedFor({}, line)).toBe(line);
  expect(wrappedFor({ isTTY: true, columns: 16 }, line)).toBe("cupel: a line of\nmany words");
});

test("no word is broken, lost or added, and a line is longer than the terminal only by a word", () => {
  const word = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }).filter((text) => !/[\s={[]/.test(text));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 1, max: 60 }), (words, columns) => {
      const text = words.join(" ");
      const lines = wrapped(text, columns).split("\n");
      if (!text.startsWith("cupel ")) expect(lines.join(" ")).toBe(text);
      for (const line of lines) if (Bun.stringWidth(line) > columns) expect(line).not.toContain(" ");
    }),
  );
});
