// Text in one line in which nothing steers: names in messages, and JSON that means what it meant.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { plainName } from "../../../src/common/markup.ts";
import { printable } from "../../../src/common/printable.ts";

const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\u001b", "\u009b", "\u007f", "\n", "\r", "\u202e", "\u2066", "\u2028", "a", "é"),
    fc.string(),
  ),
});

describe("text for a line", () => {
  test("is one line in which nothing steers", () => {
    fc.assert(fc.property(anyText, (text) => expect(printable(text)).not.toMatch(STEERING)));
    expect(printable("a\u001b[2Jb\u202ec\nd\r\te")).toBe("a\\u001b[2Jb\\u202ec\\nd\\r\\te");
    expect(printable("naïve 👩‍👩‍👧 日本語 עברית")).toBe("naïve 👩‍👩‍👧 日本語 עברית");
  });

  test("as JSON means what it meant", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        const json = JSON.stringify({ value, text });
        const shown = printable(json);
        expect(shown).not.toMatch(STEERING);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json.toWellFormed()));
      }),
    );
  });

  test("is what every name becomes in a message", () => {
    fc.assert(fc.property(anyText, (name) => expect(plainName(name, 30)).not.toMatch(STEERING)));
    expect(plainName("b\nc")).toBe("b\\nc");
  });
});
