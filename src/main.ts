#!/usr/bin/env bun
// The program's entry point.
import { startWithOptions } from "./runtime-options.ts";

startWithOptions(process.argv);
const { runCommandLine } = await import("./command-line/command-line.ts");

/** In the executable, a thread's entry is found by its path below the common folder of all entries. */
const WORKER = Bun.isStandaloneExecutable
  ? "./workers/worker.ts"
  : new URL("../workers/worker.ts", import.meta.url).href;

const spawnWorker = () => new Worker(WORKER);

process.exitCode = await runCommandLine(process.argv, spawnWorker);
