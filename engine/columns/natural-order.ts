// Natural orders of a category's values: of "18-22", "Level 12", "7/10", "3 days ago", "B+" and months.

import { numbersInside } from "../text/numbers-inside.ts";
import { splitDate } from "./date-text.ts";

const NUMBER = /\d+(?:[.,]\d+)*/g;
const MOST_NUMBERS = 3;

interface Parts {
  /** The text around the numbers. */
  words: string;
  numbers: number[];
}

/**
 * Orders that the values may stand in, as positions in `names`: by their numbers first, by their words first, and, if
 * all are months, by the calendar. Orders that are the same come once.
 */
export function naturalOrders(names: readonly string[]): number[][] {
  const parts = names.map(partsOf);
  const months = areMonths(names) ? names.map(monthOf) : null;
  const orders = [
    orderBy(parts, (a, b) => byNumbers(a, b) || byWords(a, b)),
    orderBy(parts, (a, b) => byWords(a, b) || byNumbers(a, b)),
    ...(months === null ? [] : [orderBy(months, (a, b) => a - b)]),
  ];
  return orders.filter((order, at) => orders.findIndex((other) => `${other}` === `${order}`) === at);
}

/** Months by the calendar; other names by their numbers, then by their words: `< 1 year` before `1 year`. */
export function inNaturalOrder(names: readonly string[]): string[] {
  const sorted = names.toSorted();
  const orders = naturalOrders(sorted);
  const order = orders.at(areMonths(sorted) ? -1 : 0) ?? [];
  return order.map((at) => sorted[at]!);
}

function areMonths(names: readonly string[]): boolean {
  return names.every((name) => monthOf(name) > 0);
}

function partsOf(name: string): Parts {
  return { words: name.toLowerCase().replace(NUMBER, " ").trim(), numbers: numbersInside(name, MOST_NUMBERS) };
}

/** Day first, so that the second number is the month; 0 where it is none. */
function monthOf(name: string): number {
  return splitDate(`1 ${name} 2000`)?.second ?? 0;
}

function orderBy<T>(values: readonly T[], compare: (a: T, b: T) => number): number[] {
  return [...values.keys()].sort((a, b) => compare(values[a]!, values[b]!) || a - b);
}

function byNumbers(a: Parts, b: Parts): number {
  for (const [at, number] of a.numbers.entries()) {
    const other = b.numbers[at];
    if (other === undefined) return 1;
    if (number !== other) return number - other;
  }
  return a.numbers.length - b.numbers.length;
}

/** "B+" is before "B", and "B-" behind it. */
function byWords(a: Parts, b: Parts): number {
  const [first, second] = [a, b].map(({ words }) => ({ letters: words.replace(/[+\-−–]$/, ""), sign: signOf(words) }));
  if (first!.letters !== second!.letters) return first!.letters < second!.letters ? -1 : 1;
  return first!.sign - second!.sign;
}

function signOf(words: string): number {
  return words.endsWith("+") ? -1 : /[-−–]$/.test(words) ? 1 : 0;
}
