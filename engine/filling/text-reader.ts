// Reads the texts of a table in two passes over its files: the first finds
// the vocabulary, the second the terms of each row.

import { copyOf } from "../copy-text.ts";
import { rowsUpTo } from "../row-lists.ts";
import { sumOf } from "../sums.ts";
import type { LevelArray, ScoreFeature, Table } from "../table/table.ts";
import { scoreGroups } from "../table/text-scores.ts";
import { termName } from "../text/term-name.ts";
import { type Endings, NO_TERM, type TermNames, TermRowWriter, type TextColumn } from "../text/term-rows.ts";
import { TermTable } from "../text/term-table.ts";
import { PAIR_TERM, TermScanner, WORD_TERM } from "../text/terms.ts";
import { type CountedTexts, TextCounter, type TextProfile } from "../text/text-profile.ts";
import { columnLimits, MOST_TERMS, type Vocabulary } from "../text/vocabulary.ts";
import { UNSPACED_LETTER } from "../unspaced.ts";
import { type FilledFeature, ShapeWriter } from "./shape-writer.ts";
import { fileChanged } from "./table-filler.ts";

/** Texts with a median of at most this many words are codes and names. */
const FEW_WORDS = 2;

/** A word between spaces, without digits. */
const NAME = new RegExp(`^(?!${UNSPACED_LETTER})[\\p{L}\\p{M}][^\\p{N}]*$`, "v");

/** A column whose terms are read: its name, and its position in the file of the profile. */
export interface TextSource {
  name: string;
  column: number;
  /** Texts that count as missing in it. */
  missingTexts: ReadonlySet<string>;
}

/** Takes the rows of a table's files in order, each with its texts: once to count terms, once more to write them. */
export class TextReader {
  private readonly sources: readonly TextSource[];
  private readonly rowCount: number;
  private readonly scanner = new TermScanner();
  private counters: TextCounter[] = [];
  private countedRows = 0;
  private columns: TextColumnWriter[] = [];
  private row = 0;

  /** `rowCount`: rows of the table, those of all files together. */
  constructor(sources: readonly TextSource[], rowCount: number) {
    this.sources = sources;
    this.rowCount = rowCount;
    this.beginCounting();
  }

  /** Call before the first pass over the first file; again where its header is tried again. */
  beginCounting(): void {
    const { counted } = columnLimits(this.sources.length);
    this.counters = this.sources.map(() => new TextCounter(counted));
    this.countedRows = 0;
  }

  /** The trimmed texts of a row, one for each source. */
  countRow(texts: readonly string[]): void {
    this.countedRows++;
    for (const [at, text] of texts.entries()) {
      if (this.sources[at]!.missingTexts.has(text)) continue;
      this.scanner.scan(text);
      this.counters[at]!.add(text, this.scanner);
    }
  }

  /** The profiles found by the first pass, by source. */
  profiles(): TextProfile[] {
    const { entries } = columnLimits(this.sources.length);
    return this.counters.map((counter) => counter.finish(MOST_TERMS, entries).profile);
  }

  /** Call once between the passes. */
  beginWriting(): void {
    const { entries } = columnLimits(this.sources.length);
    // One after the other: what counted a column goes before the next one's rows have room.
    this.columns = this.sources.map(() => {
      const counted = this.counters.shift()!.finish(MOST_TERMS, entries);
      const { sources, rowCount, countedRows } = this;
      return new TextColumnWriter(counted, sources.length, rowCount, rowCount / Math.max(1, countedRows));
    });
  }

  /** Call before each file of the second pass, with its first row; again where its header is tried again. */
  beginFile(firstRow: number): void {
    this.row = firstRow;
    for (const column of this.columns) column.goBackTo(firstRow);
  }

  /**
   * The trimmed texts of a row, one for each source. @throws InputError
   * FILE_CHANGED where there are more rows than before
   */
  writeRow(texts: readonly string[]): void {
    if (this.row === this.rowCount) throw fileChanged();
    for (const [at, text] of texts.entries()) {
      this.scanner.scan(this.sources[at]!.missingTexts.has(text) ? "" : text);
      this.columns[at]!.add(this.scanner, text, this.row);
    }
    this.row++;
  }

