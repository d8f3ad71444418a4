// How a column's rows spread over its values, by class: the small histogram beside a column's name.
import { roundedApart } from "../rounded-apart.ts";
import {
  FIRST_LEVEL,
  type LevelArray,
  MISSING_LEVEL,
  type NumberFeature,
  type Table,
  UNLISTED_LEVEL,
} from "./table.ts";
import { isCharacterPart } from "./text-shape.ts";

const MOST_BARS = 12;
/** Digits of the bounds of ranges, where they suffice to tell neighbours apart. */
const LEAST_DIGITS = 4;

/** The words behind each number that describes a text: the bars of a text column show these, not its values. */
const UNITS: Readonly<Record<string, string>> = {
  characters: " characters",
  words: " words",
  capitals: " (share of capitals)",
  digits: " (share of digits)",
  punctuation: " (share of punctuation)",
};

/** Bars of a histogram: `counts[bar][class]`. */
export interface Distribution {
  bars: readonly string[];
  counts: readonly (readonly number[])[];
}

/**
 * At most twelve bars: for numbers ranges of equal width between the 1st and 99th percentile of the listed
 * values, the ends taking what lies beyond (of a text column its lengths); for categories the most
 * frequent ones and all others as one. A last bar counts missing cells.
 */
export function distributionOf(table: Table, index: number): Distribution {
  const feature = table.features[index]!;
  // A score has no values before it is fitted, and the number of a character says nothing to people.
  if (feature.kind === "score" || isCharacterPart(feature.part)) return { bars: [], counts: [] };
  const levels = table.levels[index]!;
  const { barOfLevel, bars } = feature.kind === "category" ? categoryBars(feature.names, levels) : numberBars(feature);
  const missingBar = bars.length;
  const counts = Array.from({ length: bars.length + 1 }, () => new Array<number>(table.labels.length).fill(0));
  for (let row = 0; row < levels.length; row++) {
    const level = levels[row]!;
    counts[level === MISSING_LEVEL ? missingBar : barOfLevel[level]!]![table.classes[row]!]!++;
  }
  const hasMissing = counts[missingBar]!.some((count) => count > 0);
  return hasMissing ? { bars: [...bars, "missing"], counts } : { bars, counts: counts.slice(0, -1) };
}

function numberBars(feature: NumberFeature): { barOfLevel: Uint16Array; bars: string[] } {
  const { values } = feature;
  const low = values[Math.floor(values.length * 0.01)] ?? 0;
  const high = values[Math.ceil(values.length * 0.99) - 1] ?? 0;
  const barCount = Math.max(1, Math.min(MOST_BARS, values.length));
  const width = (high - low) / barCount;
  const barOf = (value: number) =>
    width > 0 ? Math.max(0, Math.min(barCount - 1, Math.floor((value - low) / width))) : 0;
  const barOfLevel = new Uint16Array(FIRST_LEVEL + values.length);
  values.forEach((value, i) => {
    barOfLevel[FIRST_LEVEL + i] = barOf(value);
  });
  const unit = UNITS[feature.part ?? ""] ?? "";
  const bounds = Array.from({ length: barCount + 1 }, (_, bar) => low + bar * width);
  const rounded = roundedApart(bounds, LEAST_DIGITS);
  const bars = bounds.slice(1).map((end, bar) => `from ${rounded.get(bounds[bar]!)} to ${rounded.get(end)}${unit}`);
  return { barOfLevel, bars };
}

function categoryBars(names: readonly string[], levels: LevelArray): { barOfLevel: Uint16Array; bars: string[] } {
  const counts = new Uint32Array(FIRST_LEVEL + names.length);
  for (let row = 0; row < levels.length; row++) counts[levels[row]!]!++;
  const byCount = names.map((_, i) => FIRST_LEVEL + i).sort((a, b) => counts[b]! - counts[a]! || a - b);
  const shown = byCount.slice(0, byCount.length > MOST_BARS ? MOST_BARS - 1 : MOST_BARS);
  const bars = shown.map((level) => names[level - FIRST_LEVEL]!);
  const hasOthers = shown.length < byCount.length || counts[UNLISTED_LEVEL]! > 0;
  const barOfLevel = new Uint16Array(counts.length).fill(bars.length);
  shown.forEach((level, bar) => {
    barOfLevel[level] = bar;
  });
  return { barOfLevel, bars: hasOthers ? [...bars, "all others"] : bars };
}
