// Settings of an attempt in words: "300 trees, 4 features per split".
import { capitalised } from "../common/format.ts";
import { fourDigits, wholeNumber } from "../common/numbers.ts";

type Settings = Readonly<Record<string, number | string | boolean>>;

/** Names that need words of their own; every other name is split at its capitals. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["l2", "L2 penalty"],
  ["minLeafRows", "rows per leaf at least"],
  ["maxDepth", "depth at most"],
  ["maxIterations", "iterations at most"],
]);

/** Settings that the algorithm's name already tells. */
const SAID_BY_NAME: ReadonlySet<string> = new Set(["variant", "basis"]);

/** The settings in order, without those in the algorithm's name; "default settings" if none are left. */
export function settingsInWords(settings: Settings): string {
  const entries = Object.entries(settings).filter(([key]) => !SAID_BY_NAME.has(key));
  return entries.length === 0 ? "default settings" : entries.map(([key, value]) => phrase(key, value)).join(", ");
}

function phrase(key: string, value: number | string | boolean): string {
  if (typeof value === "boolean") return `${value ? "with" : "without"} ${wordsOf(key)}`;
  if (key === "buckets") return `${typeof value === "number" ? inWords(value) : value} buckets`;
  if (typeof value === "string") return `${wordsOf(key)} ${value}`;
  const counted = /^(.+)Count$/.exec(key)?.[1];
  if (counted !== undefined) return `${inWords(value)} ${wordsOf(counted)}${value === 1 ? "" : "s"}`;
  if (/^[a-z]+sPer[A-Z]/.test(key)) return `${inWords(value)} ${wordsOf(key)}`;
  return `${wordsOf(key)} ${inWords(value)}`;
}

function wordsOf(key: string): string {
  const apart = (_: string, before: string, capital: string) => `${before} ${capital.toLowerCase()}`;
  return WORDS.get(key) ?? key.replace(/([a-z0-9])([A-Z])/g, apart);
}

/** The name of a setting in words, with a capital at the start. */
export function settingName(name: string): string {
  return capitalised(wordsOf(name));
}

function inWords(value: number): string {
  return Number.isInteger(value) ? wholeNumber(value) : fourDigits(value);
}
