// Notices columns whose texts look like numbers, but in a way of writing that is not read as one.
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import { hasLeadingZero, parsePlainNumber } from "./plain-number.ts";
import type { ColumnKind } from "./profile.ts";

/** Fewer distinct texts may well be categories, such as sizes. */
const LEAST_TEXTS = 20;
const NEARLY_ALL = 0.95;
/** Codes such as "12A" and "7C" have more different ends than quantities have units. */
const MOST_UNITS = 3;
const MOST_CHARS = 40;

/** A currency sign or a short word, a number, and a unit. */
const QUANTITY = /^(\p{Sc}|\p{L}{1,4}\.?)?\s*([+-]?[\d.,][\d.,'’ \u{A0}\u{202F}]*)([^\d\s.,'’+-]\S{0,9})?$/u;
const UNIT = /^[\p{L}\p{Sc}%‰°²³/·.]+$/u;
const GROUPED = /^[+-]?\d{1,3}(?:['’ \u{A0}\u{202F}]\d{3})+(?![\d'’ \u{A0}\u{202F}])/u;
const THOUSANDS = /['’ \u{A0}\u{202F}]/gu;
const COMMA_ALONE = /^[^.,]*,[^.,]*$/;

interface Quantity {
  /** Sign or word before the number, or the unit behind it; "" for neither. */
  units: string;
  isGrouped: boolean;
  hasComma: boolean;
  isWordFirst: boolean;
}

/**
 * Returns UNREAD_NUMBERS for a column that is read as something else, though nearly all of its distinct texts are
 * numbers with units, with blanks or apostrophes between thousands, or with a comma where commas delimit; else null.
 */
export function unreadNumbersWarning(column: string, kind: ColumnKind, texts: readonly string[]): Warning | null {
  if (texts.length < LEAST_TEXTS) return null;
  const quantities = texts.map(quantityIn).filter((quantity) => quantity !== null);
  if (quantities.length < NEARLY_ALL * texts.length) return null;
  const units = [...new Set(quantities.map((quantity) => quantity.units))].filter((unit) => unit !== "");
  const isGrouped = quantities.some((quantity) => quantity.isGrouped);
  const hasComma = quantities.some((quantity) => quantity.hasComma);
  // "Section 12" is a name, "kr 12,50" an amount.
  const areNames = quantities.some(({ isWordFirst }) => isWordFirst) && !isGrouped && !hasComma;
  if (units.length > MOST_UNITS || areNames) return null;
  const causes = units.map((unit) => quotedName(unit));
  if (isGrouped) causes.push("blanks or apostrophes between thousands");
  if (hasComma) causes.push("commas");
  if (causes.length === 0) return null;
  const use = kind === "identifier" ? "It is not used" : "Each is a category of its own";
  const message =
    `Column ${quotedName(column)} seems to hold numbers that are not read as such because of ${causes.join(", ")}. ` +
    `${use}. If they are quantities, write them alone and with a decimal point, such as 1234.5.`;
  return { code: "UNREAD_NUMBERS", message, column };
}

/** Returns null where the text is no number, with or without a unit. */
function quantityIn(text: string): Quantity | null {
  const match = text.length > MOST_CHARS ? null : QUANTITY.exec(text);
  if (match === null) return null;
  const [, before = "", written = "", unit = ""] = match;
  if (unit !== "" && (before !== "" || !UNIT.test(unit))) return null;
  const body = written.trimEnd();
  const isGrouped = GROUPED.test(body);
  const digits = isGrouped ? body.replaceAll(THOUSANDS, "") : body;
  const hasComma = COMMA_ALONE.test(digits);
  // Leading zeros make a code.
  if (hasLeadingZero(digits)) return null;
  if (Number.isNaN(parsePlainNumber(digits.replace(",", ".")))) return null;
  return { units: before + unit, isGrouped, hasComma, isWordFirst: /^\p{L}/u.test(before) };
}
