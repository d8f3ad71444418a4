// Sends a file by tus-js-client, in a process of its own; prints how often it had to begin a request anew.
// Usage: bun test/support/tus-client.ts ADDRESS FILE [TRIES]
import { createReadStream, statSync } from "node:fs";
import { Upload } from "tus-js-client";

const [address = "", path = "", tries = "60"] = process.argv.slice(2);
let retries = 0;
await new Promise<void>((resolve, reject) => {
  new Upload(createReadStream(path), {
    endpoint: address,
    uploadSize: statSync(path).size,
    chunkSize: Number.POSITIVE_INFINITY,
    // Each delay counts anew once bytes have got through.
    retryDelays: Array.from({ length: Number(tries) }, () => 50),
    onShouldRetry: () => {
      retries++;
      return true;
    },
    onSuccess: () => resolve(),
    onError: reject,
  }).start();
});
process.stdout.write(`${JSON.stringify({ retries })}\n`);
