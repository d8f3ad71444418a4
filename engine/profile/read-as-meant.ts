// Decides what a column is where nearly all of its cells are numbers or dates and the others are texts that recur, such
// as "k. A.", or bounds, such as "<0.5"; then what its points mean where only the other columns tell.

import type { CellEvidence } from "../columns/cell-evidence.ts";
import { listedTexts, missingAdvice } from "../columns/missing-advice.ts";
import { FITS_DECIMAL_COMMA, FITS_PLAIN, FITS_POINT_GROUPS, readNumber } from "../columns/numbers.ts";
import { countCells, isBound, type OtherText, recurs, saysNoNumber, withTexts } from "../columns/other-texts.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import type { ColumnFacts } from "./column-facts.ts";
import { decideKind, type KindDecision } from "./kind.ts";
import type { ColumnKind } from "./profile.ts";

/** Texts in more of the cells than this are a part of what the column says. */
const MISSING_SHARE = 0.1;
const MOST_TEXTS = 5;
/** Fewer distinct numbers may be codes, and the texts a code like them. */
const LEAST_VALUES = 5;
/**
 * A column with fewer numbers than this share of its cells, or fewer distinct ones, may well be meant as a category.
 */
const MIXED_SHARE = 0.5;
const LEAST_MIXED_VALUES = 20;
/** A header stands in one of these lines, or units do. */
const MOST_LINES_ABOVE = 12;
/** Texts above fewer cells are as likely to be among them. */
const LEAST_CELLS_BELOW = 20;

export interface MeantDecision extends KindDecision {
  /** The evidence that the decision rests on. */
  evidence: CellEvidence;
  /** The column's own texts that count as missing. */
  missing: readonly OtherText[];
}

/** The kind that the cells show where the user's choice of one is left aside; null where none was chosen. */
export function foundKindOf(facts: ColumnFacts, others: readonly OtherText[]): ColumnKind | null {
  const { choice } = facts;
  if (choice?.kind === undefined) return null;
  const { kind: _, ...without } = choice;
  return decideAsMeant({ ...facts, choice: without }, others).kind;
}

/**
 * Decides how a column is meant. The evidence in `facts` leaves the texts in `others` out, but `distinct` and
 * `mostDistinct` count them.
 *
 * @throws InputError KIND_UNREADABLE, see `decideKind`
 */
export function decideAsMeant(facts: ColumnFacts, others: readonly OtherText[]): MeantDecision {
  const bounds = others.filter(isBound);
  return (bounds.length === 0 ? null : decideBounded(facts, bounds, others)) ?? decideUnbounded(facts, others);
}

/** Reads bounds as numbers beside the others; null where they are no column of numbers. */
function decideBounded(
  facts: ColumnFacts,
  bounds: readonly OtherText[],
  others: readonly OtherText[],
): MeantDecision | null {
  const values = withoutTexts(facts, bounds.length);
  const rest = others.filter((other) => !bounds.includes(other));
  const decision = decideUnbounded(values, rest);
  const { reading, warnings } = decision;
  if (reading.kind !== "number" || (values.distinct < LEAST_VALUES && facts.choice?.kind !== "number")) return null;
  if (!bounds.every(({ text }) => Number.isFinite(readNumber(text, reading.form)))) return null;
  return { ...decision, warnings: [...warnings, boundsWarning(facts.name, bounds)] };
}

function boundsWarning(column: string, bounds: readonly OtherText[]): Warning {
  const line = firstLine(bounds);
  const message =
    `Column ${quotedName(column)} holds bounds beside its numbers: ${listedTexts(bounds)}, the first in line ${line}. ` +
    "Each is read as a number just beyond its own.";
  return { code: "BOUNDS_AS_NUMBERS", message, line, column, count: countCells(bounds) };
}

function decideUnbounded(facts: ColumnFacts, others: readonly OtherText[]): MeantDecision {
  const chosen = facts.choice?.missingTexts;
  if (chosen !== undefined) return withChosen(decideAsWritten(facts, others), chosen);
  const cells = facts.evidence.cells + countCells(others);
  const meant = decideWithout(facts, others, cells);
  if (meant !== null) return meant;
  const written = decideAsWritten(facts, others);
  if (others.length === 0 || written.reading.kind !== "category" || facts.choice?.kind !== undefined) return written;
  const warning = mixedWarning(facts, others, cells);
  return warning === null ? written : { ...written, warnings: [...written.warnings, warning] };
}

/** The reading that has the user's missing texts, which the evidence does not count. */
function withChosen(decision: MeantDecision, missingTexts: readonly string[]): MeantDecision {
  if (missingTexts.length === 0) return decision;
  return { ...decision, reading: { ...decision.reading, missingTexts } };
}

/**
 * Reads points as marks of thousands where all cells of a column allow this as well as decimal points and some show
 * it, and where more of the other columns have decimal commas than decimal points (D75). Null: a column without a say.
 */
export function decideTogether(names: readonly string[], decisions: readonly (MeantDecision | null)[]) {
  const signs = decisions.map((decision) => (decision === null ? null : decimalSignOf(decision)));
  const commas = signs.filter((sign) => sign === ",").length;
  if (commas <= signs.filter((sign) => sign === ".").length) return decisions;
  const witness = names[signs.indexOf(",")]!;
  return decisions.map((decision, at): MeantDecision | null => {
    if (decision?.reading.kind !== "number" || !mayGroup(decision)) return decision;
    const form = { ...decision.reading.form, decimal: ",", grouping: "." } as const;
    const message =
      `The points in column ${quotedName(names[at]!)} could be decimal points or mark thousands; they are read as ` +
      `marks of thousands, 1.234 as 1234, because column ${quotedName(witness)} has decimal commas. ` +
      "If they are decimal points, write them as commas too.";
    const warning = { code: "AMBIGUOUS_NUMBER", message, column: names[at]! };
    return { ...decision, reading: { ...decision.reading, form }, warnings: [...decision.warnings, warning] };
  });
}

