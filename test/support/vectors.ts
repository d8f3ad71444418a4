// Test vectors: rows of a model and what they must be scored as, which all readers
// and exports share. Format: docs/model-format.md.
import { join } from "node:path";
import type { DateOrder } from "../../engine/columns/dates.ts";
import { numberText } from "../../engine/columns/number-text.ts";
import { type NumberForm, PLAIN_FORM } from "../../engine/columns/numbers.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import { Random } from "../../engine/random.ts";
import { Scorer } from "../../engine/scoring/scorer.ts";

export const VECTORS = join(import.meta.dir, "..", "fixtures", "vectors");

export interface VectorAnswers {
  /** The names of the model's columns. */
  columns: string[];
  /** The cells of each row as a CSV file would have them, in the order of the columns. */
  rows: string[][];
  /** One for each feature. */
  codes: number[][];
  labels: string[];
  /** One for each label, in the model's order. */
  probabilities: number[][];
}

/** Cells that some reading takes and others do not. */
export const ODD_CELLS: readonly string[] = [
  ...["", "  ", "NA", "?", "n/a", "NaN", "k. A.", "-999", "-999.0", "inf", "-Infinity", "1e400", "-1e-400", "none"],
  ...[
    "1.0",
    "+1",
    " 1 ",
    "01",
    "1.",
    ".5",
    "0.0",
    "-0",
    "1e0",
    "1E+00",
    "1e",
    "0x1F",
    "--1",
    "1 000",
    "1_000",
    "1.0.0",
  ],
  ...[
    "1,5",
    "1.234,5",
    "1,234.5",
    "1,234",
    "1.234",
    "12,34",
    "1,2345",
    "1234,5",
    "1234.5",
    "0,5%",
    "50 %",
    "%5",
    "5%%",
  ],
  ...["€ 5,00", "5 €", "-5,25 €", "- 5 €", "€-5", "USD 5", "5USD", "USD5.5", "usd 5", "XXX 5", "$5", "-USD 1,000.50"],
  ...[
    "1h 20min",
    "1h20min",
    "20min 1h",
    "2 h",
    "-1.5 h",
    "+1h 5min",
    "1e2 min",
    "1h 20",
    "h 1",
    "< 2 h",
    "1h 2h",
    "3 hs",
  ],
  ...[
    "1,5 kg",
    "1.250,5kg",
    "1.250 g",
    "1kg 250 g",
    "1 kg 0,5g 3 mg",
    "- 5 kg",
    "5 lb",
    "1e3e3 kg",
    "1e kg",
    "1.2.3 kg",
  ],
  ...["2024-02-29", "2023-02-29", "2024-02-29 23:59", "2024-02-29T24:00", "2020-01-01T10:15:60.5+02:00", "2020-1-1"],
  ...[
    "29.02.2024",
    "31.04.2024",
    "1/2/2021",
    "1/2/2021 12:05 AM",
    "12/31/2021 13:05 PM",
    "12-31-2021 5:00pm",
    "0000-01-01",
  ],
  ...[
    "13/13/2021",
    "1.2/2021",
    "2021-01-01 ",
    "1/2/21",
    "\u00a01\u3000",
    "\ufeff1",
    "\u001c1",
    "\u00851",
    "１",
    "٣",
    "1\n",
  ],
];

