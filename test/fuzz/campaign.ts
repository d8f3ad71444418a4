// A long fuzz campaign over HTTP against the real program, and over CSV:
//
//     bun test/fuzz/campaign.ts PROGRAM [--requests 100000] [--seed N] [--rest SECONDS] [--record FILE]
//     bun test/fuzz/campaign.ts --files 20000 [--seed N]
//
// PROGRAM is the executable; with TMPDIR=/dev/shm no request waits for a disk, which makes half as
// many again. A campaign is one server, and a line of JSON in FILE; what is printed at the end is the
// sum of all lines there. Without PROGRAM and files it only sums.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { endAll } from "../support/server.ts";
import { runCsvCampaign } from "./csv-fuzz.ts";
import { type FuzzFigures, reportOf } from "./fuzz-figures.ts";
import { startFuzzedServer } from "./fuzz-server.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import { runCampaign } from "./http-fuzz.ts";

const REQUESTS_PER_OPERATION = 800;
const AT_ONCE = 8;
const FILES_PER_ROUND = 2_000;
/** An answer that takes longer is a finding. */
const MOST_ANSWER_MS = 5_000;
/** Of what the server had once every operation had been asked for. */
const MOST_MEMORY_GROWTH = 1.2;

const { values, positionals } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: String(crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 31) },
    rest: { type: "string", default: "60" },
    record: { type: "string" },
    files: { type: "string" },
  },
  allowPositionals: true,
});
const [program] = positionals;
const { record } = values;
const say = (line: string) => process.stdout.write(`${line}\n`);

if (values.files !== undefined) readFiles(Number(values.files));
const pieces: FuzzFigures[] = [];
if (program !== undefined) {
  const figures = await sendRequests(program);
  if (record !== undefined) appendFileSync(record, `${JSON.stringify(figures)}\n`);
  pieces.push(figures);
}
if (record !== undefined && existsSync(record)) {
  const lines = readFileSync(record, "utf8").trimEnd().split("\n");
  pieces.splice(0, pieces.length, ...lines.map((line) => JSON.parse(line) as FuzzFigures));
}
if (pieces.length > 0) say(reportOf(pieces));
process.exitCode = pieces.every(({ findings }) => findings.length === 0) ? 0 : 1;

async function sendRequests(executable: string): Promise<FuzzFigures> {
  const server = await startFuzzedServer([executable]);
  const figures: FuzzFigures = {
    ...{ seeds: [], requestCount: 0, seconds: 0, statuses: {}, slowest: { ms: 0, request: "" }, findings: [] },
    residentMib: { atStart: server.residentMib(), before: 0, atEnd: 0, afterRest: 0 },
  };
  try {
    // Once around, so that what is made at its first use is there before it is measured.
    await oneRound(figures, server.world, Number(values.seed));
    await Bun.sleep(Number(values.rest) * 1_000);
    figures.residentMib.before = server.residentMib();
    for (let seed = Number(values.seed) + 1; figures.requestCount < Number(values.requests); seed++) {
      await oneRound(figures, server.world, seed);
      const perSecond = Math.round(figures.requestCount / figures.seconds);
      say(`seed ${seed}: ${figures.requestCount} requests, ${perSecond}/s, ${Math.round(server.residentMib())} MiB`);
    }
    figures.residentMib.atEnd = server.residentMib();
    await Bun.sleep(Number(values.rest) * 1_000);
    figures.residentMib.afterRest = server.residentMib();
    const code = await server.stop();
    if (code !== 0) figures.findings.push(`the server ended with ${code}`);
    judge(figures);
    return figures;
  } finally {
    await endAll();
  }
}

async function oneRound(figures: FuzzFigures, world: FuzzWorld, seed: number): Promise<void> {
  const startMs = performance.now();
  const plan = { seed, requestsPerOperation: REQUESTS_PER_OPERATION, atOnce: AT_ONCE };
  const { requestCount, statuses, slowest, findings } = await runCampaign(world, plan);
  figures.seconds += (performance.now() - startMs) / 1_000;
  figures.seeds.push(seed);
  figures.requestCount += requestCount;
  for (const counts of Object.values(statuses)) {
    for (const [status, times] of Object.entries(counts))
      figures.statuses[status] = (figures.statuses[status] ?? 0) + times;
  }
  if (slowest.ms > figures.slowest.ms) figures.slowest = slowest;
  figures.findings.push(...findings.map((finding) => `seed ${seed}: ${finding}`));
}

function judge({ slowest, residentMib, findings }: FuzzFigures): void {
  if (slowest.ms > MOST_ANSWER_MS) findings.push(`an answer took ${Math.round(slowest.ms)} ms: ${slowest.request}`);
  if (residentMib.afterRest > residentMib.before * MOST_MEMORY_GROWTH) findings.push("memory did not come back");
}

function readFiles(most: number): void {
  let [fileCount, tableCount, scoredCount] = [0, 0, 0];
  for (let seed = Number(values.seed); fileCount < most; seed++) {
    const campaign = runCsvCampaign(seed, FILES_PER_ROUND);
    fileCount += FILES_PER_ROUND;
    tableCount += campaign.tableCount;
    scoredCount += campaign.scoredCount;
    say(`seed ${seed}: ${fileCount} files, of which ${tableCount} were tables and ${scoredCount} were scored`);
  }
}
