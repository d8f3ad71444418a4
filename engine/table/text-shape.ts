// The parts of a text beside its words: how long it is, what its characters are, its first numbers and characters.
import { numbersInside } from "../text/numbers-inside.ts";
import type { Feature, TextPart } from "./table.ts";

/** Parts that every text has, whatever it holds. */
export const SHAPE_PARTS: readonly TextPart[] = ["characters", "words", "capitals", "digits", "punctuation"];

/** By the name of a part without its place; `number` and `character` are given that, from 1, the others the words. */
const PARTS: Readonly<Record<string, (text: string, place: number) => number>> = {
  characters: (text) => text.length,
  words: (_, wordCount) => wordCount,
  capitals: shareOf(/\p{Lu}/gu),
  digits: shareOf(/\p{N}/gu),
  punctuation: shareOf(/\p{P}/gu),
  number: (text, place) => numbersInside(text, place)[place - 1] ?? Number.NaN,
  character: (text, place) => text.charCodeAt(place - 1),
};

function shareOf(pattern: RegExp): (text: string) => number {
  return (text) => (text.match(pattern)?.length ?? 0) / text.length;
}

/**
 * A part of a text that holds something: a count, a share of its characters, or one of its numbers or UTF-16 units;
 * NaN where it has fewer of these.
 */
export function textPart(text: string, wordCount: number, part: TextPart): number {
  const [name, place] = namePlace(part);
  return PARTS[name]!(text, place || wordCount);
}

/** 0 where the part has no place. */
function namePlace(part: string): [name: string, place: number] {
  const name = part.replace(/\d.*/, "");
  return [name, Number(part.slice(name.length))];
}

export function isTextPart(part: unknown): part is TextPart {
  return Object.hasOwn(PARTS, namePlace(`${part}`)[0]);
}

/** Whether a part is one of a text's first numbers. */
export function isNumberPart(part: Feature["part"]): boolean {
  return part?.startsWith("number") === true;
}

/** Whether a part is a text's number or character at some place, which not every text has. */
export function isPlacePart(part: Feature["part"]): boolean {
  return isTextPart(part) && !SHAPE_PARTS.includes(part);
}

/** Whether a feature of a table or a model is of the shape of a text, or of what it says. */
export function isOfText<F extends Pick<Feature, "kind" | "part">>(
  feature: F,
): feature is Extract<F, { kind: "number" | "score" }> {
  return feature.kind === "score" || isTextPart(feature.part);
}
