// Rows that show whether another program reads a model as Cupel does: made
// from the model alone, never from training rows.

import { isClockAffix } from "../columns/clock-times.ts";
import { type DateForm, rewriteDate, YEAR_FIRST } from "../columns/dates.ts";
import { numberText } from "../columns/number-text.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { isDifference, type ModelFeature, type ModelFile } from "../model/model-file.ts";
import { nextDown, nextUp } from "../next-double.ts";
import { Random } from "../random.ts";
import { amountOf } from "../scoring/difference-coder.ts";

const ROW_COUNT = 24;
/** Further rows for a model that reads differences of two columns. */
const DIFFERENCE_ROWS = 16;
/** Cut points and categories of a column that ordinary cells are made of. */
const MOST_PLACES = 12;
const SEED = 1;

/** Texts of several scripts, with what words are cut at; models hold no words of their own. */
const TEXTS = [
  "",
  "The quick brown fox isn't here; it costs 3.50, not 1,000!",
  "GREAT value, works well and arrived on time",
  "Zu groß für die Straße, leider — sehr schlecht.",
  "ﬁne ＡＢＣ naïve résumé x²",
  "東京の天気は晴れ 🙂 100%",
  "error-code e404 at 12:30",
] as const;

/**
 * Rows of text cells, as a CSV file has them, in the order of the model's columns. Every cell of the first row is
 * missing, two ordinary rows follow, then rows with odd cells among ordinary ones: neighbours of cut points, unseen
 * categories, aliases, blanks, what is no number. Last come rows whose differences are next to cut points.
 */
export function checkRows(file: ModelFile): string[][] {
  const random = new Random(SEED);
  const pools = file.columns.map(({ reading }, column) => {
    const features = file.features.filter((feature) => feature.column === column && !isDifference(feature));
    const isText = file.texts?.some((text) => text.column === column) ?? false;
    return {
      ordinary: ordinaryCells(reading, features, isText),
      odd: oddCells(reading, features, file.missingMarkers),
    };
  });
  const draw: Draw = (items) => items[random.nextBelow(items.length)]!;
  const rows = Array.from({ length: ROW_COUNT }, (_, row) =>
    pools.map(({ ordinary }) => (row === 0 ? "" : draw(ordinary))),
  );
  // Odd cells are dealt one after the other, so that each column shows all of its own where it has rows enough.
  for (const [column, { odd }] of pools.entries()) {
    for (const [at, cell] of odd.entries()) rows[3 + ((at * 2 + column) % (ROW_COUNT - 3))]![column] = cell;
  }
  if (!file.features.some(isDifference)) return rows;
  const near = Array.from({ length: DIFFERENCE_ROWS }, () =>
    placeDifferences(
      pools.map(({ ordinary }) => draw(ordinary)),
      file,
      draw,
    ),
  );
  return [...rows, ...near];
}

type Draw = <T>(items: readonly T[]) => T;

/** Brings one difference of each column that has any to one side of a cut point. */
function placeDifferences(row: readonly string[], { columns, features }: ModelFile, draw: Draw): string[] {
  const placed = [...row];
  for (const [at, differences] of Map.groupBy(features.filter(isDifference), ({ column }) => column)) {
    const { minus, cutPoints } = draw(differences);
    const { reading } = columns[at]!;
    const cut = draw(someOf([...cutPoints], [0]));
    const other = amountOf(placed[minus]!, columns[minus]!.reading);
    const isAbove = draw([false, true]);
    const amount =
      reading.kind === "date" ? other + Math.floor(cut) + (isAbove ? 1 : 0) : amountBeside(other, cut, isAbove);
    const cell = Number.isFinite(amount) ? amountText(amount, reading) : null;
    if (cell !== null) placed[at] = cell;
  }
  return placed;
}

/** The number next to `other + cut` whose difference from `other` is above the cut point, or else is not. */
function amountBeside(other: number, cut: number, isAbove: boolean): number {
  const amount = other + cut;
  if (amount - other > cut === isAbove) return amount;
  return isAbove ? nextUp(amount) : nextDown(amount);
}

/** The cell of an amount; null where no date is written so. */
function amountText(amount: number, reading: ColumnReading): string | null {
  if (reading.kind === "number") return numberText(amount, reading.form);
  const time = new Date(1000 * amount).toISOString().slice(0, 19);
  return reading.kind === "date" ? rewriteDate(time, YEAR_FIRST, reading.form) : null;
}

/** Cells as the training file might have had them. Never empty. */
function ordinaryCells(reading: ColumnReading, features: readonly ModelFeature[], isText: boolean): string[] {
  if (isText) return [...TEXTS, ...someOf(categoriesOf(features)), ...codeTexts(features), ...listTexts(features)];
  if (reading.kind === "category") return someOf(categoriesOf(features), [""]);
  const numbers = cutPointsOf(features);
  if (reading.kind === "number") {
    const around = someOf(numbers).flatMap((cut) => [cut, nextUp(cut)]);
    return [...around, 0].map((value) => numberText(value, reading.form));
  }
  const years = someOf(cutPointsOf(features.filter(({ part }) => part === "year")), [2020]);
  return years.flatMap((year, at) => [
    dateText(Math.floor(year), 1 + ((at * 5) % 12), 1 + ((at * 11) % 28), at % 24, reading.form),
    dateText(Math.floor(year) + 1, 12 - (at % 12), 28 - (at % 28), null, reading.form),
  ]);
}

