// Takes off the currency before or behind a number, or what stands behind it.
import { CURRENCY_BEFORE, SIGN_OF_CURRENCY } from "./bare-number.ts";
import { isClockAffix, splitClockTime } from "./clock-times.ts";
import { type NumberParts, splitQuantity } from "./quantity-text.ts";
import { isUnit, pairsOf, quantityOf } from "./units.ts";

/** A currency before the number, behind or before its sign. */
const AFFIXED_BEFORE = new RegExp(`^([+-]?)\\s*(${CURRENCY_BEFORE})\\s*([+-]?[\\d.,]\\S*)$`);
/** A unit or a currency behind the number, of seven characters at most. */
const AFFIXED_AFTER = /^([+-]?[\d.,][\d.,eE+-]*?)\s*([^\d\s.,+-][^\d\s.,+-]{0,6})$/;
/** Whatever stands behind the number, but an exponent. */
const ANYTHING_AFTER = /^([+-]?[\d.,][\d.,eE+-]*?)\s*((?![eE][+-]?\d)[^\d\s.,+-].{0,23})$/;
/** The whole that a number is a part of: `/5`, `out of 10`. Any other number behind one is no unit. */
const OF_WHOLE = /^(?:\/|(?:out )?of |von |sur |de ) ?(?:5|10|20|100)(?!\d)\D*$/;
/** A name, as of a month or a town, says what the number is, not its unit. */
const NAME = /\p{Lu}\p{Ll}{2}/u;
const HAS_DIGIT = /\d/;
const CURRENCY_SIGN = new RegExp(`^${SIGN_OF_CURRENCY}$`);
/** Behind the number alone. */
const CURRENCY_WORDS: ReadonlySet<string> = new Set("kr zł Kč Ft Fr lei лв руб".split(" "));
/** ISO 4217, the currencies in use. */
const CURRENCY_CODES: ReadonlySet<string> = new Set(
  (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY " +
    "COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS " +
    "INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP " +
    "MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR " +
    "SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV " +
    "WST XAF XCD XOF XPF YER ZAR ZMW ZWG"
  ).split(" "),
);

/**
 * Takes off a unit, a currency sign or a currency code. The affix is "" where there is none; that of a time such as
 * 14:05 says how it is written, and its body is the number that it stands for.
 */
export function splitAffix(text: string): NumberParts {
  const time = splitClockTime(text);
  if (time !== null) return time;
  const before = AFFIXED_BEFORE.exec(text);
  if (before !== null && isCurrency(before[2]!)) return { affix: before[2]!, body: before[1]! + before[3]! };
  const after = AFFIXED_AFTER.exec(text);
  if (after !== null && (isUnit(after[2]!) || isCurrency(after[2]!))) return { affix: after[2]!, body: after[1]! };
  return { affix: "", body: text };
}

/**
 * As `splitAffix`, and `1h 20m` into two, each with the sign of the whole, where they make a sum of one quantity. The
 * affix of other texts is whatever stands behind their number: `km/l`, `% off`, `/5`.
 */
export function splitNumber(text: string): readonly NumberParts[] {
  const single = splitAffix(text);
  if (single.affix !== "") return [single];
  const after = ANYTHING_AFTER.exec(text);
  // Most texts of large columns are numbers alone.
  if (after === null) return [single];
  const { sign, parts } = splitQuantity(text) ?? { sign: "", parts: [] };
  const units = parts.map(({ affix }) => affix);
  const isSum = parts.length >= 2 && quantityOf(units, pairsOf(parts)) !== null;
  if (isSum) return parts.map(({ affix, body }) => ({ affix, body: sign + body }));
  return mayBeUnit(after[2]!) ? [{ affix: after[2]!, body: after[1]! }] : [single];
}

function mayBeUnit(text: string): boolean {
  return HAS_DIGIT.test(text) ? OF_WHOLE.test(text) : !NAME.test(text);
}

/** Whether it is known to stand beside quantities: others may as well belong to codes. */
export function isKnownAffix(affix: string): boolean {
  return affix === "" || isClockAffix(affix) || isUnit(affix) || isCurrency(affix);
}

function isCurrency(affix: string): boolean {
  return CURRENCY_SIGN.test(affix) || CURRENCY_CODES.has(affix) || CURRENCY_WORDS.has(affix);
}