/** Numbers with more than digits around them, and dates of every form: `drawCells` draws others. */
export const DRESSED_CELLS: readonly string[] = [
  ..."89+ <5+ 5+5+ 1,5+ +5+ 5kWh+ ~45 ≈4,5 ~-5 ~−5 ca.45 ~~5 cb.4 03/2021 13/2021 3-2021 03/21 0/2021 3/1799 3/1800".split(
    " ",
  ),
  ..."15-5-20 15/5/20 7.4.33 07.04.33 1-02-24 (64) (1990) 1990- 4.10- 4.1- ($5) (5%) 99991231 31-Dec-9999 30-Dec-2222".split(
    " ",
  ),
  ...[
    "ca. 45",
    "~ 45 kg",
    "ca. (45)",
    "ca. (4.5)",
    "≈ 1 234",
    "> ca. 5",
    "ca.  5",
    "~(1,50)",
    "1 234,56 -",
    "(1.5) kg",
  ],
  ...["Marker 1042", "Out 5874", "Out 1874", "Marzec 2024", "Version 8.5.15", "No. 23/5/2013", "dom. 3/2/2024"],
  ...[
    "MAİ 2024",
    "MÄRZ 2024",
    "DÉC. 2024",
    "Mittwoch, 3. Mai 2024",
    "mi 3.5.2024",
    "mit 3.5.2024",
    "9999-12-31",
    "9999/12/31",
  ],
  ..."1'234.50 1’234 12'34 1'234'567,5 (1,234.50) $(12) (12.5%) (€5) 1.234,50- 3- 123- 12.- −5 –5,5 €−5 −€5 5− R$5 US$5 5kr".split(
    " ",
  ),
  ...[
    "1 234",
    "12 345 678,9",
    "1 234 5678",
    "1 2345",
    "0 123",
    "1\u00a0234,5",
    "1\u202f234 €",
    "€ 1 234,50",
    "1 234 kg",
  ],
  ...[
    "(1 234)",
    "( 5 )",
    "(-5)",
    "1 234-",
    "1 -",
    "< 1 234",
    "12.345 678",
    "1'234 567",
    "CHF 1'234.50",
    "1 000h 20min",
  ],
  ..."20240229 20230229 20240229T1405 20240229140560 20240229140559Z 202402291405 19000101 18991231 2024022914".split(
    " ",
  ),
  ..."2024/2/29 2024.02.29 2024/2.29 2024-Feb-29 2024Feb29 2024-2-29T5:06 2024/02/29,5:06 2024-2-123".split(" "),
  ..."29-Feb-24 29-FEB-2024 29FEB2024 29FEB2024:14:05:00 29/Feb/2024:14:05:00 29-Feb-124 30-Feb-24 29.Mär.2024 29-Fab-24".split(
    " ",
  ),
  ...[
    "29. Februar 2024",
    "1er août 2024",
    "29 de fevereiro de 2024",
    "29 FÉVR. 24",
    "29 juin 2024 14h05",
    "3 juillet 30",
  ],
  ...[
    "29-FEB-24 02.15.00.000000 PM",
    "Thu, 29 Feb 2024 10:11:12 GMT",
    "29 Feb 2024 10:11:12 PM GMT+1",
    "29 Feb 2024 9:11 UTC-930",
    "29 Feb 2024 9:11 GMT+01:00",
    "29 Feb 2024 9:11 GMT+1:",
    "29 Feb 2024 9:11 GMT1",
    "29 Feb 2024 9:11 +1",
    "Thu., 29/2/2024",
    "Do 29.02.24",
    "x 29.02.24",
  ],
  ...[
    "Feb 29, 2024",
    "Feb 29 24",
    "Feb  9 2024  2:05PM",
    "February 9th, 2024 at 5",
    "Sept. 9,2024",
    "Feb 2024",
    "Feb, 24",
  ],
  ...[
    "Thursday, February 29, 2024",
    "Mar mar 3 2024",
    "mar. 3 feb 2024",
    "Maybe 5 2024",
    "May 5 2024 5:06:60.5 a.m. UTC",
  ],
  ...["2/29/2024, 2:05:00 PM", "2/29/24 0:05 AM", "13/1/30", "13/1/29", "1/13/2024 24:00", "1/13/2024 14:05 +0230"],
  ...[
    ..."120/80 €565K €110.5M 19m 8.7Mio 1.5Mä 5'11\" INV-2023-00045 (-73.9 )-5 A-5 é-5 -5--6 1,234,56 1,23,456 30-35k B58 12B $12B 1.5B V5K-0A1 4K7 é5K x-5K PT4M13S 30–35K 1-2-3M 1.234.567,5".split(
      " ",
    ),
    ...[
      "85 kW (116 PS)",
      "1.5 Lakh",
      "2  Cr",
      "3,5 Zimmer",
      "0012 K",
      "1234567890123456789",
      "5.5.5.5",
      "7 bnx",
      "4 ä",
    ],
  ],
  ..."1709208060 1709208060.75 1709208060123 1.70920806e9 999999999 2147483648 2147483649 999999999999 +1709208060".split(
    " ",
  ),
];

/** Rows of cells around each cut point, known and unknown categories, odd cells and odd texts, drawn with a seed. */
export function drawRows(file: ModelFile, texts: readonly string[], count: number): string[][] {
  const pools = file.columns.map((_, column) => poolOf(file, column, texts));
  const random = new Random(17);
  return Array.from({ length: count }, (_, row) =>
    pools.map(({ usual, odd }, column) => {
      // Each row has few odd cells, so that the others still tell the classes apart.
      const isOdd = (row + column) % 4 === 0;
      const pool = isOdd ? odd : usual;
      return pool[isOdd ? (row * pools.length + 7 * column) % pool.length : random.nextBelow(pool.length)]!;
    }),
  );
}

