// How many refusals reach clients that send large bodies: Node, Bun, Python
// and curl, each the given times at each size.
// Usage: bun test/bench/refusals.ts [--times 100] [--program CUPEL]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BODY_SIZES, CLIENTS, isInstalled, outcomesOf, refusalsOf, statusAt } from "../support/refusals.ts";
import { drain, endAll, FROM_SOURCE, serve } from "../support/server.ts";

const { values: flags } = parseArgs({
  options: { times: { type: "string", default: "100" }, program: { type: "string" } },
});
const times = Number(flags.times);
const folder = mkdtempSync(join(tmpdir(), "cupel-refusals-"));
const program = flags.program === undefined ? FROM_SOURCE : [flags.program];
try {
  const { child, printed, token } = await serve(program, join(folder, "state"));
  void drain(child.stderr);
  const refusals = refusalsOf(/listening on (\S+)/.exec(printed)![1]!, token);
  print(`${"refusal".padEnd(36)}${"client".padEnd(8)}${BODY_SIZES.map((size) => `${size} MB`.padEnd(14)).join("")}`);
  for (const refusal of refusals) {
    for (const client of CLIENTS.filter(isInstalled)) {
      const cells: string[] = [];
      for (const size of BODY_SIZES) {
        const status = statusAt(refusal, size);
        const outcomes = await outcomesOf(client, Array(times).fill(refusal.call(size)), folder);
        const arrived = outcomes.filter((outcome) => outcome === status).length;
        const other = outcomes.find((outcome) => outcome !== status);
        cells.push(`${arrived} of ${times}${other === undefined ? "" : ` (${other})`}`.padEnd(14));
      }
      print(`${`${refusal.status} ${refusal.name}`.padEnd(36)}${client.padEnd(8)}${cells.join("")}`);
    }
  }
} finally {
  await endAll();
  rmSync(folder, { recursive: true });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
