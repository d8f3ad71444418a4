// A new file compared with the training rows, in words.
import { quotedName } from "../../engine/csv/header.ts";
import { isCharacterPart } from "../../engine/table/text-shape.ts";
import type { RangeShift } from "../../engine/watch/column-shares.ts";
import type { ColumnShift, ShiftVerdict, WatchReport } from "../../engine/watch/watch-report.ts";
import { formatAmount, formatPercent } from "../common/format.ts";
import { writerOf } from "../common/numbers.ts";
import { partWords } from "./part-words.ts";

export const VERDICT_WORDS: Readonly<Record<ShiftVerdict, string>> = {
  SHIFTED: "shifted",
  SLIGHT: "slightly shifted",
  ALIKE: "as in training",
  UNTOLD: "too few rows to tell",
};

/** How a column compares, where `difference` says by what: dates beyond the training's are no alarm, and are told. */
export function columnVerdict({ verdict, difference }: Pick<ColumnShift, "verdict"> & { difference: string }): string {
  return verdict === "ALIKE" && difference !== "" ? "other dates" : VERDICT_WORDS[verdict];
}

/** Says how sure the model is. */
export function confidenceWords({ verdict, isLessSure }: NonNullable<WatchReport["confidence"]>): string {
  if (verdict === "ALIKE" || verdict === "UNTOLD") return VERDICT_WORDS[verdict];
  return `${verdict === "SLIGHT" ? "slightly " : ""}${isLessSure ? "less sure" : "surer"} than on held-out rows`;
}

/** Shares that differ by less are not named. */
const LEAST_SHARE = 0.005;

/** Lists the differences of a column, most telling first; empty where none can be named. */
export function columnWords(shift: ColumnShift): string {
  const words = differenceWords(shift);
  return shift.recurs === true ? `by the day of the week, as a week before: ${words}` : words;
}

function differenceWords(shift: ColumnShift): string {
  const { verdict, missing, unseen, range, dates = null, oneTime = null, most = null, kind } = shift;
  if (verdict === "UNTOLD") return "";
  const beyond = [...(dates === null ? [] : dateWords(dates)), ...(oneTime === null ? [] : [timeWords(oneTime)])];
  if (verdict === "ALIKE") return beyond.join("; ");
  const said = [
    // Where Unix times have shifted, the numbers say how.
    ...(kind === "date" ? beyond : []),
    ...partShiftWords(shift),
    ...unknownWords(shift),
    ...(range === null ? [] : rangeWords(range, kind === "text" ? " characters" : "")),
    ...pairWords(missing, "have no value"),
    ...(unseen === null || unseen.file < unseen.trained
      ? []
      : pairWords(unseen, "have a category that was not among the training rows")),
  ];
  // Where numbers lie otherwise, their ends and their middle have said it.
  if (most !== null && (kind === "category" || said.length === 0)) said.push(...mostWords(most, kind));
  if (said.length > 0) return said.join("; ");
  return kind === "category" ? "the shares of the categories differ" : "the values are distributed differently";
}

/** The part of a text that differs the most: a number in it, or the character at a place. */
function partShiftWords({ part: shifted }: ColumnShift): string[] {
  if (shifted === undefined) return [];
  const { part, missing, range, most = null } = shifted;
  const isCharacter = isCharacterPart(part);
  const said = [
    ...(range === null || isCharacter ? [] : rangeWords(range, "")),
    ...(most !== null && isCharacter ? pairWords(most, `are ${charactersWords(most.between!, range!.low)}`) : []),
    ...pairWords(missing, "are missing"),
  ];
  if (said.length === 0 && most !== null && !isCharacter) said.push(...mostWords(most, "number"));
  return said.length === 0 ? [] : [`${partWords(part)}: ${said.join(", ")}`];
}

/** The characters above one code, up to another. `lowest`: of training, which is in the first range. */
function charactersWords({ from, to }: Between, lowest: number): string {
  const codes = [from === lowest ? lowest : Math.floor(from!) + 1, Math.floor(to!)];
  const [first, last] = codes.map(characterName);
  return first === last ? first! : `${first} to ${last}`;
}

/** Half of a character, as emoji have at a place, is no text. */
function characterName(code: number): string {
  const character = String.fromCharCode(code);
  return character.isWellFormed() ? quotedName(character) : `U+${code.toString(16).toUpperCase()}`;
}

