// Rewrites our own CSV for spreadsheets as a stream: disarms cells that they would run as a formula.
import { spreadsheetSafe } from "./write.ts";

const QUOTE = 34;
const COMMA = 44;
const LINE_FEED = 10;

/** Matches, in text without quotes and tabs, a cell or the part after a `;` in it that may have to be disarmed. */
const SUSPECT = /(?<![^,;\n])[^\S\n]*[=+\-@＝＋－＠][^,;\n]*/g;

/**
 * Takes text as `formatRecord` writes it with commas and LF, in pieces of any size, and returns the same records with
 * each cell made safe. Holds back a line or a quoted cell, however long, until it is complete.
 */
export class SpreadsheetSafeText {
  private rest = "";

  push(piece: string): string {
    const text = this.rest + piece;
    if (!/["\t]/.test(text)) {
      const end = text.lastIndexOf("\n") + 1;
      this.rest = text.slice(end);
      return text.slice(0, end).replace(SUSPECT, spreadsheetSafe);
    }
    let safe = "";
    let at = 0;
    for (let end = cellEnd(text, at); end >= 0; end = cellEnd(text, at)) {
      safe += safeCell(text.slice(at, end)) + text[end]!;
      at = end + 1;
    }
    this.rest = text.slice(at);
    return safe;
  }

  /** Returns the rest, which no line end follows. */
  end(): string {
    return this.push("\n").slice(0, -1);
  }
}

/** Returns the index of the comma or line end after a cell; -1 where the cell is not complete. */
function cellEnd(text: string, start: number): number {
  let at = start;
  if (text.charCodeAt(start) === QUOTE) {
    do {
      at = text.indexOf('"', at + 1) + 1;
      if (at === 0) return -1;
      // Two quotes are one of the cell.
    } while (text.charCodeAt(at) === QUOTE);
  }
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === LINE_FEED) return at;
  }
  return -1;
}

/** Makes a written cell safe. Quotes around it stay; an apostrophe needs none. */
function safeCell(written: string): string {
  if (!written.startsWith('"')) return spreadsheetSafe(written);
  const cell = written.slice(1, -1).replaceAll('""', '"');
  return `"${spreadsheetSafe(cell).replaceAll('"', '""')}"`;
}