/** Codes whose characters lie on both sides of the cut points of their places; none where no place is read. */
function codeTexts(features: readonly ModelFeature[]): string[] {
  const [first, last] = [/^character(\d+)$/, /^ending(\d+)$/].map((place) => partsBy(features, place));
  if (first!.size + last!.size === 0) return [];
  const character = (cuts: readonly number[] | undefined, at: number) =>
    String.fromCharCode(Math.floor(besideCut(cuts ?? [], at) ?? 65));
  const [firstCount, lastCount] = [Math.max(0, ...first!.keys()), Math.max(0, ...last!.keys())];
  return Array.from({ length: MOST_PLACES }, (_, at) => {
    const begin = Array.from({ length: firstCount }, (_, place) => character(first!.get(place + 1), at + place));
    const end = Array.from({ length: lastCount }, (_, place) => character(last!.get(lastCount - place), at + place));
    return [...begin, ...end].join("");
  });
}

/** Lists whose numbers lie on both sides of the cut points of their places; none where no number is read. */
function listTexts(features: readonly ModelFeature[]): string[] {
  const numbers = partsBy(features, /^number(\d*)/);
  if (numbers.size === 0) return [];
  return Array.from({ length: MOST_PLACES }, (_, at) =>
    Array.from({ length: Math.max(...numbers.keys(), 3) }, (_, place) =>
      String(besideCut(numbers.get(place + 1) ?? [], at + place) ?? at),
    ).join(", "),
  );
}

/** Cut points by the place that a part's name ends with. */
function partsBy(features: readonly ModelFeature[], place: RegExp): Map<number, readonly number[]> {
  return new Map(
    features.flatMap((feature): [number, readonly number[]][] => {
      const found = place.exec(feature.part ?? "");
      return found === null ? [] : [[Number(found[1]), someOf(cutPointsOf([feature]))]];
    }),
  );
}

/** Every second time a cut point, else the next whole number above it; undefined where there is none. */
function besideCut(cuts: readonly number[], at: number): number | undefined {
  const cut = cuts[(at >> 1) % Math.max(1, cuts.length)];
  return cut === undefined || at % 2 === 0 ? cut : Math.floor(cut) + 1;
}

const ODD_TIMES = ["2:05 PM", "14:05", "00:03:12,5", "1 days 00:00:01", "-0:30", "0:60", "< 1:00", "90", "no time"];

/** Cells that programs read differently where they do not follow the model's reading rules. */
function oddCells(reading: ColumnReading, features: readonly ModelFeature[], markers: readonly string[]): string[] {
  const missing = ["", ...markers.slice(0, 2), ...(reading.missingTexts ?? []).slice(0, 1)];
  if (reading.kind === "category") {
    const [first = "a"] = categoriesOf(features);
    return [...missing, "never seen", ` ${first} `, first.toUpperCase(), `${first}.0`, `+${first}`, `0${first}`];
  }
  if (reading.kind === "number") {
    const { form } = reading;
    if (isClockAffix(form.affix)) return [...missing, ...ODD_TIMES];
    const units = Object.keys(form.units ?? {});
    const sums = units.flatMap((unit, at) => units.slice(0, at).map((less) => `1${unit} 20 ${less}`));
    const plain = [
      "1e3",
      "+5",
      "<.5",
      "5.",
      "-0",
      "1e999",
      "inf",
      "1 234",
      "1,5",
      "1.234,5",
      "1,234.5",
      "12 %",
      "no number",
    ];
    return [...missing, ...someOf(sums), ...plain, ` ${numberText(1234.5, form)} `, `≥ ${numberText(-1e9, form)}`];
  }
  const zoned = reading.form.order === "ymd" ? "2024-02-29T23:30:00+02:00" : "29/02/2024 11:30 PM";
  const other = ["29-Feb-24", "Feb 29, 2024", "20240229", "1709208060"];
  return [...missing, zoned, "2024-05", "2023-02-29", ...other, "2024-01-31 24:00", "31/12/1999", "soon"];
}

function categoriesOf(features: readonly ModelFeature[]): readonly string[] {
  return features.flatMap((feature) => (feature.kind === "category" ? feature.names : []));
}

function cutPointsOf(features: readonly ModelFeature[]): number[] {
  return features.flatMap((feature) => (feature.kind === "number" ? [...feature.cutPoints] : []));
}

/** At most `MOST_PLACES` of the items, evenly spread; `otherwise` where there are none. */
function someOf<T>(items: readonly T[], otherwise: readonly T[] = []): T[] {
  if (items.length === 0) return [...otherwise];
  const count = Math.min(MOST_PLACES, items.length);
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]!);
}

function dateText(year: number, month: number, day: number, hour: number | null, { order }: DateForm): string {
  const [years, months, days] = [pad(year, 4), pad(month, 2), pad(day, 2)];
  const time = hour === null ? "" : ` ${pad(hour, 2)}:30`;
  if (order === "unix") return String(Date.UTC(year, month - 1, day, hour ?? 0, 30) / 1000);
  if (order === "ymd") return `${years}-${months}-${days}${time}`;
  return (order === "dmy" ? [days, months, years] : [months, days, years]).join("/") + time;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