/**
 * The model as of a training file that writes kilowatt hours where its own writes dollars, its other numbers as times
 * or in several units, and its dates as seconds since 1970.
 */
export function withUnits(file: ModelFile): ModelFile {
  const forms: NumberForm[] = [
    { ...PLAIN_FORM, affix: "h:mm" },
    { ...PLAIN_FORM, affix: "h:mm:ss" },
    { ...PLAIN_FORM, affix: "min", units: { s: 1 / 60, min: 1, h: 60 } },
    { decimal: ",", grouping: ".", affix: "kg", units: { mg: 1e-6, g: 1e-3, kg: 1, t: 1e3 } },
  ];
  let formCount = 0;
  const columns = file.columns.map((column) => {
    const { reading } = column;
    if (reading.kind === "date") return { ...column, reading: { ...reading, form: { order: "unix" as const } } };
    if (reading.kind !== "number") return column;
    if (reading.form.affix === "USD")
      return { ...column, reading: { ...reading, form: { ...reading.form, affix: "kWh" } } };
    return { ...column, reading: { ...reading, form: forms[formCount++ % forms.length]! } };
  });
  return { ...file, columns };
}

/** What the engine makes of rows, by the model's own reading rules. */
export function answersOf(file: ModelFile, rows: string[][]): VectorAnswers {
  const columns = file.columns.map(({ name }) => name);
  const scorer = new Scorer(file, columns);
  const features = scorer.roomFor(rows.length);
  scorer.coder.codeRecords(
    rows,
    features.map(({ codes }) => codes),
    0,
  );
  const { decisions, probabilities } = scorer.scoreCodes(features, rows.length);
  const { labels } = file;
  return {
    columns,
    rows,
    codes: rows.map((_, row) => features.map(({ codes }) => codes[row]!)),
    labels: Array.from(decisions, (decided) => labels[decided]!),
    probabilities: rows.map((_, row) => [...probabilities.subarray(row * labels.length, (row + 1) * labels.length)]),
  };
}

function poolOf(
  file: ModelFile,
  column: number,
  texts: readonly string[],
): { usual: string[]; odd: readonly string[] } {
  const { reading } = file.columns[column]!;
  const usual = file.features.flatMap((feature) => {
    if (feature.column !== column) return [];
    if (feature.kind === "category") return [...feature.names, "never seen"];
    if (feature.kind === "score" || feature.part !== null) return [];
    const form = reading.kind === "number" ? reading.form : PLAIN_FORM;
    return [...feature.cutPoints].flatMap((cut) =>
      [before(cut), cut, after(cut)].map((value) => numberText(value, form)),
    );
  });
  usual.push(...(reading.missingTexts ?? []));
  if (reading.kind === "date") {
    const random = new Random(column);
    for (let at = 0; at < 60; at++) usual.push(dateText(random, reading.form.order));
  }
  const isText = file.texts?.some((text) => text.column === column) ?? false;
  if (isText) return { usual: [...usual, ...texts], odd: texts };
  return { usual, odd: ODD_CELLS };
}

function dateText(random: Random, order: DateOrder): string {
  if (order === "unix") return String(1e9 + random.nextBelow(1e9));
  const two = (value: number) => String(value).padStart(2, "0");
  const [year, month, day] = [
    1935 + random.nextBelow(95),
    two(1 + random.nextBelow(12)),
    two(1 + random.nextBelow(28)),
  ];
  const [hour, minute] = [random.nextBelow(24), two(random.nextBelow(60))];
  if (order === "ymd")
    return random.nextBelow(3) === 0 ? `${year}-${month}-${day}` : `${year}-${month}-${day}T${two(hour)}:${minute}Z`;
  const date = order === "dmy" ? `${day}.${month}.${year}` : `${Number(month)}/${Number(day)}/${year}`;
  return random.nextBelow(3) === 0 ? date : `${date} ${1 + (hour % 12)}:${minute} ${hour < 12 ? "am" : "PM"}`;
}

/** The next double. */
function after(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0]! += value > 0 ? 1n : -1n;
  return new Float64Array(bits.buffer)[0]!;
}

function before(value: number): number {
  return -after(-value);
}
