// Arithmetic of axes: linear scales, round ticks, and text cut to a width.

import { shorten, shortenStart } from "../common/markup.ts";
import { decimalNumber, wholeNumber } from "../common/numbers.ts";

export type Scale = (value: number) => number;

/** Maps values linearly from a domain to a range, beyond both ends too. */
export function linearScale([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const slope = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * slope;
}

/** About `count` round values within [low, high], in steps of 1, 2 or 5 times a power of ten. */
export function roundTicks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.7) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(i * step);
  return ticks;
}

/** The same in whole numbers, for axes that count. */
export function roundCounts(low: number, high: number, count: number): number[] {
  return [...new Set(roundTicks(low, high, Math.min(count, high - low)).map(Math.round))];
}

/** A tick of an accuracy axis: "92%", with a decimal only where the steps need one. */
export function percentTick(share: number, ticks: readonly number[]): string {
  const step = ticks.length > 1 ? Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0)) : 0.01;
  return `${decimalNumber(share * 100, step < 0.0099 ? 1 : 0)}%`;
}

/** Cuts text to a width in pixels, estimated for a wide system font: an early ellipsis is better than a collision. */
export function fitText(text: string, width: number, fontSize: number): string {
  return shorten(text.trim() === "" ? "(empty)" : text, Math.max(1, Math.floor(width / (fontSize * 0.6))));
}

/** Texts cut to a width, their ends kept rather than their beginnings where these would make several alike. */
export function fitTexts(texts: readonly string[], width: number, fontSize: number): string[] {
  const cut = texts.map((text) => fitText(text, width, fontSize));
  const most = Math.max(2, Math.floor(width / (fontSize * 0.6)));
  const ends = texts.map((text, at) => (cut[at] === text || text.trim() === "" ? cut[at]! : shortenStart(text, most)));
  return new Set(ends).size > new Set(cut).size ? ends : cut;
}

/** An estimate of the width of text in pixels; most texts are narrower. */
export function textWidth(text: string, fontSize: number): number {
  return text.length * fontSize * 0.6;
}

/** One decimal with a true minus sign; a value that rounds to zero is "0.0". */
export function oneDecimal(value: number): string {
  const size = decimalNumber(Math.abs(value), 1);
  return `${value < 0 && /[1-9]/.test(size) ? "−" : ""}${size}`;
}

/** A difference of shares in points: 0.031 is "3.1". */
export function points(difference: number): string {
  return oneDecimal(difference * 100);
}

/** "80–90%". */
export function percentRange({ low, high }: { low: number; high: number }): string {
  return `${Math.round(low * 100)}–${Math.round(high * 100)}%`;
}

/** Counts in five characters or fewer: "9,999", "12k", "3.4M". */
export function compactCount(count: number): string {
  if (count < 10_000) return wholeNumber(count);
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${decimalNumber(count / 1e6, 1)}M`;
}
