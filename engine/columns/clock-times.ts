// Reads times of day and durations, such as 14:05 or 00:03:12.5, as numbers, and writes them.

/** Two parts, of which the value counts the latter; or hours, minutes and seconds, in seconds. */
const TWO_PARTS = "h:mm";
const THREE_PARTS = "h:mm:ss";
const CLOCK_TIME =
  /^(?:(\d{1,9}) days?,? |([+-]))?(\d{1,9}):([0-5]\d)(?::([0-5]\d))?(?:[.,](\d+))?(?: ?([AaPp])[Mm])?$/;
const PLAIN = new Intl.NumberFormat("en-US", { useGrouping: false, maximumFractionDigits: 20 });

/** How the times of a column are written; stands in the place of the affix of its form. */
export type ClockAffix = typeof TWO_PARTS | typeof THREE_PARTS;

export function isClockAffix(affix: string): affix is ClockAffix {
  return affix === TWO_PARTS || affix === THREE_PARTS;
}

/**
 * Takes a time of day or a duration apart: `14:05` is the number 845, `00:03:12.5` is 192.5; `2:05 PM` and
 * `1 days 02:00:00` are read too. Null where the text is none: in `-1 day, 23:00:00` the sign is of the day alone.
 */
export function splitClockTime(text: string): { affix: ClockAffix; body: string } | null {
  const match = text.includes(":") ? CLOCK_TIME.exec(text) : null;
  if (match === null) return null;
  const [, days = "0", sign = "", written = "", minutes, seconds, fraction, half] = match;
  let hours = Number(written);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half === "P" || half === "p" ? 12 : 0);
  }
  const two = (Number(days) * 24 + hours) * 60 + Number(minutes);
  const whole = seconds === undefined ? two : two * 60 + Number(seconds);
  const body = `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}`;
  return { affix: seconds === undefined ? TWO_PARTS : THREE_PARTS, body };
}

/** Writes a finite number as such a time. */
export function clockTimeText(value: number, affix: ClockAffix): string {
  const [digits = "", fraction] = PLAIN.format(Math.abs(value)).split(".");
  const parts: string[] = [];
  let whole = Number(digits);
  for (let left = affix === TWO_PARTS ? 1 : 2; left > 0; left--) {
    parts.unshift(String(whole % 60).padStart(2, "0"));
    whole = Math.floor(whole / 60);
  }
  return `${value < 0 ? "-" : ""}${whole}:${parts.join(":")}${fraction === undefined ? "" : `.${fraction}`}`;
}
