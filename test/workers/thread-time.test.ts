// The time that a thread has taken of a processor: it grows with work, and with nothing else.
import { expect, test } from "bun:test";
import { threadSeconds } from "../../workers/thread-time.ts";

test("a thread takes no more of a processor than the clock shows, and next to nothing while it waits", () => {
  const begun = threadSeconds();
  const beginMs = performance.now();
  while (threadSeconds() - begun < 0.05);
  const working = threadSeconds() - begun;
  // The system counts in steps of a hundredth of a second at most.
  expect(working).toBeLessThanOrEqual((performance.now() - beginMs) / 1000 + 0.01);
  const before = threadSeconds();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(threadSeconds() - before).toBeLessThan(0.25);
});
