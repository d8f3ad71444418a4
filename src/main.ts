#!/usr/bin/env bun
// The program's entry point.
import { runCommandLine } from "./command-line/command-line.ts";
import { compileLate } from "./late-compiling.ts";

/** In the executable, a thread's entry is found by its path below the common folder of all entries. */
const WORKER = Bun.isStandaloneExecutable
  ? "./workers/worker.ts"
  : new URL("../workers/worker.ts", import.meta.url).href;

compileLate(process.argv);

const spawnWorker = () => new Worker(WORKER);

process.exitCode = await runCommandLine(process.argv, spawnWorker);
