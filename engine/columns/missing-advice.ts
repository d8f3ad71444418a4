// Words about texts that may stand for missing cells, and how to say that they do.
import { quotedName } from "../csv/header.ts";
import { shellWord } from "../shell-word.ts";
import type { OtherText } from "./other-texts.ts";

const TEXTS_LISTED = 5;

/** Names the first of these texts, each with its cells. */
export function listedTexts(texts: readonly Omit<OtherText, "line">[]): string {
  const listed = texts.slice(0, TEXTS_LISTED).map(({ text, count }) => `${quotedName(text)} (${cellCount(count)})`);
  const further = texts.length - TEXTS_LISTED;
  if (further > 0) return `${listed.join(", ")} and ${further} more`;
  return listed.length === 1 ? listed[0]! : `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
}

/** Says how to have the first of these texts read as missing; without any, how to name texts. */
export function missingAdvice(texts: readonly Pick<OtherText, "text">[]): string {
  if (texts.length === 0) {
    return (
      "If they mean that there is no value, leave such cells empty, or name the texts: " +
      "--missing or, in the API, missingValues."
    );
  }
  // The option takes its texts apart at commas.
  const named = texts.slice(0, TEXTS_LISTED).filter(({ text }) => !text.includes(","));
  const option = named.length === 0 ? "" : `--missing=${shellWord(named.map(({ text }) => text).join(","))} or, `;
  const subject = texts.length === 1 ? "it means" : "they mean";
  return (
    `If ${subject} that there is no value, say so: ${option}in the API, missingValues. ` +
    "That list takes the place of the usual one, so name NA and the like too where the file has them."
  );
}

/**
 * Says how to have the first of these texts read as missing in one column. `alreadyMissing`: texts that were found to
 * be missing there, which are not looked for where the user names some.
 */
export function missingInAdvice(
  column: string,
  texts: readonly string[],
  alreadyMissing: readonly string[] = [],
): string {
  const named = [...texts.slice(0, TEXTS_LISTED), ...alreadyMissing.slice(0, TEXTS_LISTED)];
  const options = named.map((text) => `--missing-in=${shellWord(`${column}=${text}`)}`);
  return (
    `If ${texts.length === 1 ? "it means" : "they mean"} "no value", "unknown" or "open", say so: ` +
    `${options.join(" ")} or, in the API, missingTexts in columnChoices.`
  );
}

/**
 * Says which texts in the label's column count as missing, and how to make them labels; "" where there are none.
 * `markers`: all texts that count as missing.
 */
export function missingLabelWords(texts: readonly OtherText[], markers: ReadonlySet<string>): string {
  if (texts.length === 0) return "";
  const found = new Set(texts.map(({ text }) => text));
  // The option takes its texts apart at commas.
  const others = [...markers].filter((text) => text !== "" && !found.has(text) && !text.includes(","));
  const [are, one] = texts.length === 1 ? ["counts", "it is a label"] : ["count", "they are labels"];
  return (
    `${listedTexts(texts)} ${are} as missing. If ${one}, name the texts that mean no value without ` +
    `${texts.length === 1 ? "it" : "them"}: --missing=${shellWord(others.join(","))} or, in the API, missingValues.`
  );
}

export function cellCount(count: number): string {
  return count === 1 ? "1 cell" : `${count} cells`;
}
