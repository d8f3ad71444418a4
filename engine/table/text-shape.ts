// The parts of a text beside its words: how long it is, what its characters are, its numbers and single characters.
import { meanOf } from "../sums.ts";
import type { Feature, TextPart } from "./table.ts";

/** Parts that every text has, whatever it holds. */
export const SHAPE_PARTS: readonly TextPart[] = ["characters", "words", "capitals", "digits", "punctuation"];

/** Parts of all numbers of a text, as of lists of several lengths. */
export const LIST_PARTS = ["numberLast", "numberLeast", "numberLargest", "numberMean"] as const;

/** As a text may hold the values of a day by hour. */
export const MOST_NUMBERS = 24;

/** `text` holds something; `numbers`: those inside it. */
type PartReader = (text: string, wordCount: number, numbers: readonly number[]) => number;

/** By the name of a part without its place. `at`: that place, from 0. */
const PARTS: Readonly<Record<string, (at: number) => PartReader>> = {
  characters: () => (text) => text.length,
  words: () => (_, wordCount) => wordCount,
  capitals: () => shareOf(/\p{Lu}/gu),
  digits: () => shareOf(/\p{N}/gu),
  punctuation: () => shareOf(/\p{P}/gu),
  number: (at) => (_text, _wordCount, numbers) => numbers[at] ?? Number.NaN,
  numberLast: () => ofNumbers((numbers) => numbers.at(-1)!),
  numberLeast: () => ofNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b))),
  numberLargest: () => ofNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b))),
  numberMean: () => ofNumbers(meanOf),
  character: (at) => (text) => text.charCodeAt(at),
  ending: (at) => (text) => text.charCodeAt(text.length - 1 - at),
};

function ofNumbers(pick: (numbers: readonly number[]) => number): PartReader {
  return (_text, _wordCount, numbers) => (numbers.length === 0 ? Number.NaN : pick(numbers));
}

function shareOf(pattern: RegExp): PartReader {
  return (text) => (text.match(pattern)?.length ?? 0) / text.length;
}

/** NaN is read of a text that has fewer numbers or UTF-16 units. Null where it is no part of a text. */
export function partReader(part: unknown): PartReader | null {
  const [, name = "", place] = /^(\D+)(\d?\d?)$/.exec(`${part}`) ?? [];
  return Object.hasOwn(PARTS, name) ? PARTS[name]!(Number(place) - 1) : null;
}

export function isTextPart(part: unknown): part is TextPart {
  return partReader(part) !== null;
}

/** Whether a part is of a text's numbers. */
export function isNumberPart(part: Feature["part"]): boolean {
  return part?.startsWith("number") === true;
}

export function isCharacterPart(part: Feature["part"]): boolean {
  return isPlacePart(part) && !isNumberPart(part);
}

/** Whether a part is of a text's numbers, or its character at some place, which not every text has. */
export function isPlacePart(part: Feature["part"]): boolean {
  return isTextPart(part) && !SHAPE_PARTS.includes(part);
}

/** Whether a feature of a table or a model is of the shape of a text, or of what it says. */
export function isOfText<F extends Pick<Feature, "kind" | "part">>(
  feature: F,
): feature is Extract<F, { kind: "number" | "score" }> {
  return feature.kind === "score" || isTextPart(feature.part);
}
