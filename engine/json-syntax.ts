// JSON from a client: parsed by the runtime, which says what is wrong but
// not where; that is looked for here (RFC 8259).

export interface JsonFault {
  /** From 1; columns count UTF-16 units. */
  line: number;
  column: number;
  expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Up to the closing quotation mark, or to what may not stand in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a JSON text may not hold
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

/** The tokens that may come next, and their names in messages. */
const EXPECTED = {
  value: "a value",
  firstValue: "a value or ]",
  name: "a name in quotation marks",
  firstName: "a name in quotation marks or }",
  colon: "a colon",
  closerOfList: "a comma or ]",
  closerOfObject: "a comma or }",
  end: "the end of the text",
} as const;
type Expectation = keyof typeof EXPECTED;

type Closer = "]" | "}";

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/**
 * The first place at which no JSON text could go on as this one does; null
 * for JSON. Takes no stack, however deep it nests.
 */
export function findJsonFault(text: string): JsonFault | null {
  const openBrackets: Closer[] = [];
  let expectation: Expectation = "value";
  for (let at = 0; ; ) {
    at += lengthOf(SPACE, text, at);
    if (at === text.length && expectation === "end") return null;
    const textLength = lengthOf(TEXT, text, at);
    if (textLength > 0 && text[at + textLength] !== '"' && mayBeText(expectation)) {
      return { ...placeOf(text, at + textLength), expected: afterText(text[at + textLength]) };
    }
    const scalarLength = lengthOf(SCALAR, text, at);
    const token = textLength > 0 ? "text" : scalarLength > 0 ? "scalar" : (text[at] ?? "");
    const next = step(expectation, token, openBrackets);
    if (next === null) return { ...placeOf(text, at), expected: EXPECTED[expectation] };
    expectation = next;
    at += textLength > 0 ? textLength + 1 : Math.max(scalarLength, 1);
  }
}

/**
 * Whether lists and objects stand in one another more than `mostLevels` deep, as far as the text is JSON. Costs 2 ns a
 * character; the runtime's parser takes seconds for some megabytes of brackets.
 */
export function nestsDeeper(text: string, mostLevels: number): boolean {
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A bracket or a brace, whichever: they differ from one another in the bit that tells capitals from small letters.
    if ((code | 32) === OPENING_BRACE) {
      if (++levels > mostLevels) return true;
    } else if ((code | 32) === CLOSING_BRACE) levels--;
    else if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    }
  }
  return false;
}

/** Returns what is expected after a token; null if the token itself was not expected. */
function step(expectation: Expectation, token: string, openBrackets: Closer[]): Expectation | null {
  switch (expectation) {
    case "firstValue":
      return token === "]" ? leave(openBrackets) : stepOfValue(token, openBrackets);
    case "value":
      return stepOfValue(token, openBrackets);
    case "firstName":
      return token === "}" ? leave(openBrackets) : stepOfName(token);
    case "name":
      return stepOfName(token);
    case "colon":
      return token === ":" ? "value" : null;
    case "closerOfList":
    case "closerOfObject":
      if (token === ",") return expectation === "closerOfList" ? "value" : "name";
      return token === openBrackets.at(-1) ? leave(openBrackets) : null;
    case "end":
      return null;
  }
}

function stepOfValue(token: string, open: Closer[]): Expectation | null {
  if (token === "text" || token === "scalar") return afterValue(open);
  if (token === "[") return enter(open, "]");
  return token === "{" ? enter(open, "}") : null;
}

function stepOfName(token: string): Expectation | null {
  return token === "text" ? "colon" : null;
}

function enter(open: Closer[], closer: Closer): Expectation {
  open.push(closer);
  return closer === "]" ? "firstValue" : "firstName";
}

function leave(open: Closer[]): Expectation {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly Closer[]): Expectation {
  const closer = open.at(-1);
  if (closer === undefined) return "end";
  return closer === "]" ? "closerOfList" : "closerOfObject";
}

function mayBeText(expectation: Expectation): boolean {
  return /value|name/i.test(expectation);
}

function afterText(character: string | undefined): string {
  if (character === undefined) return "a closing quotation mark";
  if (character === "\\") return 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';
  return "a control character written as \\n, \\t or \\uXXXX";
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}
