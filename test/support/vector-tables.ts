// Tables that the test vectors' models learn from: every way of writing a cell that a model file can describe.
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import { Random } from "../../engine/random.ts";

export interface VectorTable {
  csv: string;
  label: string;
  /** Null for the markers that are usual. */
  missingMarkers: readonly string[] | null;
  columnChoices?: readonly ColumnChoice[];
}

type Draw = (random: Random, signal: number) => string;

const ROWS = 360;
const share = (random: Random, value: number, other: string, part = 0.06, otherwise = String(value)) =>
  random.nextFloat() < part ? other : otherwise;
const spread = (random: Random, signal: number) => (signal + random.nextFloat()) / 2;
const two = (value: number) => String(value).padStart(2, "0");
const pick = <T>(random: Random, from: readonly T[], signal: number) =>
  from[Math.min(from.length - 1, Math.floor(spread(random, signal) * from.length))]!;

/** 1234.5 as 1.234,50. */
function european(value: number): string {
  const [whole, cents] = value.toFixed(2).split(".");
  return `${whole!.replace(/\B(?=(\d{3})+$)/g, ".")},${cents}`;
}

const EUROPEAN: Readonly<Record<string, Draw>> = {
  Betrag: (random, signal) => share(random, 0, "", 0.06, `${european(40 + 9000 * spread(random, signal))} €`),
  Zins: (random, signal) => `${(10 * spread(random, 1 - signal)).toFixed(2).replace(".", ",")}%`,
  Eröffnet: (random, signal) => {
    const day = `20${two(10 + Math.floor(14 * spread(random, signal)))}-${two(1 + random.nextBelow(12))}-${two(1 + random.nextBelow(28))}`;
    return random.nextBelow(12) === 0 ? day : `${day} ${two(random.nextBelow(24))}:${two(random.nextBelow(60))}`;
  },
  Geboren: (random, signal) =>
    `${two(1 + random.nextBelow(28))}.${two(1 + random.nextBelow(12))}.${1940 + Math.floor(60 * spread(random, signal))}`,
  Laborwert: (random, signal) =>
    share(random, 0, "k. A.", 0.08, (20 * spread(random, signal)).toFixed(1).replace(".", ",")),
  Anzahl: (random, signal) => share(random, 0, "-999", 0.1, String(Math.floor(30 * spread(random, signal)))),
  Kunde: (random, signal) => (spread(random, signal) > 0.5 ? "1" : "0"),
  Region: (random, signal) => pick(random, ["Köln", "Bonn", "O'Hara, West", "Straße", "Süd", "?"], signal),
  Filiale: (random, signal) => `Filiale ${Math.floor(45 * spread(random, signal) ** 2)}`,
};

const AMERICAN: Readonly<Record<string, Draw>> = {
  length: (random, signal) => share(random, 0, "NA", 0.06, (8 * spread(random, signal) - 2).toExponential(3)),
  price: (random, signal) => `USD ${Math.floor(25_000 * spread(random, signal)).toLocaleString("en-US")}.50`,
  seen: (random, signal) =>
    `${1 + Math.floor(12 * spread(random, signal))}/${1 + random.nextBelow(28)}/2021 ${1 + random.nextBelow(12)}:05 ${random.nextBelow(2) ? "AM" : "PM"}`,
  width: (random, signal) => (random.nextFloat() + signal * 3).toFixed(2),
  petals: (random, signal) => String(3 + Math.floor(6 * spread(random, signal))),
  wild: (random, signal) => (spread(random, signal) > 0.6 ? "TRUE" : "FALSE"),
  colour: (random, signal) => pick(random, ["red", "Red", "blue", "", "white"], signal),
  height: (random, signal) => share(random, Math.round(100 * spread(random, 1 - signal)), ""),
};

/** Numbers with signs of their own between semicolons; two classes. */
export function europeanTable(): VectorTable {
  const csv = csvOf(EUROPEAN, "Zahlt", ["nein", "ja"], ";", 1);
  return { csv, label: "Zahlt", missingMarkers: ["NA", "?", "-999"] };
}

/** Plain numbers, thousands between quotes, months first; four classes. */
export function americanTable(): VectorTable {
  const csv = csvOf(AMERICAN, "species", ["iris", "lily, white", "rose", "tulip"], ",", 2);
  return { csv, label: "species", missingMarkers: null };
}

