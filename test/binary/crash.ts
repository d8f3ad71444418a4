// The crash campaign at any length. Usage: bun test/binary/crash.ts PROGRAM [KILLS] [SEED]
// PROGRAM is the executable. The state folder of a failed campaign is kept and named.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAll } from "../support/server.ts";
import { runCampaign } from "./crash-campaign.ts";

const [program, kills = "200", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
if (program === undefined) throw new Error("name the executable");
const folder = mkdtempSync(join(tmpdir(), "cupel-crash-"));
const tell = (line: string) => process.stdout.write(`${line}\n`);
tell(`seed ${seed}, state in ${folder}`);
try {
  const options = { program: [program], folder, seed: Number(seed), kills: Number(kills), mostWaiting: 40, tell };
  tell(JSON.stringify(await runCampaign(options)));
  rmSync(folder, { recursive: true });
} finally {
  await endAll();
}
