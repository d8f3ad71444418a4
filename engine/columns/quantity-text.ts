// Takes apart texts of numbers with a unit behind each.

/** Units of one quantity, and the number that each is worth in some one of them. */
export type UnitSizes = Readonly<Record<string, number>>;

/** A number text taken apart: its affix, and the digits with their sign and separators. */
export interface NumberParts {
  affix: string;
  body: string;
}

const SIGN = /^[+-]/;
/** A number and its unit; `1h20m` has two of them. */
const PART = /\s*([\d.,]+(?:[eE][+-]?\d+)?)\s*([^\d\s.,+-]{1,7})/y;

/** Takes `3.5 kg`, `-20 min` or `1h 20m` apart; null for a trimmed text that is not made so, whatever the units. */
export function splitQuantity(text: string): { sign: string; parts: NumberParts[] } | null {
  const sign = SIGN.exec(text)?.[0] ?? "";
  const parts: NumberParts[] = [];
  PART.lastIndex = sign.length;
  while (PART.lastIndex < text.length) {
    const part = PART.exec(text);
    if (part === null) return null;
    parts.push({ affix: part[2]!, body: part[1]! });
  }
  return parts.length === 0 ? null : { sign, parts };
}
