// The last of the runtime's compilers, told to wait: it takes a tenth of a short run, and pays back in long ones
// alone (D151).

/** Eight times as many passes as by default. JavaScriptCore reads these at the start of a process, and never again. */
const LATE: Record<string, string> = {
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "500000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "50000",
};

/**
 * Starts the executable anew as the same process, with the options: costs about 10 ms, and does not return. Does
 * nothing from sources, for commands other than `run`, where an option is set already, and where the system cannot.
 */
export function compileLate(argv: readonly string[]): void {
  const isSet = Object.keys(LATE).some((name) => process.env[name] !== undefined);
  if (!Bun.isStandaloneExecutable || argv[2] !== "run" || isSet || process.platform === "win32") return;
  try {
    process.execve?.(process.execPath, [process.execPath, ...argv.slice(2)], { ...process.env, ...LATE });
  } catch {
    // The run takes a little longer.
  }
}