/** The same table, with missing texts and kinds chosen for columns of each kind. */
export function chosenTable(): VectorTable {
  const columnChoices: ColumnChoice[] = [
    { name: "colour", missingTexts: ["Red", "white"] },
    { name: "petals", kind: "category", missingTexts: ["4"] },
    { name: "height", missingTexts: ["50", "51"] },
    { name: "wild", missingTexts: ["TRUE"] },
  ];
  return { ...americanTable(), columnChoices };
}

const FILLERS = "the a of to and in it is was for with as at by this that an are were be don't e-mail".split(" ");
const TELLING: readonly (readonly string[])[] = [
  ["great", "lovely", "好吃", "😀", "Straße", "version-2", "10.5", "ﬁne"],
  ["awful", "broken", "不好", "😡", "ΣΑΣ", "error-404", "3,000", "l’été"],
  ["average", "okay", "ข้าว", "🤷", "İzmir", "room-101", "12:30", "naïve"],
];

/** A column of texts, one of titles whose values recur, and a number. */
export function textTable(classCount: 2 | 3): VectorTable {
  const random = new Random(3 + classCount);
  const lines = Array.from({ length: 260 }, (_, row) => {
    const own = row % classCount;
    const words = Array.from({ length: 7 + random.nextBelow(5) }, () => FILLERS[random.nextBelow(FILLERS.length)]!);
    for (let count = random.nextBelow(3); count >= 0; count--) {
      const from = random.nextFloat() < 0.85 ? own : random.nextBelow(classCount);
      words.splice(random.nextBelow(words.length), 0, TELLING[from]![random.nextBelow(8)]!);
    }
    if (random.nextBelow(4) === 0) words.push("!", "OK?");
    const text = random.nextBelow(15) === 0 ? "" : words.join(" ");
    const title = `${["Blue", "Old", "New"][own]} model ${random.nextBelow(50)}`;
    return `"${text}",${title},${random.nextBelow(9) + own},${["no", "yes", "maybe"][own]}`;
  });
  const csv = `review,title,stars,answer\n${lines.join("\n")}\n`;
  return { csv, label: "answer", missingMarkers: null };
}

/** Texts to be read by the models of texts, odd ones among them. */
export const ODD_TEXTS: readonly string[] = [
  ...[
    "",
    "   ",
    "NA",
    "great",
    "GREAT lovely",
    "it is ﬁne, fine and ＦＩＮＥ",
    "don't don’t dont",
    "e-mail e‑mail e–mail",
  ],
  ...["好吃好吃 不好!", "ข้าว อร่อย", "😀😀 😡", "☎️ © ® ™", "a©b 好©", "ΣΑΣ σας ΣΑΣ.", "İzmir Straße STRASSE ẞ"],
  ...["version-2 version-3 1,000.50 3,000 10.5 12:30 1.", "...", "-'-", "a-b-c'd", "x".repeat(60)],
  ...[`${"ab1".repeat(20)} great`, "the ".repeat(300), "great ".repeat(270), "e\u0301te\u0301 l’e\u0301te\u0301"],
  ...[
    "\u{1F468}\u200D\u{1F469}\u200D\u{1F467} great",
    "𝔤𝔯𝔢𝔞𝔱 𐐀𐐨",
    "٣٤ 三四 ⅳ",
    "great\u00a0lovely\u3000okay",
    "awful\nbroken\tthe",
  ],
  ...["日本語とカタカナとabc", "ကခ ក្រុម ພາສາ", "lovely great great lovely", "Average, okay; room-101"],
];

function csvOf(
  columns: Readonly<Record<string, Draw>>,
  label: string,
  labels: readonly string[],
  delimiter: string,
  seed: number,
): string {
  const random = new Random(seed);
  const quoted = (cell: string) => (cell.includes(delimiter) ? `"${cell}"` : cell);
  const rows = Array.from({ length: ROWS }, () => {
    const signal = random.nextFloat();
    const own = Math.floor(labels.length * Math.min(0.999, 0.8 * signal + 0.2 * random.nextFloat()));
    return [...Object.values(columns).map((draw) => draw(random, signal)), labels[own]!];
  });
  return [[...Object.keys(columns), label], ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\n`).join("");
}
