// Takes off what may stand around the digits of a number in any column, since it says nothing else: blanks or
// apostrophes between thousands, brackets and other signs for a minus, and that it is not exact.

/** Signs of currencies, of Unicode's first block and of its block of currencies. */
const SIGNS = "$\\u00a2-\\u00a5\\u20a0-\\u20cf";
/** A currency as a sign, with or without letters before it: `$`, `US$`. */
export const SIGN_OF_CURRENCY = `[A-Z]{0,2}[${SIGNS}]`;
/** A currency that may stand before its number: a sign, or three letters. */
export const CURRENCY_BEFORE = `${SIGN_OF_CURRENCY}|[A-Z]{3}`;
/** Longer texts are remarks. */
const MOST_CHARS = 100;
/** Space, the three spaces that do not break a line, and apostrophes. */
const BETWEEN = "[ \\u00a0\\u2009\\u202f'’]";
const MAY_BE_DRESSED = /\d[ \u00a0\u2009\u202f'’]\d{3}|[−–(]|-$|^[~≈c]/;
/** Groups of three digits with the same mark between all of them, as `1 234 567,8` and `1'234.50` have. */
const GROUPS = new RegExp(`(?<![\\d.,])[1-9]\\d{0,2}(${BETWEEN})\\d{3}(?:\\1\\d{3})*(?!\\d)`);
const ABOUT = /^(?:[~≈]|ca\.) ?(?=[\d.,−–-])/;
/**
 * As accountants write a loss, with a currency before it or not: `(1,234.50)`, `$(12)`. Without a separator or a
 * currency it may be a footnote or a year.
 */
const IN_BRACKETS = new RegExp(`^(?=[^.,${SIGNS}]*[.,${SIGNS}])([^()\\d+−–-]{0,5})\\(([^()\\d+−–-]*\\d[^()+−–-]*)\\)$`);
/** As some ledgers write it: `1.234,50-`. Grades such as `3-` and open ranges such as `1990-` are none. */
const MINUS_BEHIND = /^([^()+−–-]*[.,]\d{2,}) ?-$/;
const OTHER_MINUS = new RegExp(`^([^\\d+−–-]{0,5})[−–](?=[\\d.,${SIGNS}])`);

/** A trimmed text as the plain digits of its number would be written; the text itself where it has nothing to take. */
export function bareNumber(text: string): string {
  if (text.length > MOST_CHARS || !MAY_BE_DRESSED.test(text)) return text;
  const exact = text.replace(ABOUT, "");
  const signed = exact.replace(IN_BRACKETS, "-$1$2").replace(MINUS_BEHIND, "-$1").replace(OTHER_MINUS, "-$1");
  return signed.replace(GROUPS, (digits, between: string) => digits.replaceAll(between, ""));
}
