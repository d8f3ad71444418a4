// `bun test/bench/resumable.ts [PROGRAM] [MIB]`: a file in pieces over a link that is cut 20
// times, the server killed five times: what the server holds at rest and at the most. PROGRAM
// is the executable; from source where it is left out or `-`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sendOverBrokenLink } from "../support/broken-link.ts";
import { endAll, FROM_SOURCE } from "../support/server.ts";

const [program = "-", mib = "500"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-resumable-"));
try {
  const fileBytes = Number(mib) * 1024 * 1024;
  const options = { program: program === "-" ? FROM_SOURCE : [program], folder, fileBytes, cuts: 20, killEach: 4 };
  const { retries, sentSha256, storedSha256, memory, seconds } = await sendOverBrokenLink(options);
  const isSame = storedSha256.length === 1 && storedSha256[0] === sentSha256;
  const lives = memory.map(({ rest, peak }) => `${rest.toFixed(0)} to ${peak.toFixed(0)}`).join(", ");
  process.stdout.write(
    `${mib} MiB in ${seconds.toFixed(1)} s, ${retries} requests anew, the same file: ${isSame}\nMiB at rest and at the most, by life of the server: ${lives}\n`,
  );
} finally {
  await endAll();
  rmSync(folder, { recursive: true });
}
