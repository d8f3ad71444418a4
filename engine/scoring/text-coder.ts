// Texts of a file to what a model reads of them: the codes of their shape and scores, and their terms.

import type { ModelFeature, ModelText } from "../model/model-file.ts";
import { type CodeArray, codeOfNumber } from "../table/buckets.ts";
import { scoreRow } from "../table/text-scores.ts";
import { isOfText, partReader } from "../table/text-shape.ts";
import { numbersInside } from "../text/numbers-inside.ts";
import { type TermRows, TermRowWriter } from "../text/term-rows.ts";
import { TermTable } from "../text/term-table.ts";
import { TermScanner } from "../text/terms.ts";

/** A feature of a text column, and its place among the model's features. */
interface TextFeature {
  index: number;
  source: Extract<ModelFeature, { kind: "number" | "score" }>;
  /** Null for a score. */
  read: ReturnType<typeof partReader>;
}

/** Takes the texts of one column row by row. */
export class TextCoder {
  readonly text: ModelText;
  private readonly features: readonly TextFeature[];
  readonly table: TermTable;
  readonly scanner = new TermScanner();
  private readonly rows: TermRowWriter;
  private isTaken = false;
  /** Characters of the text that was added last; NaN of an empty one. */
  characterCount = Number.NaN;
  /** Its words and pairs of words that the model knows, each once. */
  wordCount = 0;
  /** The numbers inside it. */
  numbers: readonly number[] = [];
  /** Texts of the rows since the last `take`; null where nobody asks for them. */
  private texts: string[] | null;

  /** `keepsTexts`: whether the texts are kept until `take`, for the names of their terms. */
  constructor(text: ModelText, features: readonly ModelFeature[], keepsTexts: boolean) {
    this.text = text;
    this.texts = keepsTexts ? [] : null;
    this.features = features.flatMap((source, index) =>
      source.column === text.column && isOfText(source) ? [{ index, source, read: partReader(source.part) }] : [],
    );
    this.table = TermTable.of(text.keys);
    this.rows = new TermRowWriter(text.keys.length / 2);
  }

  /**
   * The next row's text, trimmed; an empty one where it is missing. Returns
   * false where it has no term that the model knows.
   */
  add(text: string, codes: readonly CodeArray[], at: number): boolean {
    const { scanner, table, rows, features } = this;
    if (this.isTaken) rows.goBackTo(0);
    this.isTaken = false;
    scanner.scan(text);
    this.texts?.push(text);
    let isKnown = false;
    for (let found = 0; found < scanner.count; found++) {
      const term = table.find(scanner.low[found]!, scanner.high[found]!);
      if (term < 0) continue;
      isKnown = true;
      rows.add(term);
    }
    rows.endRow();
    this.characterCount = text === "" ? Number.NaN : text.length;
    const terms = rows.lastRow();
    // Pieces of words come after the words.
    const firstPiece = terms.findIndex((term) => term >= this.text.plainCount);
    this.wordCount = firstPiece < 0 ? terms.length : firstPiece;
    // A twentieth of what the terms take, so nobody asks whether a feature needs them.
    this.numbers = numbersInside(text);
    for (const { index, source, read } of features) {
      const value =
        source.kind === "score"
          ? scoreRow(terms, 0, terms.length, { bias: source.bias, weights: source.scoreWeights })
          : text === ""
            ? Number.NaN
            : read!(text, scanner.wordCount, this.numbers);
      codes[index]![at] = codeOfNumber(value, source.cutPoints);
    }
    return isKnown;
  }

  /**
   * The terms of the rows since the last call, valid until the next text is
   * added, and their texts where these are kept.
   */
  take(): TakenTexts {
    this.isTaken = true;
    const texts = this.texts ?? [];
    if (this.texts !== null) this.texts = [];
    return { rows: this.rows.rows(this.text.plainCount), texts };
  }
}

/** The rows of a text column as terms. */
export interface TakenTexts {
  rows: TermRows;
  texts: readonly string[];
}
