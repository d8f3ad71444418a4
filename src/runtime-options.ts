// Options of the JavaScript runtime, which reads them only as a process starts (D151).

import { totalmem } from "node:os";

/** The runtime lets garbage grow by the memory of the machine; see D151. */
const TOLD_MEMORY = 2 * 2 ** 30;

/**
 * Most pieces of work end before optimising their code pays off, and each thread compiles its own code. With these
 * options code runs four times as often as usual before it is optimised, and eight times as often before the last
 * compiler optimises it. Each thread collects garbage without helper threads, as on a machine of little memory.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "4000",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "4000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "512000",
  BUN_JSC_numberOfGCMarkers: "1",
  BUN_JSC_forceRAMSize: String(Math.min(TOLD_MEMORY, totalmem())),
};
/** The commands that train or refine. */
const COMMANDS = ["run", "refine", "serve"];

/**
 * Replaces this process by the executable started anew with these options; its process id stays the same. Returns if
 * there is nothing to do, or if a process cannot be replaced, as on Windows. Options that the environment sets stay.
 */
export function startWithOptions(argv: readonly string[]): void {
  const [, , command = "", ...rest] = argv;
  const isSet = Object.keys(OPTIONS).every((name) => name in process.env);
  if (!Bun.isStandaloneExecutable || isSet || !COMMANDS.includes(command)) return;
  const { execPath, env } = process;
  try {
    process.execve?.(execPath, [execPath, command, ...rest], { ...OPTIONS, ...(env as Record<string, string>) });
  } catch {
    // Without the options a small table's run takes a seventh more of the processor.
  }
}
