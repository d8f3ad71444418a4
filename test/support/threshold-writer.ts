// Stores one threshold after the other in a model file until it is killed:
// `bun threshold-writer.ts <file>`. A line for each.
import { storeThreshold } from "../../src/jobs/stored-threshold.ts";

for (let step = 0; ; step++) {
  await storeThreshold(process.argv[2]!, (step % 64) / 64, () => undefined);
  process.stdout.write("stored\n");
}
