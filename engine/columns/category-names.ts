// The order in which categories are listed: `5-9` before `10-14`, `$9` before `$1,000`, `< 1 year` before `1 year`.
import { numbersInside } from "../text/numbers-inside.ts";

const MOST_NUMBERS = 3;
const BELOW = /^[<≤]/;

/** By the numbers inside the names, those without any first; then by the units of UTF-16. */
export function sortedNames(names: readonly string[]): string[] {
  const keyed = names.map((name) => ({ name, numbers: numbersInside(name, MOST_NUMBERS), isBelow: BELOW.test(name) }));
  return keyed.sort(compare).map(({ name }) => name);
}

interface KeyedName {
  name: string;
  numbers: readonly number[];
  isBelow: boolean;
}

function compare(a: KeyedName, b: KeyedName): number {
  for (let at = 0; at < MOST_NUMBERS; at++) {
    const [left = Number.NEGATIVE_INFINITY, right = Number.NEGATIVE_INFINITY] = [a.numbers[at], b.numbers[at]];
    if (left !== right) return left < right ? -1 : 1;
    if (a.isBelow !== b.isBelow) return a.isBelow ? -1 : 1;
  }
  return a.name < b.name ? -1 : 1;
}
