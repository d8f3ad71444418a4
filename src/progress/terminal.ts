// Progress on a terminal: one or two lines redrawn in place, with the characters and colours that the terminal has.

import { printable } from "../common/printable.ts";
import { wrapped } from "../common/wrapped.ts";
import { type ProgressClock, ProgressState } from "./progress-state.ts";
import type { ProgressView } from "./progress-view.ts";

/** `columns` is asked before every redraw, since windows change size. */
export interface TerminalTraits {
  columns: () => number;
  color: boolean;
  ascii: boolean;
}

interface Output {
  write(text: string): unknown;
}

/** Runs something again and again until the function it returns is called. */
type Repeat = (run: () => void, everyMs: number) => () => void;

/** At most ten redraws a second: nobody can read more. */
const LEAST_MS_BETWEEN_DRAWS = 100;
/** Time between redraws while nothing happens, so that the time left counts down. */
const TICK_MS = 250;
/** From this width on, both halves fit on one line. */
const ONE_LINE_COLUMNS = 150;
const SHORTEST_BAR = 8;
const LONGEST_BAR = 28;
/** Space for the words beside the bar, so that the bar keeps its length. */
const WORDS_WIDTH = 38;

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_LINE_END = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

const STYLES = { plain: "", strong: "\u001b[1m", bar: "\u001b[36m", best: "\u001b[33m", faint: "\u001b[2m" } as const;
const STYLE_END = "\u001b[0m";

interface Span {
  text: string;
  style: keyof typeof STYLES;
}

