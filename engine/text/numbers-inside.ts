// The numbers inside a text: 120 and 80 in `120/80`, 85 and 116 in `85 kW (116 PS)`, 565000 in `€565K`.
import { LETTER } from "../letter.ts";

/** Words and letters behind a number, by what they multiply it; `B` in amounts alone, since it is a letter of codes. */
const FACTORS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, K: 1e3, M: 1e6, mn: 1e6, Mio: 1e6, million: 1e6 },
  ...{ B: 1e9, bn: 1e9, Mrd: 1e9, billion: 1e9, lakh: 1e5, Lakh: 1e5, Cr: 1e7 },
};
/** Not the hyphen of `A-12`, `10-12` or `(5)-12`. */
const MINUS = `(?<!${LETTER})(?<![0-9)])-`;
/** One that stands alone: `2.10.3` and `7,1,4` are lists, as versions and addresses of machines are. */
const decimal = (sign: string) => `(?<![0-9]${sign})[0-9]{1,15}${sign}[0-9]{1,15}(?![0-9]{0,15}${sign}[0-9])`;
/** As in `1,234,567.5`, or `1,09,999` in India. */
const COMMA_GROUPS = "(?<![0-9],)[0-9]{1,3}(?:,[0-9]{2,3}){0,4},[0-9]{3}(?![0-9,])(?:\\.[0-9]{1,15})?";
const DECIMAL_COMMA = `[0-9]{1,3}(?:\\.[0-9]{3}){1,5},[0-9]{1,15}|${decimal(",")}`;
const PLAIN = `${decimal("\\.")}|[0-9]{1,15}`;
const FACTOR = ` ?(${Object.keys(FACTORS).join("|")})(?!${LETTER}|[0-9])`;
const OF_CODE = new RegExp(`${LETTER}$`);
const OF_AMOUNT = /[.,$\u00a2-\u00a5\u20a0-\u20cf]/;
/** As the 30 of `30-35k` has. */
const FACTOR_OF_RANGE = `(?= ?[-–] ?[0-9.,]{1,20}${FACTOR})`;
const NUMBER = new RegExp(
  `(${MINUS})?(?:(${COMMA_GROUPS})|(${DECIMAL_COMMA})|(${PLAIN}))(?:${FACTOR}|${FACTOR_OF_RANGE}|)`,
  "g",
);

/** Whether a number inside a text is multiplied by this word or letter behind it. */
export function isFactor(word: string): boolean {
  return Object.hasOwn(FACTORS, word);
}

/** The first `most` numbers of a text; fewer where it has fewer. O(length) */
export function numbersInside(text: string, most = Number.POSITIVE_INFINITY): number[] {
  const numbers: number[] = [];
  NUMBER.lastIndex = 0;
  while (numbers.length < most) {
    const match = NUMBER.exec(text);
    if (match === null) break;
    const [, minus, grouped, withComma, plain, ownFactor, factor = ownFactor] = match;
    const digits = plain ?? grouped?.replaceAll(",", "") ?? withComma!.replaceAll(".", "").replace(",", ".");
    const value = Number(digits) * (factor === undefined || isOfCode(text, match.index, factor) ? 1 : FACTORS[factor]!);
    numbers.push(minus === undefined ? value : 0 - value);
  }
  return numbers;
}

/** The K of `V5K 0A1` and the B of `12B` are no factors. */
function isOfCode(text: string, start: number, factor: string): boolean {
  if (factor.length > 1) return false;
  return OF_CODE.test(text.slice(0, start)) || (factor === "B" && !OF_AMOUNT.test(text));
}
