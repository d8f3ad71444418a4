// The time that a thread has taken of a processor: it grows with work, and not while the thread waits.
import { expect, test } from "bun:test";
import { threadSeconds } from "../../workers/thread-time.ts";

test("a thread's work takes seconds of a processor as the clock counts them", () => {
  const begun = threadSeconds();
  const beginMs = performance.now();
  while (threadSeconds() - begun < 0.05);
  // One thread has one processor at most; twice, since both clocks count in steps.
  expect(threadSeconds() - begun).toBeLessThan((2 * (performance.now() - beginMs)) / 1000);
});

test("a thread that waits takes less of a processor than the clock shows", () => {
  const waits = Array.from({ length: 10 }, () => {
    const before = threadSeconds();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return threadSeconds() - before;
  });
  // A virtual machine that is stopped for a while charges that time to the thread that ran last: to one wait of these.
  expect(Math.min(...waits)).toBeLessThan(0.05);
});
