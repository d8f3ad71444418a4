// Shares, intervals, counts, durations and sizes as text, the same in the report and on the terminal.
import { decimalNumber, twoNumbers, wholeNumber } from "./numbers.ts";

/** For a figure that is undefined or unknown. */
const UNDEFINED_MARK = "–";

/**
 * A share from 0 to 1 as "94.2%". Only exactly 1 is "100.0%" and only exactly 0 is "0.0%": other
 * shares that would round to these are "99.9%" and "<0.1%".
 */
export function formatPercent(share: number | null): string {
  return share === null || !Number.isFinite(share) ? UNDEFINED_MARK : `${percentDigits(share)}%`;
}

/** A share with its interval: "94.2% [92.8, 95.4]". */
export function formatEstimate(estimate: { mean: number; low: number; high: number } | null): string {
  if (estimate === null || !Number.isFinite(estimate.mean)) return UNDEFINED_MARK;
  return `${formatPercent(estimate.mean)} ${formatInterval(estimate)}`;
}

/** The interval alone: "[92.8, 95.4]", in percent. */
export function formatInterval(interval: { low: number; high: number }): string {
  return `[${twoNumbers(percentDigits(interval.low), percentDigits(interval.high))}]`;
}

/** Whole numbers with separators: "1,204". */
export function formatCount(count: number | null): string {
  return count === null || !Number.isFinite(count) ? UNDEFINED_MARK : wholeNumber(Math.round(count));
}

/** With a capital at the start. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** "1 row", "1,204 rows". Give `plural` where it is not the noun with an "s". */
export function formatAmount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** The first of some texts: "a, b and 3 more". */
export function formatList(texts: readonly string[], most: number): string {
  const beyond = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${beyond > 0 ? ` and ${formatCount(beyond)} more` : ""}`;
}

/** Figures without a unit, such as a log-loss: three decimals. */
export function formatFigure(value: number | null): string {
  return value === null || !Number.isFinite(value) ? UNDEFINED_MARK : decimalNumber(value, 3);
}

/** The effect of a reason, with its sign: "+0.91", "−0.24". */
export function formatEffect(effect: number): string {
  const size = decimalNumber(Math.abs(effect), 2);
  return `${effect < 0 && /[1-9]/.test(size) ? "−" : "+"}${size}`;
}

/** A limit of time as it was given, without the digits of a computed one. */
export function formatTimeLimit(seconds: number): string {
  return `${seconds >= 100 ? Math.round(seconds) : Number(seconds.toPrecision(3))} s`;
}

/** "0.4 s", "48 s", "2 min 10 s", "1 h 5 min": fractions below 10 seconds, seconds below an hour. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds) || seconds < 0) return UNDEFINED_MARK;
  if (seconds < 9.95 && !Number.isInteger(seconds))
    return seconds > 0 && seconds < 0.05 ? `<${decimalNumber(0.1, 1)} s` : `${decimalNumber(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return twoUnits(Math.floor(whole / 60), "min", whole % 60, "s");
  const minutes = Math.round(whole / 60);
  return twoUnits(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

/** "812 bytes", "1.2 kB", "121 MB": decimal units, two or three figures. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null || !Number.isFinite(bytes) || bytes < 0) return UNDEFINED_MARK;
  if (bytes < 1000) return formatAmount(bytes, "byte");
  let value = bytes;
  for (const unit of ["kB", "MB", "GB"]) {
    value /= 1000;
    if (value < 9.95) return `${decimalNumber(value, 1)} ${unit}`;
    if (value < 999.5) return `${Math.round(value)} ${unit}`;
  }
  return `${formatCount(value / 1000)} TB`;
}

const BINARY_UNITS = [
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
] as const;

/** A limit, never rounded: "510 MiB", "64 KiB", "1,000 bytes". */
export function formatByteLimit(bytes: number): string {
  const [unit, size] = BINARY_UNITS.find((one) => bytes % one[1] === 0) ?? [];
  return size === undefined ? formatAmount(bytes, "byte") : `${formatCount(bytes / size)} ${unit}`;
}

/** A size above a limit, in the limit's unit and rounded up, so that it reads as more: "510.1 MiB". */
export function formatBytesAbove(limit: number, bytes: number): string {
  const [unit, size] = BINARY_UNITS.find((one) => limit % one[1] === 0) ?? [];
  return size === undefined
    ? formatAmount(bytes, "byte")
    : `${decimalNumber(Math.ceil((10 * bytes) / size) / 10, 1)} ${unit}`;
}

function percentDigits(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.05) return `<${decimalNumber(0.1, 1)}`;
  if (percent >= 99.95 && percent < 100) return decimalNumber(99.9, 1);
  return decimalNumber(percent, 1);
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
