// Warns of a number column that writes a number in several ways, such as versions 1.1 and 1.10, if their labels differ.
import { chiSquare } from "../chi-square.ts";
import { listedTexts } from "../columns/missing-advice.ts";
import { type NumberForm, readNumber } from "../columns/numbers.ts";
import { countCells, type OtherText } from "../columns/other-texts.ts";
import { quotedName } from "../csv/header.ts";
import { shellWord } from "../shell-word.ts";
import { upperGamma } from "../statistics/tail-probabilities.ts";
import { sumOf } from "../sums.ts";
import type { Warning } from "../warning.ts";
import type { LoggedCells } from "./cell-log.ts";
import type { ColumnScan } from "./column-scan.ts";

/** More distinct texts are measurements, no versions or codes. */
const MOST_TEXTS = 256;
/** Chance of a warning about a table whose writings mean the same. */
const CHANCE = 0.001;
/** Fewer expected cells make the chi-squared test unsafe (Cochran 1954). */
const LEAST_EXPECTED = 5;
const EXAMPLES = 2;

interface Writing extends OtherText {
  id: number;
}

/**
 * Returns ALIKE_NUMBERS, or null: also where the first pass logged no cells. `columnCount`: columns that are looked at.
 * O(cells) for a column that writes a number in several ways, O(texts) for the others.
 */
export function alikeNumbersWarning(
  column: string,
  scan: ColumnScan,
  form: NumberForm,
  label: ColumnScan,
  columnCount: number,
): Warning | null {
  if (scan.sample !== null || scan.dictionary.size > MOST_TEXTS) return null;
  const groups = severalWritings(scan, form);
  if (groups.length === 0) return null;
  const counts = jointCounts(scan, label);
  if (counts === null) return null;
  const tests = groups.map((group) => chiSquaredOf(group.map(({ id }) => counts[id]!)));
  const chiSquared = sumOf(tests.map((test) => test.chiSquared));
  const freedom = sumOf(tests.map((test) => test.freedom));
  if (freedom === 0 || upperGamma(freedom / 2, chiSquared / 2) * columnCount > CHANCE) return null;
  const frequent = groups.toSorted((a, b) => countCells(b) - countCells(a)).slice(0, EXAMPLES);
  const message =
    `Column ${quotedName(column)} is read as numbers, so that it does not tell ${frequent.map(listedTexts).join(", nor ")} ` +
    "apart, although their labels differ beyond chance. If these are versions or codes, say so: " +
    `--kind=${shellWord(`${column}=category`)} or, in the API, kind in columnChoices.`;
  return { code: "ALIKE_NUMBERS", message, column, count: countCells(groups.flat()) };
}

/** The texts of each number that has several, without regard to blanks and signs. */
function severalWritings({ dictionary, markers }: ColumnScan, form: NumberForm): Writing[][] {
  const byValue = new Map<number, Writing[]>();
  for (let id = 0; id < dictionary.size; id++) {
    const text = dictionary.textOf(id);
    const value = markers.texts.has(text) ? Number.NaN : readNumber(text, form);
    if (!Number.isFinite(value)) continue;
    const writing = { id, text, count: dictionary.countOf(id), line: dictionary.firstLineOf(id) };
    const others = byValue.get(value);
    if (others === undefined) byValue.set(value, [writing]);
    else others.push(writing);
  }
  return [...byValue.values()].filter((group) => new Set(group.map(({ text }) => bareText(text))).size > 1);
}

function bareText(text: string): string {
  return text.replaceAll(/[\s+-]/g, "");
}

/** Cells of each text, by the number of the label's text; null where the logs do not tell. */
function jointCounts(scan: ColumnScan, label: ColumnScan): Map<number, number>[] | null {
  const cells = scan.log?.peek() ?? null;
  const labels = label.log?.peek() ?? null;
  if (cells === null || labels === null || scan.log!.hasValues || label.log!.hasValues) return null;
  const { dictionary, markers } = label;
  const isMissing = Array.from({ length: dictionary.size }, (_, id) => markers.texts.has(dictionary.textOf(id)));
  const counts = Array.from({ length: scan.dictionary.size }, () => new Map<number, number>());
  const labelOf = cellsIn(labels);
  for (const part of cells) {
    for (let at = 0; at < part.length; at++) {
      const labelId: number = labelOf.next().value!;
      if (isMissing[labelId]) continue;
      const ofText = counts[part[at]!]!;
      ofText.set(labelId, (ofText.get(labelId) ?? 0) + 1);
    }
  }
  return counts;
}

function* cellsIn(parts: readonly LoggedCells[]): Generator<number, undefined> {
  for (const part of parts) yield* part;
}

/**
 * Pearson's statistic of writings by labels, and its degrees of freedom. Rare labels count as one; without enough cells
 * there is nothing to test.
 */
function chiSquaredOf(writings: readonly Map<number, number>[]): { chiSquared: number; freedom: number } {
  const rows = writings.map((counts) => sumOf([...counts.values()]));
  const leastShare = Math.min(...rows) / sumOf(rows);
  const labels = [...new Set(writings.flatMap((counts) => [...counts.keys()]))];
  const sizeOf = (wanted: readonly number[]) =>
    writings.map((counts) => sumOf(wanted.map((label) => counts.get(label) ?? 0)));
  const isFrequent = (counts: readonly number[]) => leastShare * sumOf(counts) >= LEAST_EXPECTED;
  const frequent = labels.filter((name) => isFrequent(sizeOf([name])));
  const others = sizeOf(labels.filter((name) => !frequent.includes(name)));
  const columns = [...frequent.map((name) => sizeOf([name])), ...(isFrequent(others) ? [others] : [])];
  if (columns.length < 2) return { chiSquared: 0, freedom: 0 };
  const kept = rows.map((_, row) => sumOf(columns.map((column) => column[row]!)));
  const chiSquared = chiSquare(columns.flat(), columns.map(sumOf), kept, sumOf(kept));
  return { chiSquared, freedom: (columns.length - 1) * (rows.length - 1) };
}
