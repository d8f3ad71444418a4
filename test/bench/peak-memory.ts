// Loaded before a program, on Linux: writes the most memory that its process had
// resident to the file named by PEAK_FILE, when it ends.
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const path = process.env["PEAK_FILE"];
if (path !== undefined && isMainThread) {
  // What the parent learns of its child's peak begins with what the parent itself had resident.
  process.on("exit", () => {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]!;
    writeFileSync(path, kib);
  });
}
