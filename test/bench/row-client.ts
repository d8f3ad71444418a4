// The client of live-rows.ts, in a process of its own: asks one request after the other, and tells how long each took.
// Usage: bun test/bench/row-client.ts QUESTIONS.json
import { Connection } from "./server-client.ts";

export interface Questions {
  origin: string;
  /** Taken in turns. */
  requests: string[];
  count: number;
}

if (import.meta.main) {
  const { origin, requests, count }: Questions = await Bun.file(process.argv[2]!).json();
  const connection = new Connection(origin);
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const startMs = performance.now();
    await connection.ask(requests[at % requests.length]!);
    times.push(performance.now() - startMs);
  }
  await connection.end();
  process.stdout.write(JSON.stringify(times));
}
