// How numbers stand in text: as in English, or in the dashboard as the reader's browser writes them.

let language = "en-US";
let decimalSign = ".";

/** Writes numbers as in this language from now on, always with the digits 0 to 9. The dashboard calls it once, when it starts. */
export function writeNumbersAsIn(spoken: string): void {
  language = spoken;
  const parts = new Intl.NumberFormat(language, { numberingSystem: "latn" }).formatToParts(0.5);
  decimalSign = parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

/** With separators: "1,204", or "1.204". */
export function wholeNumber(value: number): string {
  return value.toLocaleString(language, { numberingSystem: "latn", maximumFractionDigits: 0 });
}

/** With so many decimals, without separators: "0.50", or "0,50". */
export function decimalNumber(value: number, decimals: number): string {
  return value.toFixed(decimals).replace(".", decimalSign);
}

/** With four digits at most, which tell a value apart from its neighbours: "0.1235", "16,740". */
export function fourDigits(value: number): string {
  return value.toLocaleString(language, { numberingSystem: "latn", maximumSignificantDigits: 4 });
}

/** Two numbers side by side: "70.7, 82.3", or "70,7; 82,3". */
export function twoNumbers(first: string, second: string): string {
  return `${first}${decimalSign === "," ? ";" : ","} ${second}`;
}