  /**
   * The table with its texts and the features made of them, in the order of the file's columns.
   * Levels of shapes come from the first `trainRowCount` rows.
   */
  finish(table: Table, trainRowCount: number): Table {
    if (this.row !== this.rowCount) throw fileChanged();
    const rows = rowsUpTo(trainRowCount);
    const missing = new Uint8Array(new SharedArrayBuffer(this.rowCount));
    const features = table.features.map((feature, at): FilledFeature => ({ feature, levels: table.levels[at]! }));
    const texts: TextColumn[] = [];
    for (const [at, source] of this.sources.entries()) {
      const column = this.columns[at]!;
      const text = column.text(source);
      // A text of which no word is known has no shape either: a model file has its shape beside its terms.
      if (text.termCount === 0) continue;
      const made = [
        ...column.shapes.features(source, rows),
        ...scoreFeatures(text, source, table.labels.length, missing),
      ];
      features.push(...made);
      if (features.some(({ feature }) => feature.column === source.column)) texts.push(text);
    }
    features.sort((a, b) => a.feature.column - b.feature.column);
    return {
      ...table,
      features: features.map(({ feature }) => feature),
      levels: features.map(({ levels }) => levels),
      texts,
    };
  }
}

/** The terms and shapes of one column's texts. */
class TextColumnWriter {
  private readonly vocabulary: Vocabulary;
  private readonly profile: TextProfile;
  private readonly table: TermTable;
  private readonly rows: TermRowWriter;
  private readonly names: (string | undefined)[];
  readonly shapes: ShapeWriter;
  private readonly endings: Endings;

  /** `columnCount`: text columns of the table. `share`: rows of it for each row that was counted. */
  constructor(counted: CountedTexts, columnCount: number, rowCount: number, share: number) {
    const { vocabulary, profile } = counted;
    this.vocabulary = vocabulary;
    this.profile = profile;
    this.table = TermTable.of(vocabulary.keys);
    const entries = sumOf(vocabulary.rowCounts);
    this.rows = new TermRowWriter(vocabulary.keys.length / 2, rowCount, Math.ceil(share * entries));
    this.names = new Array(vocabulary.plainCount);
    this.shapes = new ShapeWriter(counted, rowCount, columnCount);
    this.endings = { words: noTerms(rowCount), pairs: noTerms(rowCount) };
  }

  goBackTo(rowCount: number): void {
    this.rows.goBackTo(rowCount);
  }

  add(scanner: TermScanner, text: string, row: number): void {
    const { table, rows, names, vocabulary } = this;
    const { words, pairs } = this.endings;
    const lastWord = lastWordOf(scanner);
    words[row] = NO_TERM;
    pairs[row] = NO_TERM;
    for (let at = 0; at < scanner.count; at++) {
      const term = table.find(scanner.low[at]!, scanner.high[at]!);
      if (term < 0) continue;
      if (at === lastWord) words[row] = term;
      if (at === lastWord + 1 && scanner.kinds[at] === PAIR_TERM) pairs[row] = term;
      rows.add(term);
      if (term < vocabulary.shownCount && names[term] === undefined) names[term] = copyOf(termName(scanner, at));
    }
    rows.endRow();
    if (scanner.text !== "") this.shapes.add(text, scanner.wordCount, row);
  }

  /** Call once, after the last row. */
  text({ column }: TextSource): TextColumn {
    const { vocabulary, profile, names } = this;
    const known = this.rows.rows(vocabulary.plainCount);
    return {
      ...known,
      weighedCount: profile.medianWords > FEW_WORDS ? known.plainCount : known.termCount,
      column,
      keys: shared(vocabulary.keys),
      shownCount: vocabulary.shownCount,
      names: packNames(names),
      profile,
      endings: this.endings,
    };
  }
}

/** The place among the terms of the last word without digits; -1 without one. */
function lastWordOf({ kinds, starts, ends, text, count }: TermScanner): number {
  for (let at = count - 1; at >= 0; at--)
    if (kinds[at] === WORD_TERM && NAME.test(text.slice(starts[at], ends[at]))) return at;
  return -1;
}

function noTerms(rowCount: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * rowCount)).fill(NO_TERM);
}

/** Features of the scores that each fit gives the terms anew: their levels are all `missing`. */
function scoreFeatures(
  { weighedCount }: TextColumn,
  { name, column }: TextSource,
  classCount: number,
  missing: LevelArray,
): FilledFeature[] {
  if (weighedCount === 0) return [];
  return scoreGroups(classCount).map((_, group) => {
    const feature: ScoreFeature = { kind: "score", name: `${name}.score.${group + 1}`, column, part: null, group };
    return { feature, levels: missing };
  });
}

function packNames(names: readonly (string | undefined)[]): TermNames {
  const encoder = new TextEncoder();
  const parts = Array.from(names, (name) => encoder.encode(name ?? ""));
  const ends = new Uint32Array(new SharedArrayBuffer(4 * parts.length));
  let size = 0;
  parts.forEach((part, at) => {
    size += part.length;
    ends[at] = size;
  });
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  parts.forEach((part, at) => {
    bytes.set(part, ends[at]! - part.length);
  });
  return { bytes, ends };
}

function shared(array: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
