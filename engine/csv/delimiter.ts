// Finds the delimiter: from a `sep=` line, from the first records of a file, or from the header of a live feed.

import { InputError } from "../input-error.ts";
import { repairNames } from "./header.ts";
import { SNIFF_CHARS } from "./limits.ts";
import { collectRecords } from "./records.ts";

/** Delimiters that a reader may guess. The kernel can cut cells by them. */
export const GUESSED_DELIMITERS: readonly string[] = [",", ";", "\t", "|"];
const DEFAULT_DELIMITER = ",";
/** A candidate with fewer records like the header cannot read the file. */
const LEAST_EVEN = 0.5;
/** Records of a table below its title; a few more lines of the title may be among them. */
const LEAST_BELOW_TITLE = 0.8;
/** The order for files without a header, or below a title. Commas come last: commas in data may be decimal commas. */
const WITHOUT_NAMES = [";", "\t", "|", ","] as const;

/**
 * Returns the delimiter of a first line `sep=X` and the length of that line with its line end; null where there is no
 * such line. X is any character but a quote, a line end or a byte order mark. `atEnd`: no more text follows.
 */
export function separatorLine(text: string, atEnd: boolean): { delimiter: string; charCount: number } | null {
  const match = /^sep=([^"\r\n\uFEFF])(\r\n?|\n|$)/i.exec(text);
  if (match === null || (match[2] === "" && !atEnd)) return null;
  return { delimiter: match[1]!, charCount: match[0].length };
}

/**
 * Returns the delimiter that makes the best table of the first SNIFF_CHARS of text: several names in the header, then
 * sound quoting, then the most records with as many cells as the header, then the most cells, then the order `,` `;`
 * tab `|`. Where none makes a table, because a title stands above it, returns the candidate that makes one of the other
 * records, so that reading refuses the title, not a label of too many values. Returns a comma where no candidate
 * separates anything, and null while more text is needed. Without a header, a comma loses against another candidate
 * that makes as good a table, because it may be a decimal comma.
 */
export function sniffDelimiter(text: string, atEnd: boolean, hasHeader: boolean): string | null {
  if (text.length <= SNIFF_CHARS && !atEnd) return null;
  const scores = new Map<string, Score>();
  const tables = new Set<string>();
  for (const candidate of GUESSED_DELIMITERS) {
    // The header has several cells by none that the text lacks.
    if (!text.includes(candidate)) continue;
    const trial = tryDelimiter(text, candidate, atEnd);
    const score = scoreOf(trial);
    if (score !== null) scores.set(candidate, score);
    else if (hasHeader && isBelowTitle(trial)) tables.add(candidate);
  }
  const belowTitle = WITHOUT_NAMES.find((candidate) => tables.has(candidate)) ?? null;
  const [first, ...others] = scores.entries();
  if (first === undefined) return belowTitle ?? DEFAULT_DELIMITER;
  const [best, bestScore] = others.reduce((one, other) => (compare(other[1], one[1]) > 0 ? other : one), first);
  if (belowTitle !== null && bestScore.evenShare < LEAST_EVEN) return belowTitle;
  if (hasHeader || best !== DEFAULT_DELIMITER) return best;
  const isNoWorse = (candidate: string) => {
    const score = scores.get(candidate);
    return score !== undefined && (bestScore.isBroken || !score.isBroken) && score.evenShare >= bestScore.evenShare;
  };
  return WITHOUT_NAMES.find(isNoWorse) ?? best;
}

/**
 * Returns the delimiter under which the header holds the most expected names, then the most names. Without a header,
 * the one that makes the most of the expected columns; a comma loses where several make as many. Returns null until the
 * first record is complete under every candidate, so that the decision does not depend on how the text arrives.
 */
export function delimiterByNames(
  text: string,
  atEnd: boolean,
  expected: ReadonlySet<string>,
  hasHeader = true,
): string | null {
  const undecided = !atEnd && text.length <= SNIFF_CHARS;
  if (undecided && !/[\r\n]/.test(text)) return null;
  let best: string = DEFAULT_DELIMITER;
  let bestMatchCount = 0;
  let bestCellCount = 1;
  for (const candidate of hasHeader ? GUESSED_DELIMITERS : WITHOUT_NAMES) {
    const { records, isBroken } = tryDelimiter(text, candidate, atEnd);
    const header = hasHeader ? records[0] : records[0]?.map(() => "");
    if (header === undefined) {
      if (undecided && !isBroken) return null;
      continue;
    }
    const matchCount = repairNames(header).names.filter((name) => expected.has(name)).length;
    const hasMore = hasHeader && matchCount === bestMatchCount && header.length > bestCellCount;
    if (matchCount > bestMatchCount || hasMore) {
      best = candidate;
      bestMatchCount = matchCount;
      bestCellCount = header.length;
    }
  }
  return best;
}

interface Trial {
  records: string[][];
  /** The line where each record starts, from 1. */
  lines: number[];
  isBroken: boolean;
}

/** Splits the first SNIFF_CHARS by a delimiter, up to the first fault. */
export function tryDelimiter(text: string, delimiter: string, atEnd: boolean): Trial {
  const { splitter, records, lines } = collectRecords(delimiter);
  try {
    splitter.push(text.slice(0, SNIFF_CHARS));
    if (text.length > SNIFF_CHARS) {
      // Where the header is longer than the sample, the part of it that was seen counts.
      if (records.length === 0) splitter.push("\n");
    } else if (atEnd) splitter.end();
    return { records, lines, isBroken: false };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { records, lines, isBroken: true };
  }
}

interface Score {
  isBroken: boolean;
  evenShare: number;
  cellCount: number;
}

/** Returns null where the header has one cell. */
function scoreOf({ records, isBroken }: Trial): Score | null {
  const cellCount = records[0]?.length ?? 0;
  if (cellCount < 2) return null;
  const evenCount = records.filter((record) => record.length === cellCount).length;
  return { isBroken, evenShare: evenCount / records.length, cellCount };
}

/**
 * Tells whether the first record is one cell of several words, a rule or a comment, and nearly all others have several
 * cells, as many each.
 */
function isBelowTitle({ records: [first = [], ...others] }: Trial): boolean {
  // One word may be the name of the only column, whose cells hold such signs.
  if (first.length !== 1 || !/\S\s+\S|^\s*[^\p{L}\p{N}\s]/u.test(first[0]!)) return false;
  const cellCount = others[others.length >> 1]?.length ?? 0;
  const evenCount = others.filter((record) => record.length === cellCount).length;
  return cellCount > 1 && evenCount > 1 && evenCount >= LEAST_BELOW_TITLE * others.length;
}

function compare(a: Score, b: Score): number {
  if (a.isBroken !== b.isBroken) return a.isBroken ? -1 : 1;
  return a.evenShare - b.evenShare || a.cellCount - b.cellCount;
}
