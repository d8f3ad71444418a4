// Where a text stops being JSON.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findJsonFault, nestsDeeper } from "../../engine/json-syntax.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonFault", () => {
  test("finds none in any JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 4), (text, indent) => {
        expect(findJsonFault(JSON.stringify(JSON.parse(text), null, indent))).toBeNull();
      }),
    );
  });

  test("finds one exactly where the runtime's parser does, in broken JSON and in noise", () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom("", '"', "{", "]", ",", ":", "\\", "0", "-", "e", "\u0001", " ", "nul"),
      )
      .map(([text, at, change]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + change + text.slice(place + 1);
      });
    const noise = fc.string({ unit: fc.constantFrom(...'{}[],:"\\ 01.-+eEtruefalsn\n\tx\u0001') });
    fc.assert(
      fc.property(fc.oneof(broken, noise), (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test("no JSON begins with what stands before the fault and ends there", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length);
        const fault = findJsonFault(cut);
        if (fault === null) expect(isJson(cut)).toBeTrue();
        else expect(fault.column).toBeLessThanOrEqual(cut.length + 1);
      }),
    );
  });

  test.each([
    ["", 1, 1, "a value"],
    ['{"a": 1,}', 1, 9, "a name in quotation marks"],
    ['{"a":\n  tru}', 2, 3, "a value"],
    ["[1 2]", 1, 4, "a comma or ]"],
    ["{} x", 1, 4, "the end of the text"],
    ['{"a" 1}', 1, 6, "a colon"],
    ['"a\nb"', 1, 3, "a control character written as \\n, \\t or \\uXXXX"],
    ['"a', 1, 3, "a closing quotation mark"],
    ["[01]", 1, 3, "a comma or ]"],
  ])("%j", (text, line, column, expected) => {
    expect(findJsonFault(text)).toEqual({ line, column, expected });
  });

  test("takes any depth", () => {
    expect(findJsonFault("[".repeat(100_000))).toMatchObject({ column: 100_001 });
  });
});

describe("nestsDeeper", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  test("counts lists and objects in one another, and no bracket in a text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, most) => {
        expect(nestsDeeper(JSON.stringify(value), most)).toBe(depthOf(value) > most);
      }),
    );
    expect(nestsDeeper(JSON.stringify({ "[[[": '"[{\\', b: ["]", "\\[["] }), 2)).toBeFalse();
    expect(nestsDeeper("[[[]]]", 2)).toBeTrue();
  });

  test("of what is no JSON ends all the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\ a') }), (text) => {
        expect(nestsDeeper(text, 3)).toBeBoolean();
      }),
    );
  });
});
