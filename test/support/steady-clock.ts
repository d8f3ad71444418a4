// The clock that time limits count by, moved on by a test: what a limit ends is seen without waiting for it.
import { spyOn } from "bun:test";

/**
 * Stops the clock of this thread until `use` has ended: what has to be done takes no time, on a busy machine either.
 */
export async function withStoppedClock<T>(use: () => Promise<T>): Promise<T> {
  const stopped = performance.now();
  const moved = spyOn(performance, "now").mockImplementation(() => stopped);
  try {
    return await use();
  } finally {
    moved.mockRestore();
  }
}

/** Lets so many seconds pass on this thread, until `use` has ended; called again, so many more. */
export async function withSteadyClock<T>(use: (pass: (seconds: number) => void) => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  const moved = spyOn(performance, "now").mockImplementation(() => now() + passedMs);
  try {
    return await use((seconds) => {
      passedMs += seconds * 1_000;
    });
  } finally {
    moved.mockRestore();
  }
}
