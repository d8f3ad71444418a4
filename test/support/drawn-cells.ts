// Cells drawn for a model's columns: what looks like numbers, dates, words
// and nothing at all, much of it not quite right.
import fc from "fast-check";
import type { ModelFile } from "../../engine/model/model-file.ts";
import type { JsonRow } from "../../workers/scoring/live-scoring.ts";

const NUMBER =
  /^[ \u00a0]?(?:[<>≤≥][=<]?[ \u00a0]{0,2})?[+-]?[$€£]?(?:USD|EUR|kWh)? ?[0-9]{0,5}[.,]?[0-9]{0,4}[.,]?[0-9]{0,3}(?:[eE][+-]?[0-9]{1,3})?[ ]?(?:[%€$]|kWh|°C)?$/;
const DATE =
  /^(?:1[6-9]|2[01])?[0-9]{2}[-/.][0-9]{1,2}(?:[-/.][0-9]{1,4})?(?:[T ] ?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?[apAP][mM]|Z|[+-][0-9]{2}:?(?:[0-9]{2})?)?)?$/;
const DRESSED =
  /^(?:[$€R−–-]{0,2}\(?)?[0-9]{1,4}(?:[ '’\u00a0\u202f][0-9]{3}){0,2}(?:[.,][0-9]{0,3})?(?: ?(?:kg|€|%))?(?:\)| ?-)?$/;
const TIME =
  /^(?:[<>]=?)?[+-]?(?:[0-9]{1,3} day[s]?,? )?[0-9]{1,3}:[0-6][0-9](?::[0-6][0-9])?(?:[.,][0-9]{0,4})?(?: ?[apAP][mM])?$/;
/** Characters that programs have long known: newer ones depend on the Unicode version of each. */
const OLD_CHARACTERS: readonly (readonly [number, number])[] = [
  ...([
    [0x00, 0x17f],
    [0x2b0, 0x2c0],
    [0x300, 0x340],
    [0x386, 0x3ce],
    [0x400, 0x45f],
    [0x620, 0x64a],
  ] as const),
  ...([
    [0x660, 0x669],
    [0x905, 0x939],
    [0xe01, 0xe3a],
    [0x1000, 0x1049],
    [0x1e00, 0x1eff],
    [0x2000, 0x2027],
  ] as const),
  ...([
    [0x2122, 0x2189],
    [0x2460, 0x24ff],
    [0x2600, 0x2604],
    [0x3000, 0x30ff],
    [0x4e00, 0x4fff],
  ] as const),
  ...([
    [0xac00, 0xacff],
    [0xfb00, 0xfb06],
    [0xfe0e, 0xfe0f],
    [0xff01, 0xff9f],
    [0x10400, 0x1044f],
  ] as const),
  ...([
    [0x1d400, 0x1d454],
    [0x1f600, 0x1f64f],
    [0x20000, 0x20100],
  ] as const),
];
const WORDS = [
  ..."great awful lovely average ΣΑΣ 版 版本 ﬁne İzmir 10.5 3,000 it's don’t e-mail © ® ʼn ʼ \u0303a ก 🤷 👩‍👩‍👧 ☎️ Ⅳ ½ ٣.٤ 〇三".split(
    " ",
  ),
  ..."x1 - ' ’ . 1-2 a.b 1.a １２ ㍿ ａｂｃ ß ẞ Å ﷺ the of".split(" "),
];

/** Always the same for a seed. */
export function drawCells({ columns, features }: ModelFile, count: number, seed: number): string[][] {
  const character = fc
    .oneof(...OLD_CHARACTERS.map(([min, max]) => fc.integer({ min, max })))
    .map((point) => String.fromCodePoint(point));
  const noise = fc.string({ unit: character, maxLength: 20 });
  const words = fc
    .tuple(fc.array(fc.oneof(fc.constantFrom(...WORDS), noise), { maxLength: 20 }), fc.constantFrom(" ", "", ", ", "-"))
    .map(([own, between]) => own.join(between));
  const cells = columns.map((_, column) => {
    const names = features.flatMap((own) => (own.column === column && own.kind === "category" ? own.names : []));
    const known = names.length === 0 ? [] : [fc.constantFrom(...names)];
    return fc.oneof(
      fc.stringMatching(NUMBER),
      fc.stringMatching(DRESSED),
      fc.stringMatching(TIME),
      fc.stringMatching(DATE),
      goodDates(),
      noise,
      words,
      ...known,
    );
  });
  return fc.sample(fc.tuple(...cells), { numRuns: count, seed });
}

function goodDates() {
  const two = (value: number) => String(value).padStart(2, "0");
  const part = (max: number) => fc.integer({ min: 0, max });
  return fc.tuple(part(9999), part(13), part(31), part(25), part(9)).map(([year, month, day, hour, form]) => {
    const years = String(year).padStart(4, "0");
    const name = MONTHS[(month + hour) % MONTHS.length]!;
    return [
      `${years}-${two(month)}-${two(day)}T${two(hour)}:30`,
      `${day}.${month}.${years} ${hour}:15`,
      `${month}/${day}/${years} ${hour}:15 pm`,
      `${day}.${month}.${years.slice(2)}`,
      `19${years.slice(2)}${two(month)}${two(day)}`,
      `20${years.slice(2)}${two(month)}${two(day)}${two(hour)}15`,
      `${day}-${name}-${years.slice(2)} ${hour}.15`,
      `${name} ${day}, ${years}`,
      `${day} de ${name.toUpperCase()} de ${years}`,
      String(year * 300_000),
    ][form]!;
  });
}

const MONTHS = "Jan févr. März april MAYO jun juillet août Settembre out nov. dezembro Augus Sun".split(" ");
const DATES = {
  ymd: ["2019-07-31 08:15", "2019-07-31T08:15:09"],
  dmy: ["31.07.2019", "31.07.2019 9:16:10"],
  mdy: ["7/31/2019 8:15 PM", "7/31/2019 08:14:59 am"],
  unix: [1_564_560_900, 1_564_562_000.5],
};

/** Rows of numbers, truth values, known texts, dates and nulls. */
export function drawTyped({ columns, features }: ModelFile): JsonRow[] {
  const cells = columns.map(({ reading }, column) => {
    const names = features.flatMap((own) => (own.column === column && own.kind === "category" ? own.names : []));
    const numbers = fc.oneof(
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.double({ min: -1e4, max: 1e4, noNaN: true }),
      fc.constantFrom(0, 1, -0, 1e21, 1.5e-7),
    );
    const nothing = fc.constant(null);
    if (reading.kind === "date") return fc.oneof(fc.constantFrom(...DATES[reading.form.order]), nothing);
    if (reading.kind === "number") return fc.oneof(numbers, fc.boolean(), nothing);
    return fc.oneof(fc.constantFrom("never seen", ...names), numbers, fc.boolean(), nothing);
  });
  const rows = fc.tuple(...cells).map((own) => Object.fromEntries(columns.map(({ name }, at) => [name, own[at]!])));
  return fc.sample(rows, { numRuns: 200, seed: 5 });
}