/** By the usual environment variables; null where lines cannot be redrawn (no terminal, TERM=dumb). */
export function terminalTraits(
  stream: { isTTY?: boolean; columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): TerminalTraits | null {
  const value = (name: string) => environment[name] ?? "";
  if (stream.isTTY !== true || value("TERM") === "dumb") return null;
  const locale = value("LC_ALL") || value("LC_CTYPE") || value("LANG");
  const unicode = /utf-?8/i.test(locale) || value("WT_SESSION") !== "";
  return { columns: () => stream.columns ?? 80, color: value("NO_COLOR") === "", ascii: !unicode };
}

/**
 * On the left the stage with its bar and the time left, on the right the best so far and the attempts; notes go above.
 * `finish` clears the lines and shows the cursor again.
 */
export function terminalProgress(
  output: Output,
  traits: TerminalTraits,
  clock: ProgressClock,
  repeat: Repeat,
): ProgressView {
  const state = new ProgressState(clock);
  let drawnLines: readonly string[] = [];
  let drawnMs = Number.NEGATIVE_INFINITY;
  let finished = false;

  const draw = () => {
    const lines = layOut(state, traits, clock.now());
    drawnMs = clock.now();
    if (lines.length === drawnLines.length && lines.every((line, i) => line === drawnLines[i])) return;
    const start = drawnLines.length === 0 ? HIDE_CURSOR : backToStart(drawnLines, traits.columns());
    output.write(start + lines.map((line) => line + CLEAR_LINE_END).join("\n") + CLEAR_BELOW);
    drawnLines = lines;
  };
  const update = () => {
    if (!finished && state.name !== "" && clock.now() - drawnMs >= LEAST_MS_BETWEEN_DRAWS) draw();
  };
  const stopTicking = repeat(update, TICK_MS);
  const changing =
    <A extends readonly unknown[]>(change: (...values: A) => void) =>
    (...values: A) => {
      change(...values);
      update();
    };
  return {
    stage: changing((name: string, total: number | null) => state.stage(name, total)),
    advance: changing((by = 1) => state.advance(by)),
    best: changing((accuracy: number, falseDecisions: number, algorithm: string) =>
      state.best(accuracy, falseDecisions, algorithm),
    ),
    attempts: changing((done: number, total: number, failed: number) => state.attempts(done, total, failed)),
    note(line) {
      if (finished) return;
      const start = drawnLines.length === 0 ? "" : backToStart(drawnLines, traits.columns());
      output.write(
        `${start}${wrapped(printable(line), traits.columns())}${drawnLines.length === 0 ? "" : CLEAR_BELOW}\n`,
      );
      if (drawnLines.length === 0) return;
      output.write(drawnLines.join("\n"));
    },
    finish() {
      if (finished) return;
      finished = true;
      stopTicking();
      if (drawnLines.length > 0) output.write(backToStart(drawnLines, traits.columns()) + CLEAR_BELOW + SHOW_CURSOR);
    },
  };
}

/** One line in a wide window, else the right half below the left one. */
function layOut(state: ProgressState, { columns, color, ascii }: TerminalTraits, now: number): string[] {
  // Some terminals wrap as soon as the last column is written, so it stays free.
  const width = Math.max(1, columns() - 1);
  const right = rightHalf(state, ascii);
  const paint = (spans: readonly Span[]) => spans.map(({ text, style }) => paintSpan(text, style, color)).join("");
  if (columns() < ONE_LINE_COLUMNS || right.length === 0) {
    const lines = [leftHalf(state, ascii, Math.min(width, 79), now), ...(right.length === 0 ? [] : [right])];
    return lines.map((line) => paint(cut(line, width, ascii)));
  }
  const rightWidth = widthOf(right);
  const left = cut(leftHalf(state, ascii, width - rightWidth - 3, now), Math.max(20, width - rightWidth - 3), ascii);
  const gap = " ".repeat(Math.max(3, width - widthOf(left) - rightWidth));
  return [paint(cut([...left, { text: gap, style: "plain" }, ...right], width, ascii))];
}

function leftHalf(state: ProgressState, ascii: boolean, width: number, now: number): Span[] {
  const count = state.countWords();
  const left = state.timeLeftWords();
  const words: Span[] = [
    ...(count === "" ? [] : [{ text: `  ${count}`, style: "plain" } as const]),
    ...(left === "" ? [] : [{ text: `  ${left}`, style: "faint" } as const]),
  ];
  const name: Span = { text: state.name, style: "strong" };
  const share = state.share();
  if (share === null) return [{ text: `${spinner(now, ascii)} `, style: "bar" }, name, ...words];
  const room = width - widthOf([name]) - 2 - Math.max(WORDS_WIDTH, widthOf(words));
  if (room < SHORTEST_BAR) return [name, ...words];
  return [name, { text: `  ${bar(share, Math.min(LONGEST_BAR, room), ascii)}`, style: "bar" }, ...words];
}

/** Most important first: a narrow window cuts the end. */
function rightHalf(state: ProgressState, ascii: boolean): Span[] {
  const parts: Span[] = [
    { text: state.bestWords, style: "best" },
    { text: state.attemptWords, style: "plain" },
    { text: state.bestAlgorithm, style: "faint" },
  ];
  const said = parts.filter(({ text }) => text !== "");
  const separator: Span = { text: ascii ? " - " : " · ", style: "faint" };
  return said.flatMap((part, i) => (i === 0 ? [part] : [separator, part]));
}

/** A bar of `width` columns, in eighths of a column where the locale has the characters. */
function bar(share: number, width: number, ascii: boolean): string {
  if (ascii) {
    const filled = Math.floor(share * (width - 2));
    return `[${"#".repeat(filled)}${"-".repeat(width - 2 - filled)}]`;
  }
  const eighths = Math.floor(share * width * 8);
  const full = "█".repeat(eighths >> 3) + (eighths % 8 === 0 ? "" : (" ▏▎▍▌▋▊▉"[eighths % 8] ?? ""));
  return full + "░".repeat(width - Math.ceil(eighths / 8));
}

function spinner(now: number, ascii: boolean): string {
  const frames = ascii ? "|/-\\" : "⠋⠙⠹⠸⠼⠴⠦⠧";
  return frames[Math.floor(now / TICK_MS) % frames.length] ?? "";
}

/** Cuts at the width, with an ellipsis in the last column. */
function cut(spans: readonly Span[], width: number, ascii: boolean): Span[] {
  if (widthOf(spans) <= width) return [...spans];
  const cutSpans: Span[] = [];
  let room = width - 1;
  for (const { text, style } of spans) {
    let part = "";
    for (const character of text) {
      const characterWidth = Bun.stringWidth(character);
      if (characterWidth > room) return [...cutSpans, { text: `${part}${ascii ? "." : "…"}`, style }];
      part += character;
      room -= characterWidth;
    }
    cutSpans.push({ text: part, style });
  }
  return cutSpans;
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((total, { text }) => total + Bun.stringWidth(text), 0);
}

function paintSpan(text: string, style: keyof typeof STYLES, color: boolean): string {
  return color && style !== "plain" ? `${STYLES[style]}${text}${STYLE_END}` : text;
}

/** Moves from the end of the drawn lines to their start, even if a narrower window has wrapped them since. */
function backToStart(drawn: readonly string[], columns: number): string {
  const rowCount = drawn.reduce((total, line) => total + Math.max(1, Math.ceil(Bun.stringWidth(line) / columns)), 0);
  return rowCount > 1 ? `\r\u001b[${rowCount - 1}A` : "\r";
}
