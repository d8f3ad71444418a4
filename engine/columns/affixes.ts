// Takes off the currency before or behind a number, or the unit behind it.
import { splitClockTime } from "./clock-times.ts";

/** A currency before the number, behind or before its sign. */
const AFFIXED_BEFORE = /^([+-]?)\s*([$€£¥]|[A-Z]{3})\s*([+-]?[\d.,]\S*)$/;
/** A unit or a currency behind the number, of seven characters at most. */
const AFFIXED_AFTER = /^([+-]?[\d.,]\S*?)\s*([^\d\s.,+-][^\d\s.,+-]{0,6})$/;
const CURRENCY_SIGNS: ReadonlySet<string> = new Set("$€£¥");
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
 * Units that are read. A closed list, so that codes such as 12X and 14X stay codes; none is written in three capital
 * letters, as currencies are, nor ends in a digit.
 */
const UNITS: ReadonlySet<string> = new Set(
  (
    "% ‰ ppm ppb ° °C °F K nm µm μm mm cm dm m km in ft mi m² km² ha m³ l L ml mL dl dL cl hl µl μl ng µg μg mg g " +
    "kg t lb lbs oz ns µs μs ms s sec min h hr hrs d m/s km/h mph rpm U/min Hz kHz MHz GHz mV V kV mA A µA μA W " +
    "kW MW GW VA kVA Wh kWh MWh Ω kΩ MΩ µF nF pF N kN Nm J kJ MJ cal kcal Pa hPa kPa MPa bar mbar psi mmHg dB dBA " +
    "dBm lx lm cd px kB KB MB GB TB bit kbit/s Mbit/s Gbit/s MB/s mol mmol µmol mg/l mg/L g/l g/L µg/l mg/dl " +
    "mg/dL g/dl g/dL ng/ml mmol/l mmol/L µmol/l U/l U/L IU/l l/min l/h m³/h kg/h t/h kg/m³ g/cm³ µS/cm mS/cm Stk " +
    "Stück pcs"
  ).split(" "),
);

/** A number text taken apart: its affix, and the digits with their sign and separators. */
export interface NumberParts {
  affix: string;
  body: string;
}

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
  if (after !== null && (UNITS.has(after[2]!) || isCurrency(after[2]!))) return { affix: after[2]!, body: after[1]! };
  return { affix: "", body: text };
}

function isCurrency(affix: string): boolean {
  return CURRENCY_SIGNS.has(affix) || CURRENCY_CODES.has(affix);
}
