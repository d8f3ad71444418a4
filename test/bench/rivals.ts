// Accuracy on rows that nobody chose on: `cupel run --no-refine` beside
// what people use today, over several outer splits.
// Usage: bun test/bench/rivals.ts [FOLDER [RESULTS.jsonl]] [--splits N] [--tuned]
// [--only NAME,…] [--skip own|peers] [--cupel PROGRAM]
//   [--python PYTHON] [--texts]
// --texts: tables with free text, a whole run with its refinement, beside what people write for these.
// Every table is split 70/30 by label, N times; each split is a line of RESULTS.jsonl and one of RESULTS.jsonl.peers,
// and a line that is there is not made again: a changed program is measured anew against peers that did not change.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { RunSummary } from "../../src/summary/summary.ts";
import {
  type Deal,
  dealTable,
  majorityShare,
  meanOf,
  printRow as print,
  programOf,
  readResults,
  readTable,
  runToEnd,
} from "./outer-split.ts";

const OWN = "Cupel";

interface Answer {
  accuracy: number;
  seconds: number;
}

interface Split {
  table: string;
  split: number;
}

interface OwnRecord extends Split {
  rows: number;
  majority: number;
  published: number;
  confirmed: number | null;
  champion: string;
  own: Answer;
  peakMb: number;
}

interface PeersRecord extends Split {
  peers: Record<string, Answer>;
}

type SplitRecord = OwnRecord & { answers: Record<string, Answer> };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    splits: { type: "string", default: "5" },
    tuned: { type: "boolean", default: false },
    only: { type: "string" },
    skip: { type: "string" },
    cupel: { type: "string" },
    python: { type: "string", default: "python3" },
    texts: { type: "boolean", default: false },
  },
});
const work = mkdtempSync(join(tmpdir(), "cupel-rivals-"));
const bundled = join(import.meta.dir, "..", "fixtures", "tables");
const [folder = bundled, resultsPath = join(work, "results.jsonl")] = positionals;
const only = values.only?.split(",") ?? null;
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".csv"))
  .map((file) => basename(file, ".csv"))
  .filter((name) => only === null || only.includes(name))
  .sort();
const peersPath = `${resultsPath}.peers`;
const ownRecords = readResults<OwnRecord>(resultsPath);
const peersRecords = readResults<PeersRecord>(peersPath);
for (let split = 0; split < Number(values.splits); split++) {
  for (const table of names) {
    const isThis = (record: Split) => record.table === table && record.split === split;
    const lacksOwn = values.skip !== "own" && !ownRecords.some(isThis);
    const lacksPeers = values.skip !== "peers" && !peersRecords.some(isThis);
    if (!lacksOwn && !lacksPeers) continue;
    const deal = dealTable(join(folder, `${table}.csv`), split, work);
    if (lacksOwn) keep(resultsPath, ownRecords, { table, split, ...(await runOwn(deal)) });
    if (lacksPeers) keep(peersPath, peersRecords, { table, split, peers: await runPeers(deal) });
  }
}
rmSync(work, { recursive: true });
report(
  ownRecords.flatMap((record): SplitRecord[] => {
    const others = peersRecords.find(({ table, split }) => table === record.table && split === record.split);
    const isAsked = names.includes(record.table) && others !== undefined;
    return isAsked ? [{ ...record, answers: { [OWN]: record.own, ...others.peers } }] : [];
  }),
);

async function runOwn(deal: Deal): Promise<Omit<OwnRecord, keyof Split>> {
  const { header, learning, judging, truth, trainPath, testPath } = deal;
  const out = join(work, "out");
  const refining = values.texts ? [] : ["--no-refine"];
  const command = [...programOf(values.cupel), "run", trainPath, ...refining, "--predict", testPath, "--out", out];
  const { seconds, peakBytes } = await runToEnd(command);
  const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  const decided = readTable(join(out, "predictions-test.csv")).records.map((record) => record[header.length]!);
  const accuracy = decided.filter((label, row) => label === truth[row]).length / truth.length;
  return {
    rows: learning.length + judging.length,
    majority: majorityShare(deal),
    published: summary.testPerformance!,
    confirmed: summary.confirmedPerformance?.mean ?? null,
    champion: summary.versions[0]!.algorithm,
    own: { accuracy, seconds },
    peakMb: peakBytes / 1e6,
  };
}

async function runPeers({ trainPath, testPath }: Deal): Promise<Record<string, Answer>> {
  const script = join(import.meta.dir, values.texts ? "text_peers.py" : "table_peers.py");
  const command = [values.python, script, trainPath, testPath, ...(values.tuned ? ["--tuned"] : [])];
  try {
    return JSON.parse((await runToEnd(command)).output);
  } catch (error) {
    const errors = String(error);
    if (!errors.includes("No module named")) throw error;
    process.stderr.write(`The peers are left out: ${errors.trim().split("\n").at(-1)}.\n`);
    return {};
  }
}

function keep<R extends Split>(path: string, records: R[], record: R): void {
  records.push(record);
  appendFileSync(path, `${JSON.stringify(record)}\n`);
  process.stderr.write(`${JSON.stringify(record)}\n`);
}

function report(records: readonly SplitRecord[]): void {
  const rivals = [...new Set(records.flatMap(({ answers }) => Object.keys(answers)))];
  const tables = [...new Set(records.map(({ table }) => table))].sort();
  const accuracyOf = (table: string, rival: string) =>
    meanOf(
      records.filter((record) => record.table === table).map(({ answers }) => answers[rival]?.accuracy ?? Number.NaN),
    );
  print(["table", "rows", "splits", ...rivals, "majority", "published", "confirmed", "seconds", "peak MB"]);
  print(Array.from({ length: rivals.length + 8 }, () => "---"));
  for (const table of tables) {
    const own = records.filter((record) => record.table === table);
    print([
      table,
      own[0]!.rows,
      own.length,
      ...rivals.map((rival) => percent(accuracyOf(table, rival))),
      percent(meanOf(own.map(({ majority }) => majority))),
      percent(meanOf(own.map(({ published }) => published))),
      percent(meanOf(own.flatMap(({ confirmed }) => confirmed ?? []))),
      meanOf(own.map(({ answers }) => answers[OWN]!.seconds)).toFixed(1),
      meanOf(own.map(({ peakMb }) => peakMb)).toFixed(0),
    ]);
  }
  const overTables = (of: (table: string) => number) => meanOf(tables.map(of));
  print([
    "**mean**",
    "",
    "",
    ...rivals.map((rival) => percent(overTables((table) => accuracyOf(table, rival)))),
    "",
    "",
    "",
    "",
    "",
  ]);
  const rankOf = (table: string, rival: string) => {
    const own = accuracyOf(table, rival);
    const others = rivals.map((other) => accuracyOf(table, other));
    return 1 + others.filter((other) => other > own).length + (others.filter((other) => other === own).length - 1) / 2;
  };
  print([
    "**mean rank**",
    "",
    "",
    ...rivals.map((rival) => overTables((table) => rankOf(table, rival)).toFixed(2)),
    "",
    "",
    "",
    "",
    "",
  ]);
  for (const figure of ["published", "confirmed"] as const) {
    const gaps = records.flatMap((record) => {
      const claimed = record[figure];
      return claimed === null ? [] : [claimed - record.answers[OWN]!.accuracy];
    });
    process.stdout.write(
      `${figure} less new rows: ${(100 * meanOf(gaps)).toFixed(2)} points over ${gaps.length} splits\n`,
    );
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
