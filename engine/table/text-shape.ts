// The shape of a text: how long it is, and what its characters are.
import type { Feature, TextPart } from "./table.ts";

export const TEXT_PARTS: readonly TextPart[] = ["characters", "words", "capitals", "digits", "punctuation"];

const CAPITAL = /\p{Lu}/gu;
const DIGIT = /\p{N}/gu;
const MARK = /\p{P}/gu;

/**
 * The parts of a text that holds something, in the order of `TEXT_PARTS`: two counts, then shares of its characters.
 */
export function textShape(text: string, wordCount: number): number[] {
  const shareOf = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) / text.length;
  return [text.length, wordCount, shareOf(CAPITAL), shareOf(DIGIT), shareOf(MARK)];
}

/** Whether a feature is of the shape of a text, or of what it says. */
export function isOfText({ kind, part }: Feature): boolean {
  return kind === "score" || TEXT_PARTS.some((each) => each === part);
}
