// The parts of a text beside its words: how long it is, what its characters are, and its first numbers.
import { numbersInside } from "../text/numbers-inside.ts";
import type { Feature, TextPart } from "./table.ts";

/** The values of a day by hour. */
const MOST_NUMBERS = 24;
const NUMBER_PARTS = Array.from({ length: MOST_NUMBERS }, (_, at) => `number${at + 1}` as const);
export const TEXT_PARTS: readonly TextPart[] = [
  ...(["characters", "words", "capitals", "digits", "punctuation"] as const),
  ...NUMBER_PARTS,
];

const CAPITAL = /\p{Lu}/gu;
const DIGIT = /\p{N}/gu;
const MARK = /\p{P}/gu;

/**
 * The parts of a text that holds something, in the order of `TEXT_PARTS`: two counts, shares of its characters, then
 * its numbers, as many as it has of these.
 */
export function textShape(text: string, wordCount: number): number[] {
  const shareOf = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) / text.length;
  return [
    text.length,
    wordCount,
    shareOf(CAPITAL),
    shareOf(DIGIT),
    shareOf(MARK),
    ...numbersInside(text, MOST_NUMBERS),
  ];
}

/** Whether a part is one of a text's first numbers. */
export function isNumberPart(part: Feature["part"]): boolean {
  return NUMBER_PARTS.some((each) => each === part);
}

/** Whether a feature of a table or a model is of the shape of a text, or of what it says. */
export function isOfText<F extends Pick<Feature, "kind" | "part">>(
  feature: F,
): feature is Extract<F, { kind: "number" | "score" }> {
  return feature.kind === "score" || TEXT_PARTS.some((part) => part === feature.part);
}
