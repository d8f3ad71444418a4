// Sends requests whose bodies the server refuses, by the runtime's own fetch (Node or Bun), and prints what became of each.
// Usage: node refused-client.mjs CALLS.json
import { readFileSync } from "node:fs";

const CHUNK_BYTES = 65_536;

function bodyOf({ head, fillBytes, tail, isChunked }) {
  const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(fillBytes, "x"), Buffer.from(tail)]);
  if (!isChunked) return bytes;
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + CHUNK_BYTES)));
      at += CHUNK_BYTES;
    },
  });
}

async function outcomeOf({ method, url, headers, ...content }) {
  try {
    const response = await fetch(url, { method, headers, body: bodyOf(content), duplex: "half" });
    const { status } = await response.json();
    return String(status === response.status ? status : `${response.status} with another body`);
  } catch (error) {
    return String(error.cause?.code ?? error.code ?? error.message);
  }
}

const outcomes = [];
for (const call of JSON.parse(readFileSync(process.argv[2], "utf8"))) outcomes.push(await outcomeOf(call));
process.stdout.write(JSON.stringify(outcomes));