/** The decimal sign that the cells of a column show; null where they show none. */
function decimalSignOf({ reading, evidence }: MeantDecision): "." | "," | null {
  if (reading.kind !== "number") return null;
  const { decimal } = reading.form;
  const other = FITS_DECIMAL_COMMA | (evidence.separators & FITS_POINT_GROUPS);
  return decimal === "." && (evidence.bodies === 0 || (evidence.bodies & other) !== 0) ? null : decimal;
}

/** Whether all cells are plain numbers, and some of them with a point that may mark thousands. */
function mayGroup({ evidence: { bodies, separators } }: MeantDecision): boolean {
  return (bodies & FITS_PLAIN) !== 0 && (bodies & separators & FITS_POINT_GROUPS) !== 0;
}

/**
 * The line of the last text above a column's numbers or dates; null where it has neither, where no text is above them,
 * or where texts stand among them.
 */
export function lineAboveNumbers(facts: ColumnFacts, others: readonly OtherText[]): number | null {
  const last = others.reduce((line, other) => Math.max(line, other.line), 0);
  const areFew = facts.evidence.cells < LEAST_CELLS_BELOW;
  if (last === 0 || last > MOST_LINES_ABOVE || areFew || others.some(recurs)) return null;
  return decideKind(withoutTexts(facts, others.length)).reading.kind === "category" ? null : last;
}

/** Every text counts as a value, as in a label. */
export function decideAsWritten(facts: ColumnFacts, others: readonly OtherText[]): MeantDecision {
  const evidence = withTexts(facts.evidence, others);
  return { ...decideKind({ ...facts, evidence, recurring: others.filter(recurs) }), evidence, missing: [] };
}

/**
 * Returns the decision that takes the texts that recur as missing; null where that makes no column of numbers or dates.
 */
function decideWithout(facts: ColumnFacts, others: readonly OtherText[], cells: number): MeantDecision | null {
  const missing = others.filter((other) => recurs(other) && saysNoNumber(other.text)).slice(0, MOST_TEXTS);
  if (missing.length === 0 || countCells(others) > MISSING_SHARE * cells) return null;
  const strays = others.filter((other) => !missing.includes(other));
  const evidence = withTexts(facts.evidence, strays);
  const valueFacts = { ...withoutTexts(facts, missing.length), evidence, recurring: strays.filter(recurs) };
  if (valueFacts.distinct < LEAST_VALUES) return null;
  const decision = decideKind(valueFacts);
  // Running numbers stay identifiers where some are missing.
  if (decision.kind === "identifier" && evidence.allIntegers) return { ...decision, evidence, missing };
  if (decision.reading.kind === "category") return null;
  const reading = { ...decision.reading, missingTexts: missing.map(({ text }) => text) };
  const warnings = [...decision.warnings, missingWarning(facts.name, reading, missing)];
  return { ...decision, reading, evidence, missing, warnings };
}

function withoutTexts(facts: ColumnFacts, textCount: number): ColumnFacts {
  const { distinct, mostDistinct } = facts;
  return { ...facts, distinct: distinct - textCount, mostDistinct: mostDistinct - textCount };
}

function missingWarning(column: string, reading: ColumnReading, missing: readonly OtherText[]): Warning {
  const line = firstLine(missing);
  const message =
    `Column ${quotedName(column)} holds ${whatIn(reading)} except for ${listedTexts(missing)}, ` +
    `the first in line ${line}; ${missing.length === 1 ? "this text counts" : "these texts count"} as missing.`;
  return { code: "TEXT_AS_MISSING", message, line, column, count: countCells(missing) };
}

/** Returns null where the column is well a category. */
function mixedWarning(facts: ColumnFacts, others: readonly OtherText[], cells: number): Warning | null {
  const values = withoutTexts(facts, others.length);
  const { kind, reading } = decideKind(values);
  const isNumbers = reading.kind !== "category" || (kind === "identifier" && facts.evidence.allIntegers);
  const share = facts.evidence.cells / cells;
  if (!isNumbers || share < MIXED_SHARE || values.distinct < LEAST_MIXED_VALUES) return null;
  const line = firstLine(others);
  const named = others.filter(recurs);
  const names = named.length === 0 ? "" : `, such as ${listedTexts(named)}`;
  const message =
    `Column ${quotedName(facts.name)} holds ${whatIn(reading)} in ${Math.floor(100 * share)}% of its ` +
    `cells and texts in the others${names}; the first is in line ${line}. It is not read as ${whatIn(reading)}. ` +
    `${missingAdvice(named)}`;
  return { code: "MIXED_COLUMN", message, line, column: facts.name, count: countCells(others) };
}

function whatIn(reading: ColumnReading): string {
  return reading.kind === "date" ? "dates" : "numbers";
}

function firstLine(texts: readonly OtherText[]): number {
  return texts.reduce((first, { line }) => Math.min(first, line), Number.POSITIVE_INFINITY);
}
