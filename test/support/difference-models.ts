// Models that learned from differences: of dates in every form, to the second, and of two numbers.
import { packArrays, unpackArrays } from "../../engine/arrays/array-file.ts";
import { MODEL_FORMAT, type ModelFile, packModel } from "../../engine/model/model-file.ts";
import { Random } from "../../engine/random.ts";
import { readCsvText } from "./csv-table.ts";
import { FOREST, fileOf } from "./text-models.ts";

const NAMES = ["opened", "closed", "due", "seen", "before", "after", "place"];
const ROWS = 600;
const HOUR = 3_600;
const START = Date.UTC(2024, 0, 1) / 1_000;
const MONTHS = ["Jan", "February", "März", "avril", "May", "giugno", "Juli", "ago", "Sept", "octubre", "Nov", "déc"];
const two = (value: number) => String(value).padStart(2, "0");

/** A model of rows as `differenceRows` draws them, with three dates taken off others and a number taken off another. */
export function differenceModel(): ModelFile {
  const random = new Random(29);
  const lines = Array.from({ length: ROWS }, () => {
    const { cells, isLong } = drawRow(random, [""]);
    return [...cells, isLong ? "long" : "short"].map((cell) => `"${cell}"`).join(",");
  });
  return fileOf(readCsvText(`${[...NAMES, "took"].join(",")}\n${lines.join("\n")}\n`), FOREST);
}

/** Cells of its columns, some of them missing or unreadable. */
export function differenceRows(count: number): string[][] {
  const random = new Random(31);
  return Array.from({ length: count }, () => drawRow(random, ["", "NA", "soon", "31.02.2024"]).cells);
}

/** `others`: what a cell of some rows has instead of its value. */
function drawRow(random: Random, others: readonly string[]): { cells: string[]; isLong: boolean } {
  const opened = START + random.nextBelow(300 * 24 * HOUR);
  const [took, late, seen] = [random.nextBelow(4 * HOUR), random.nextBelow(4 * HOUR), random.nextBelow(4 * HOUR)];
  const [before, used] = [1_000 + random.nextBelow(50_000) / 10, random.nextBelow(4_000) / 10];
  const signs = [took > 2 * HOUR, late > 2 * HOUR, seen > 2 * HOUR, used > 200];
  const cells = [
    yearFirst(opened, random.nextBelow(6)),
    dayFirst(opened + took, random.nextBelow(6)),
    monthFirst(opened + took - late, random.nextBelow(5)),
    others.length > 1 ? sinceEpoch(opened + seen, random.nextBelow(4)) : String(opened + seen),
    `${before.toLocaleString("en-US", { minimumFractionDigits: 1 })} kWh`,
    String(before + used),
    ["Bonn", "Köln"][random.nextBelow(2)]!,
  ];
  if (random.nextBelow(5) === 0) {
    cells[random.nextBelow(cells.length - 1)] = others[random.nextBelow(others.length)]!;
  }
  const weight = signs.filter(Boolean).length + random.nextFloat();
  return { cells, isLong: weight > 2.5 };
}

/** The parts of a moment. `ofTwelve`: its hour on a clock of twelve. */
function partsOf(seconds: number) {
  const own = new Date(seconds * 1_000);
  const hour = own.getUTCHours();
  return {
    ...{ year: own.getUTCFullYear(), month: own.getUTCMonth() + 1, day: own.getUTCDate(), hour },
    ...{ half: hour < 12 ? "AM" : "pm", ofTwelve: hour % 12 || 12 },
    ...{ minute: two(own.getUTCMinutes()), second: two(own.getUTCSeconds()) },
  };
}

function yearFirst(seconds: number, form: number): string {
  const iso = new Date(seconds * 1_000).toISOString();
  const compact = iso.replaceAll(/[-:]|\.\d+/g, "");
  return (
    [iso, iso.slice(0, 19), iso.slice(0, 16).replace("T", " "), compact, `${iso.slice(0, 19)},9+02:00`][form] ?? iso
  );
}

function dayFirst(seconds: number, form: number): string {
  const { year, month, day, hour, half, ofTwelve, minute, second } = partsOf(seconds);
  const date = `${two(day)}.${two(month)}.${year}`;
  const named = `${day}-${MONTHS[month - 1]}-${year % 100}`;
  return (
    [
      `${date} ${hour}h${minute}`,
      `${named} ${ofTwelve}.${minute}.${second}.000000 ${half}`,
      `${day}/${month}/${year} ${ofTwelve}:${minute}:${second} ${half}`,
      `${date} ${two(hour)}:${minute}:60`,
    ][form] ?? `${date} ${two(hour)}:${minute}:${second}`
  );
}

function monthFirst(seconds: number, form: number): string {
  const { year, month, day, hour, half, ofTwelve, minute, second } = partsOf(seconds);
  const date = `${month}/${day}/${year}`;
  return (
    [`${MONTHS[month - 1]} ${day}, ${year} ${hour}:${minute}:${second}`, `${date}, ${ofTwelve}:${minute} ${half}`][
      form
    ] ?? `${date} ${ofTwelve}:${minute}:${second} ${half}`
  );
}

function sinceEpoch(seconds: number, form: number): string {
  return [`${seconds}.75`, `${seconds}999`, `${seconds}e0`][form] ?? String(seconds);
}

/** Differences with columns that do not fit, under a checksum that is right: every reader refuses them. */
export function spoiledDifferences(): Uint8Array[] {
  const { head, arrays } = unpackArrays(MODEL_FORMAT, packModel(differenceModel())) as {
    head: { features: { part?: string; column: number }[]; columns: unknown[] };
    arrays: Parameters<typeof packArrays>[2];
  };
  const at = head.features.findIndex(({ part }) => part === "difference");
  const spoiled = (change: object) =>
    packArrays(
      MODEL_FORMAT,
      { ...head, features: head.features.with(at, { ...head.features[at]!, ...change }) },
      arrays,
    );
  const [opened, before, place] = ["opened", "before", "place"].map((name) => NAMES.indexOf(name));
  const ofOthers = [head.columns.length, 2 ** 31, -1, 0.5, null, undefined, before, place].map((minus) => ({ minus }));
  return [...ofOthers, { column: before, minus: opened }, { column: place, minus: place }].map(spoiled);
}
