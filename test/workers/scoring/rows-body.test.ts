// The body of `…/rows` against the schema that the reference shows: the same bodies are taken, and
// others refused in the same words, but that no text is repeated.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Rows } from "../../../src/api/predictions/prediction-rows.ts";
import { MOST_LIVE_ROWS } from "../../../src/common/limits.ts";
import { checkValue } from "../../../src/http/fields.ts";
import { ApiError } from "../../../src/http/problem.ts";
import { checkedRows, RowsRefused } from "../../../workers/scoring/rows-body.ts";

const name = fc.oneof(
  fc.constantFrom("rows", "a", "__proto__", "toString", "a/b", "a~1b", "~", "a.b", "7", "x".repeat(60)),
  fc.string().filter((text) => !/[\n\r\u2028\u2029]/.test(text)),
);
const scalar = fc.oneof(
  fc.string(),
  fc.string({ minLength: 50 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const anyOther = fc.oneof(fc.constant([]), fc.constant({}), fc.constant([1, [2]]), fc.constant({ a: { b: 1 } }));
/** As JSON gives them: every name is one of the object's own. */
const objectOf = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(name, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries));
const row = fc.oneof(
  { weight: 6, arbitrary: objectOf(scalar) },
  objectOf(fc.oneof({ weight: 4, arbitrary: scalar }, anyOther)),
  scalar,
  anyOther,
);
const rows = fc.oneof(
  { weight: 6, arbitrary: fc.array(row, { maxLength: 30 }) },
  fc.constant(new Array(MOST_LIVE_ROWS + 1).fill({})),
  scalar,
  anyOther,
);
const body = fc.oneof(
  { weight: 6, arbitrary: rows.map((given) => ({ rows: given })) },
  fc.tuple(objectOf(scalar), rows).map(([more, given]) => ({ ...more, rows: given })),
  objectOf(scalar),
  scalar,
  anyOther,
);

type Outcome = { rows: unknown } | { message: string; errors: unknown };

function outcomeOf(take: () => unknown): Outcome {
  try {
    return { rows: take() };
  } catch (error) {
    if (error instanceof RowsRefused) return { message: error.message, errors: error.refusal.errors };
    if (error instanceof ApiError) return { message: error.message, errors: error.errors };
    throw error;
  }
}

/** A refusal by the schema shows the texts that it refuses. */
function withoutTexts(outcome: Outcome): Outcome {
  const hide = (text: string) => text.replaceAll(/; it is "(?:[^"\\]|\\.)*"\./g, "; it is a text.");
  if ("rows" in outcome) return outcome;
  const errors = (outcome.errors as { message: string }[]).map((error) => ({ ...error, message: hide(error.message) }));
  return { message: hide(outcome.message), errors };
}

test("bodies are taken and refused as by their schema", () => {
  fc.assert(
    fc.property(body, (drawn) => {
      const bySchema = outcomeOf(() => checkValue(Rows, drawn).rows);
      expect(outcomeOf(() => checkedRows(drawn, MOST_LIVE_ROWS))).toEqual(withoutTexts(bySchema));
    }),
    { numRuns: 500 },
  );
});

test("a value is looked at whatever its name, one with a line end too", () => {
  const refusal = outcomeOf(() => checkedRows({ rows: [{ "a\nb": [] }] }, MOST_LIVE_ROWS));
  expect(refusal).toMatchObject({ errors: [{ field: "rows.0.a\nb", code: "NOT_ONE_OF" }] });
});

test("what is shown of a name has whole characters", () => {
  for (const name of [`${"x".repeat(39)}\u{1f600}`, "\ud83d"]) {
    expect(JSON.stringify(outcomeOf(() => checkedRows({ rows: [{}], [name]: 1 }, MOST_LIVE_ROWS)))).not.toMatch(/\\ud/);
  }
});
