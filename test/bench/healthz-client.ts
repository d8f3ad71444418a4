// Asks /healthz again and again until its input ends, and tells how many milliseconds each answer took.
// Usage: bun test/bench/healthz-client.ts ORIGIN
import { setTimeout as sleep } from "node:timers/promises";

const origin = process.argv[2]!;
const waits: number[] = [];
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();
while (!isOver) {
  const startMs = performance.now();
  await (await fetch(`${origin}/healthz`)).text();
  waits.push(performance.now() - startMs);
  await sleep(5);
}
process.stdout.write(JSON.stringify(waits));
