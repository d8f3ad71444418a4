// The schemas that many routes share: keys, instants, choices, values that may be null.
import { FormatRegistry, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

FormatRegistry.Set("uuid", (text) => UUID.test(text));
FormatRegistry.Set("date-time", (text) => INSTANT.test(text));

/** A key. In paths, queries and forms it may be written in capitals too; handlers see it in small letters. */
export const Key = Type.String({ format: "uuid" });

/** A point in time of an answer. */
export const Instant = Type.String({ format: "date-time", description: "ISO-8601, UTC." });

/** A value or null. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** One of some texts or numbers. */
export function oneOf<const Choice extends string | number>(
  choices: readonly Choice[],
  about: { description?: string; default?: Choice; "x-decision"?: string } = {},
): TUnsafe<Choice> {
  const literals = choices.map((choice) => Type.Literal(choice));
  return Type.Union(literals, about) as unknown as TUnsafe<Choice>;
}

/**
 * A text that must match a pattern. `mustBe` is the pattern in words, as it follows "must be" in an error message: "1 to 100
 * letters, digits, spaces, hyphens or underscores".
 */
export function textLike(pattern: RegExp, mustBe: string, about: { description?: string } = {}) {
  return Type.String({ pattern: pattern.source, "x-must-be": mustBe, ...about });
}

/** Of a job under way that waits for the disk. */
export const WaitingReason = Type.Optional(
  Type.String({
    description:
      "What a job under way waits for, such as room on the server's disk and how much; absent where it works.",
    "x-decision": "D90",
  }),
);

/** The field where there is something to wait for, else nothing. */
export function showWaiting(waitingReason: string | null): { waitingReason?: string } {
  return waitingReason === null ? {} : { waitingReason };
}
