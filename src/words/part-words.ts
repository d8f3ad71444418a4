// Parts of dates and texts in words: "weekday", "4th number", "2nd character from the end".
const WORDS: Readonly<Record<string, string>> = {
  characters: "length",
  words: "number of words",
  capitals: "share of capitals",
  digits: "share of digits",
  punctuation: "share of punctuation",
  numberLast: "last number",
  numberLeast: "least number",
  numberLargest: "largest number",
  numberMean: "mean of the numbers",
};

/** `part`: as the engine names it. As it stands before "of" and the column's name. */
export function partWords(part: string): string {
  const [, name, place] = /^(number|character|ending)(\d+)$/.exec(part) ?? [];
  if (place === undefined) return WORDS[part] ?? part;
  if (name === "ending") return place === "1" ? "last character" : `${ordinal(place)} character from the end`;
  return `${ordinal(place)} ${name}`;
}

function ordinal(place: string): string {
  const teens = /1\d$/.test(place);
  const ending = { "1": "st", "2": "nd", "3": "rd" }[place.at(-1)!];
  return place + ((teens ? undefined : ending) ?? "th");
}
