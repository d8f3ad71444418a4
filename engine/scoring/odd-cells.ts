// Cells that a model cannot take as they are written: counted, and told with the first of each sort.
import type { OtherText } from "../columns/other-texts.ts";
import { copyOf } from "../copy-text.ts";
import { listNames, quotedName } from "../csv/header.ts";
import { asSeen, unseenDifference } from "../csv/unseen-characters.ts";
import type { Warning } from "../warning.ts";
import { shownCell } from "./shown-cell.ts";

const CODES = ["UNSEEN_CATEGORY", "NOT_READ", "NO_KNOWN_TERM", "NEW_MISSING"] as const;
/** Categories of the model that a message shows. */
const KNOWN_SHOWN = 3;

type OddCode = (typeof CODES)[number];

/** A cell that the model could not take as written: the codes are those of the warnings. */
export interface OddCell {
  /** Its row, numbered as the written codes are. */
  row: number;
  /** Index among the model's columns. */
  column: number;
  code: OddCode;
}

/** The odd cells of a file's columns, which are noted in the order of the file. */
export class OddCells {
  /** By column, then by sort. */
  private found: readonly Record<OddCode, OtherText>[] = [];
  /** Rows without a value in any column of the model, and where the first stands. */
  private empty = { count: 0, line: 0 };
  /** Null where nobody asks for them one by one. */
  private list: OddCell[] | null = null;
  /** The word for where cells stand: a line of a file, or a row of JSON. */
  place: "line" | "row" = "line";

  constructor(columnCount: number) {
    this.found = nothingFound(columnCount);
  }

  /** Sets all counts back to 0; cells are listed from now on. */
  beginAnew(): OddCell[] {
    this.found = nothingFound(this.found.length);
    this.empty = { count: 0, line: 0 };
    this.list = [];
    return this.list;
  }

  note(code: OddCode, column: number, row: number, line: number, text: string): void {
    const known = this.found[column]![code];
    if (known.count++ === 0) {
      known.line = line;
      known.text = copyOf(text);
    }
    this.list?.push({ row, column, code });
  }

  noteEmptyRow(line: number): void {
    if (this.empty.count++ === 0) this.empty.line = line;
  }

  of(column: number, code: OddCode): Readonly<OtherText> {
    return this.found[column]![code];
  }

  /** EMPTY_ROWS, then one for each sort of odd cells in a column. `knownIn`: the categories that the model knows. */
  warnings(columns: readonly { name: string }[], knownIn: (column: number) => readonly string[]): Warning[] {
    const ofCells = columns.flatMap(({ name }, column) =>
      CODES.flatMap((code) => {
        const found = this.of(column, code);
        if (found.count === 0) return [];
        const what = this.words(code, found, () => knownIn(column));
        const message = `Column ${quotedName(name)}: ${cells(found.count)} ${what}`;
        const where = this.place === "line" ? { line: found.line } : {};
        return [{ code, message, ...where, column: name, count: found.count }];
      }),
    );
    return [...this.emptyWarnings(), ...ofCells];
  }

  private emptyWarnings(): Warning[] {
    const { count, line } = this.empty;
    if (count === 0) return [];
    const [rows, where, answers] =
      count === 1
        ? ["1 row has", "it stands", "its answer"]
        : [`${count} rows have`, "the first stands", "their answers"];
    const message =
      `${rows} no value in any column that the model uses; ${where} in ${this.place} ${line}. ` +
      `Do not rely on ${answers}.`;
    return [{ code: "EMPTY_ROWS", message, ...(this.place === "line" && { line }), count }];
  }

  private words(code: OddCode, { count, line, text }: OtherText, knownTexts: () => readonly string[]): string {
    const where = `in ${this.place} ${line}`;
    const which = count === 1 ? "it" : "the first";
    const first = `${which} stands ${where}`;
    switch (code) {
      case "UNSEEN_CATEGORY": {
        const lacking = "a category that the training file did not have";
        const names = knownTexts();
        const alike = knownAs(text, names);
        if (alike !== null)
          return `${lacking}; ${which} is ${quotedName(text)} ${where}. The model knows it as ${alike}.`;
        return `${lacking}; ${first}. The model knows ${names.length === 0 ? "none" : listNames(names, KNOWN_SHOWN)}.`;
      }
      case "NOT_READ": {
        const shown = shownCell(text);
        const placeWords = shown === null ? first : `${which} is ${shown} ${where}`;
        return `text that does not fit the column's form, taken as missing; ${placeWords}.`;
      }
      case "NO_KNOWN_TERM":
        return `a text without a word that the model knows; ${first}.`;
      case "NEW_MISSING":
        return `no value, which no training row had; ${first}.`;
    }
  }
}

/**
 * The known category that is written nearly so, and how the file's differs where that cannot be seen; null for none. A
 * category that is like no known one is not shown: it may be a name.
 */
function knownAs(text: string, known: readonly string[]): string | null {
  const folded = fold(text);
  const alike = known.find((name) => fold(name) === folded);
  if (alike === undefined) return null;
  const difference = unseenDifference(alike, text);
  return `${quotedName(alike)}${difference === null ? "" : `; the file has it ${difference}`}`;
}

/** Leaves out what spreadsheets and exports change: case, blanks, characters that cannot be seen, leading zeros. */
function fold(text: string): string {
  return asSeen(text)
    .replaceAll(" ", "")
    .replace(/^0+(?=\d)/, "")
    .toLowerCase();
}

function nothingFound(columnCount: number): Record<OddCode, OtherText>[] {
  const none = (): OtherText => ({ count: 0, line: 0, text: "" });
  return Array.from({ length: columnCount }, () => ({
    ...{ UNSEEN_CATEGORY: none(), NOT_READ: none(), NO_KNOWN_TERM: none(), NEW_MISSING: none() },
  }));
}

function cells(count: number): string {
  return count === 1 ? "1 cell has" : `${count} cells have`;
}
