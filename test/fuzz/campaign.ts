// A long fuzz campaign over HTTP and over CSV: `bun test/fuzz/campaign.ts --minutes 5`, or `--requests 20000`; `--seed N` begins with that one.
import { parseArgs } from "node:util";
import { startApi } from "../support/api.ts";
import { runCsvCampaign } from "./csv-fuzz.ts";
import { runCampaign } from "./http-fuzz.ts";

const REQUESTS_PER_OPERATION = 60;
const FILES_PER_ROUND = 2_000;

const { values } = parseArgs({
  options: { minutes: { type: "string" }, requests: { type: "string" }, seed: { type: "string" } },
});
const mostRequests = Number(values.requests ?? Number.POSITIVE_INFINITY);
const minutes = Number(values.minutes ?? (values.requests === undefined ? 5 : Number.POSITIVE_INFINITY));
const endMs = performance.now() + minutes * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

let seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 31);
let requestCount = 0;
let fileCount = 0;
let tableCount = 0;
let scoredCount = 0;
const statuses: Record<string, number> = {};
const findings: string[] = [];

while (performance.now() < endMs && requestCount < mostRequests) {
  await sendRequests();
  readFiles();
  say(`seed ${seed}: ${requestCount} requests and ${fileCount} files so far, ${findings.length} findings`);
  seed++;
}
const byStatus = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
say(`requests by status: ${byStatus.join(", ")}`);
say(`files: ${fileCount}, of which ${tableCount} were tables and ${scoredCount} were scored`);
for (const finding of findings) say(`\nfinding: ${finding}`);
process.exit(findings.length === 0 ? 0 : 1);

async function sendRequests(): Promise<void> {
  const api = await startApi();
  try {
    const campaign = await runCampaign(api, seed, REQUESTS_PER_OPERATION);
    requestCount += campaign.requestCount;
    for (const counts of Object.values(campaign.statuses)) {
      for (const [status, count] of Object.entries(counts)) statuses[status] = (statuses[status] ?? 0) + count;
    }
    findings.push(...campaign.findings.map((finding) => `seed ${seed}: ${finding}`));
  } finally {
    await api.close();
  }
}

function readFiles(): void {
  fileCount += FILES_PER_ROUND;
  try {
    const campaign = runCsvCampaign(seed, FILES_PER_ROUND);
    tableCount += campaign.tableCount;
    scoredCount += campaign.scoredCount;
  } catch (error) {
    findings.push(`seed ${seed}: reading CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
}
