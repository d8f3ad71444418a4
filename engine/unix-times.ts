// Times that are written as one number, as computers count them: since 1970, in seconds or milliseconds.

/** Ten digits of seconds, with or without decimals: from September 2001 to January 2038. */
const FIRST = 1e9;
const LAST = 2 ** 31;
/** Parts of a second that are counted. */
const UNITS = [1, 1000];

/** Parts of a second that numbers count if all of them are such times; null where they are not. */
export function unixUnit(values: readonly number[] | Float64Array): number | null {
  return UNITS.find((unit) => values.every((value) => value >= FIRST * unit && value <= LAST * unit)) ?? null;
}

/** The time by UTC that a number stands for, by its size in seconds or milliseconds; null where it is none. */
export function unixTime(value: number): Date | null {
  if (!(value >= FIRST)) return null;
  const unit = unixUnit([value]);
  return unit === null ? null : new Date((value / unit) * 1000);
}

/** The last number that is such a time. */
export function lastUnixTime(unit: number): number {
  return LAST * unit;
}

/** Its day by UTC, as `2031-05-06`. */
export function unixDay(value: number, unit: number): string {
  return new Date((value / unit) * 1000).toISOString().slice(0, 10);
}
