// The crash campaign at any length, in pieces: bun test/binary/crash.ts PROGRAM [KILLS] [SEED] [--pieces
// N] [--record FILE] PROGRAM is the executable. Each piece has its own state folder and the next seed,
// and is a line of JSON in FILE; what is printed at the end is the sum of all lines there. Without
// PROGRAM it only sums. The state folder of a failed piece stays.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endAll } from "../support/server.ts";
import { runCampaign } from "./crash-campaign.ts";
import { addFigures, type CrashFigures, noFigures, tableOf } from "./crash-figures.ts";

/** Jobs that wait or run at once at the most. */
const MOST_WAITING = 12;

const { values, positionals } = parseArgs({
  options: { pieces: { type: "string", default: "1" }, record: { type: "string" } },
  allowPositionals: true,
});
const [program, kills = "200", seed = String(Date.now() % 1_000_000)] = positionals;
const { record } = values;
if (program === undefined && record === undefined) throw new Error("name the executable, or a record to sum up");
const tell = (line: string) => process.stdout.write(`${line}\n`);

let sum = noFigures();
for (let piece = 0; program !== undefined && piece < Number(values.pieces); piece++) {
  const figures = await runPiece(program, Number(seed) + piece);
  if (record !== undefined) appendFileSync(record, `${JSON.stringify(figures)}\n`);
  sum = addFigures(sum, figures);
}
if (record !== undefined && existsSync(record)) {
  const lines = readFileSync(record, "utf8").trimEnd().split("\n");
  sum = lines.map((line) => JSON.parse(line) as CrashFigures).reduce(addFigures, noFigures());
}
tell(tableOf(sum));

async function runPiece(executable: string, pieceSeed: number): Promise<CrashFigures> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-crash-"));
  tell(`seed ${pieceSeed}, state in ${folder}`);
  const options = { program: [executable], folder, seed: pieceSeed, kills: Number(kills), mostWaiting: MOST_WAITING };
  try {
    const figures = await runCampaign({ ...options, tell });
    rmSync(folder, { recursive: true });
    return figures;
  } finally {
    await endAll();
  }
}
