// Units behind numbers, and what they are worth where a column has several, such as g and kg, or hours and minutes.

import type { NumberParts, UnitSizes } from "./quantity-text.ts";

const MINUTE = 60e9;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A mean month and year of the Julian calendar. */
const YEAR = 365.25 * DAY;
const MONTH = YEAR / 12;
const UNITS_OF_DAYS: UnitSizes = {
  ...alike(HOUR, "h hr hrs hour hours"),
  ...alike(DAY, "d day days"),
  ...alike(7 * DAY, "wk wks week weeks"),
};
/**
 * A closed list, so that few codes such as 12X and 14X stay codes. No unit is written in three capital letters, as
 * currencies are, nor holds a digit. The first quantity that has all units of a column counts: `m` is a metre, beside
 * hours or days a minute, beside years a month.
 */
const QUANTITIES: readonly UnitSizes[] = [
  {
    ...sizes("ng 1 µg 1e3 μg 1e3 mg 1e6 g 1e9 kg 1e12 t 1e15"),
    ...sizes("oz 28349523125 lb 453592370000 lbs 453592370000"),
  },
  {
    ...sizes("nm 1 µm 1e3 μm 1e3 mm 1e6 cm 1e7 dm 1e8 m 1e9 km 1e12"),
    ...alike(25.4e6, "in inch inches"),
    ...alike(304.8e6, "ft feet"),
    ...alike(1609.344e9, "mi mile miles"),
  },
  {
    ...sizes("m² 1 sqm 1 qm 1 ha 1e4 km² 1e6"),
    ...alike(0.09290304, "sqft ft²"),
    ...alike(4046.8564224, "acre acres"),
  },
  { ...alike(1, "km/h kmh"), ...alike(1.609344, "mph") },
  sizes("µl 1 μl 1 ml 1e3 mL 1e3 cl 1e4 dl 1e5 dL 1e5 l 1e6 L 1e6 hl 1e8 m³ 1e9"),
  {
    ...sizes("ns 1 µs 1e3 μs 1e3 ms 1e6"),
    ...alike(1e9, "s sec secs second seconds"),
    ...alike(MINUTE, "min mins minute minutes m"),
    ...UNITS_OF_DAYS,
  },
  {
    ...alike(MINUTE, "min mins minute minutes"),
    ...UNITS_OF_DAYS,
    ...alike(MONTH, "mo month months m"),
    ...alike(YEAR, "y yr yrs year years"),
  },
  sizes(`kB 1 KB 1 MB ${2 ** 10} GB ${2 ** 20} TB ${2 ** 30}`),
  sizes("bit/s 1 kbit/s 1e3 Mbit/s 1e6 Gbit/s 1e9"),
  sizes("Hz 1 kHz 1e3 MHz 1e6 GHz 1e9"),
  sizes("mV 1 V 1e3 kV 1e6"),
  sizes("µA 1 μA 1 mA 1e3 A 1e6"),
  { ...sizes("W 1 kW 1e3 MW 1e6 GW 1e9 PS 735.49875"), ...alike(745.69987, "hp HP bhp") },
  sizes("VA 1 kVA 1e3"),
  sizes("Wh 1 kWh 1e3 MWh 1e6"),
  sizes("Ω 1 kΩ 1e3 MΩ 1e6"),
  sizes("pF 1 nF 1e3 µF 1e6"),
  sizes("N 1 kN 1e3"),
  sizes("J 1 kJ 1e3 MJ 1e6"),
  sizes("cal 1 kcal 1e3"),
  sizes("Pa 1 hPa 100 mbar 100 kPa 1e3 bar 1e5 MPa 1e6"),
  sizes("µmol 1 mmol 1e3 mol 1e6"),
  sizes("ng/ml 1 µg/l 1 mg/l 1e3 mg/L 1e3 mg/dl 1e4 mg/dL 1e4 g/l 1e6 g/L 1e6 g/dl 1e7 g/dL 1e7"),
  sizes("µmol/l 1 mmol/l 1e3 mmol/L 1e3"),
  sizes("U/l 1 U/L 1"),
  sizes("l/h 1 l/min 60 m³/h 1e3"),
  sizes("kg/h 1 t/h 1e3"),
  sizes("kg/m³ 1 g/cm³ 1e3"),
  sizes("µS/cm 1 mS/cm 1e3"),
  sizes("ppb 1 ppm 1e3 ‰ 1e6 % 1e7"),
];
const ALONE = "° °C °F K m/s rpm U/min Nm psi mmHg dB dBA dBm lx lm cd px bit MB/s IU/l Stk Stück pcs".split(" ");
const UNITS: ReadonlySet<string> = new Set([...ALONE, ...QUANTITIES.flatMap((quantity) => Object.keys(quantity))]);

export function isUnit(affix: string): boolean {
  return UNITS.has(affix);
}

/** Two units that stand one behind the other, as in `1h 20m`. */
export type UnitPair = readonly [string, string];

/** The quantity that has all these units, of each pair the larger one first; null where there is none. */
export function quantityOf(units: readonly string[], pairs: readonly UnitPair[] = []): UnitSizes | null {
  const fits = (quantity: UnitSizes) =>
    units.every((unit) => Object.hasOwn(quantity, unit)) &&
    pairs.every(([larger, less]) => quantity[larger]! > quantity[less]!);
  return QUANTITIES.find(fits) ?? null;
}

export function pairsOf(parts: readonly NumberParts[]): UnitPair[] {
  return parts.slice(1).map(({ affix }, at) => [parts[at]!.affix, affix]);
}

/** The smallest of the units seen, and the quantity's units as they are worth in that one. */
export function unitsIn(quantity: UnitSizes, seen: readonly string[]): { affix: string; units: UnitSizes } {
  const [affix, size] = Object.entries(quantity)
    .filter(([unit]) => seen.includes(unit))
    .reduce((least, entry) => (entry[1] < least[1] ? entry : least));
  const units = Object.entries(quantity).map(([unit, own]): [string, number] => [unit, own / size]);
  return { affix, units: Object.fromEntries(units) };
}

/** `list`: units and what each is worth. */
function sizes(list: string): UnitSizes {
  const items = list.split(" ");
  return Object.fromEntries(items.flatMap((unit, at) => (at % 2 === 0 ? [[unit, Number(items[at + 1])]] : [])));
}

function alike(size: number, units: string): UnitSizes {
  return Object.fromEntries(units.split(" ").map((unit) => [unit, size]));
}