function unknownWords({ unknownTexts = 0, fewWords = null }: ColumnShift): string[] {
  const { least, trained } = fewWords ?? { least: 1, trained: 0 };
  if (unknownTexts < trained + LEAST_SHARE) return [];
  const few = least === 1 ? "without a word that the model knows" : `of fewer than ${least} words that the model knows`;
  const beside = fewWords === null ? "" : ` (training ${formatPercent(trained)})`;
  return [`${formatPercent(unknownTexts)} have a text ${few}${beside}`];
}

function dateWords({ from, to, earlier, later }: NonNullable<ColumnShift["dates"]>): string[] {
  return [
    ...(later >= LEAST_SHARE ? [`${formatPercent(later)} are later than ${to}, the latest in training`] : []),
    ...(earlier >= LEAST_SHARE ? [`${formatPercent(earlier)} are earlier than ${from}, the earliest in training`] : []),
  ];
}

function timeWords({ hours }: NonNullable<ColumnShift["oneTime"]>): string {
  if (hours === null) return "no date has a time of day; the model learned from its hour";
  return `all times lie between ${hours.from}:00 and ${hours.to}:59; the model learned from more hours`;
}

function pairWords({ trained, file }: { trained: number; file: number }, what: string): string[] {
  if (Math.abs(file - trained) < LEAST_SHARE) return [];
  return [`${formatPercent(file)} ${what} (training ${formatPercent(trained)})`];
}

function mostWords({ category, between, ...shares }: NonNullable<ColumnShift["most"]>, kind: string): string[] {
  if (category !== null)
    return pairWords(shares, category === "" ? "have a rarer category" : `are ${quotedName(category)}`);
  const { from, to } = between!;
  const unit = kind === "text" ? " characters" : "";
  return pairWords(shares, `lie at ${betweenWords({ from, to }, writerOf([from!, to!]))}${unit}`);
}

function rangeWords({ low, high, below, above, middle }: RangeShift, unit: string): string[] {
  const ends = [middle?.trained, middle?.file].flatMap((between) => [between?.from ?? low, between?.to ?? high]);
  const write = writerOf([low, high, ...ends]);
  const beyond = [
    ...(above >= LEAST_SHARE
      ? [`${formatPercent(above)} lie above ${write(high)}${unit}, the highest in training`]
      : []),
    ...(below >= LEAST_SHARE ? [`${formatPercent(below)} lie below ${write(low)}${unit}, the lowest in training`] : []),
  ];
  if (middle === null || isSame(middle.trained, middle.file)) return beyond;
  const moved = (middle.file.from ?? Number.NEGATIVE_INFINITY) > (middle.trained.from ?? Number.NEGATIVE_INFINITY);
  return [
    ...beyond,
    `the middle value is ${moved ? "higher" : "lower"}: ` +
      `${betweenWords(middle.file, write)}${unit} (training ${betweenWords(middle.trained, write)})`,
  ];
}

type Between = NonNullable<RangeShift["middle"]>["file"];

function isSame(a: Between, b: Between): boolean {
  return a.from === b.from && a.to === b.to;
}

function betweenWords({ from, to }: Between, write: (value: number) => string): string {
  if (from === null) return `below ${write(to!)}`;
  return to === null ? `above ${write(from)}` : `${write(from)} to ${write(to)}`;
}

/** How the file compares as a whole: one sentence. */
type Whole = Pick<WatchReport, "rowCount" | "decisions" | "confidence"> & {
  columns: readonly Parameters<typeof columnVerdict>[0][] | null;
};

export function watchSentence({ columns, rowCount, decisions, confidence }: Whole): string {
  if (columns === null) {
    return (
      "The model has no counts of its training rows: it was made by an earlier version. " +
      "Train again to compare files with them."
    );
  }
  const shifted = columns.filter(({ verdict }) => verdict === "SHIFTED").length;
  const slight = columns.filter(({ verdict }) => verdict === "SLIGHT").length;
  const rows = formatAmount(rowCount, "row");
  const judged = [...columns, decisions, confidence].filter((one) => one !== null);
  if (judged.every(({ verdict }) => verdict === "UNTOLD")) return `${rows}: too few to compare with the training rows.`;
  const of = `of ${formatAmount(columns.length, "column")}`;
  if (shifted > 0) return `${rows}: ${shifted} ${of} ${shifted === 1 ? "has" : "have"} shifted.`;
  if (slight > 0) return `${rows}: ${slight} ${of} ${slight === 1 ? "differs" : "differ"} a little; no alarm.`;
  const hasOtherDates = columns.some(({ verdict, difference }) => verdict === "ALIKE" && difference !== "");
  return `${rows}: no column differs from the training rows beyond chance${hasOtherDates ? ", but for other dates" : ""}.`;
}
