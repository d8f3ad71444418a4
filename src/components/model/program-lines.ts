// Ready lines by which a program uses one model: with its key, its address and a row of its columns.

export interface ProgramLines {
  language: "curl" | "Python" | "TypeScript";
  /** The client that is saved beside the program; null where none is needed. */
  client: string | null;
  text: string;
}

export interface LinesAbout {
  /** The server's address, with its base path and a final slash. */
  address: string;
  modelKey: string;
  /** Cells by column; null where none is known. */
  row: Readonly<Record<string, string | null>> | null;
}

/** A row of more columns is no line that anybody reads: the lines send a file then. */
const MOST_COLUMNS = 40;
const FILE = "NEW.csv";

export function programLines({ address, modelKey, row }: LinesAbout): ProgramLines[] {
  const shown = row === null || Object.keys(row).length > MOST_COLUMNS ? null : row;
  const at = address.replace(/\/$/, "");
  return [
    { language: "curl", client: null, text: curlLines(`${at}/api/v1/predictions/models/${modelKey}`, shown) },
    { language: "Python", client: `${at}/clients/cupel.py`, text: pythonLines(at, modelKey, shown) },
    { language: "TypeScript", client: `${at}/clients/cupel.js`, text: typescriptLines(at, modelKey, shown) },
  ];
}

type Row = LinesAbout["row"];

function curlLines(path: string, row: Row): string {
  const asWhom = '-H "Authorization: Bearer $CUPEL_KEY"';
  if (row === null) return `curl -sS ${inShell(path)} ${asWhom} -F file=@${FILE}`;
  const body = inShell(JSON.stringify({ rows: [row] }));
  return `curl -sS ${inShell(`${path}/rows`)} ${asWhom} \\\n  -H 'Content-Type: application/json' -d ${body}`;
}

function pythonLines(address: string, modelKey: string, row: Row): string {
  const opening = [
    "from cupel import Cupel",
    "",
    `model = Cupel(${JSON.stringify(address)}).model(${JSON.stringify(modelKey)})`,
  ];
  const cells = Object.entries(row ?? {}).map(
    ([name, cell]) => `${JSON.stringify(name)}: ${cell === null ? "None" : JSON.stringify(cell)}`,
  );
  const use =
    row === null ? `model.predict("${FILE}", to="RESULT.csv")` : `print(model.predict({${cells.join(", ")}}).label)`;
  return [...opening, use].join("\n");
}

function typescriptLines(address: string, modelKey: string, row: Row): string {
  const use =
    row === null
      ? [`const prediction = await model.predict("${FILE}");`, 'await prediction.file().save("RESULT.csv");']
      : [`const [answer] = await model.predict([${JSON.stringify(row)}]);`, "console.log(answer.label);"];
  return [
    'import { Cupel } from "./cupel.js";',
    "",
    `const cupel = new Cupel(${JSON.stringify(address)}, { key: process.env.CUPEL_KEY });`,
    `const model = await cupel.models.get(${JSON.stringify(modelKey)});`,
    ...use,
  ].join("\n");
}

/** Nothing inside single quotes has a meaning to a shell. */
function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
