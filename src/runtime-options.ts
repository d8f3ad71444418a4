// Options of the JavaScript runtime, which reads them only as a process starts (D151).

/**
 * Most pieces of work are over before optimised code has paid, and each thread compiles its own. Here code runs four
 * times as often as usual before it is optimised, eight times as often before the last compiler has it, and no helpers
 * join a thread that collects garbage.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "4000",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "4000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "512000",
  BUN_JSC_numberOfGCMarkers: "1",
};
/** The commands that train or refine. */
const COMMANDS = ["run", "refine", "serve"];

/**
 * Puts the executable, started anew with these options, in the place of this process, which stays the same to others.
 * Returns where there is nothing to do, and where that cannot be, as on Windows. What the environment sets stays.
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
