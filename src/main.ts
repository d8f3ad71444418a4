#!/usr/bin/env bun
// The program's entry point.
import { runCommandLine } from "./command-line.ts";

const spawnWorker = () => new Worker(new URL("../workers/worker.ts", import.meta.url).href);

process.exitCode = await runCommandLine(process.argv, spawnWorker);
