// Text columns in plain words, the same in the report, on the screens and on the terminal.
import type { TextProfile } from "../../engine/text/text-profile.ts";
import { formatAmount } from "../common/format.ts";

/** Explains shapes of words such as "##:##", see `ANY_DIGIT` of engine/text/terms.ts. */
export const SHAPE_WORDS = "In a word, # stands for any digit.";

/** "278 characters and 52 words in the median, 85,534 terms". */
export function textInWords({ medianCharacters, medianWords, termCount }: TextProfile): string {
  const lengths = `${formatAmount(medianCharacters, "character")} and ${formatAmount(medianWords, "word")}`;
  return `${lengths} in the median, ${formatAmount(termCount, "term")}`;
}
