// A backup made by a process of its own, beside the server: copying gigabytes and their hashes stall no request.
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { InputError } from "../../engine/input-error.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import type { BackupAnswer } from "../commands/backup.ts";
import type { MadeBackup } from "./schedule.ts";

/** What a process that is told to end may take to clean up. */
const ENDING_MS = 5_000;

/** The program that runs, as a command. */
const OWN_PROGRAM = Bun.isStandaloneExecutable
  ? [process.execPath]
  : [process.execPath, fileURLToPath(new URL("../main.ts", import.meta.url))];

export interface BackupProcesses {
  make(file: string): Promise<MadeBackup>;
  /** Ends the one under way, of which nothing stays. */
  stop(): Promise<void>;
}

/** One at a time. */
export function backupProcesses(dataFolder: string): BackupProcesses {
  let child: Bun.Subprocess<"ignore", "pipe", "ignore"> | null = null;
  let isStopping = false;
  return {
    make: async (file) => {
      if (isStopping) throw new Cancelled();
      child = Bun.spawn([...OWN_PROGRAM, "backup", file, "--data", dataFolder, "--json"], {
        env: withoutSettings(process.env),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      });
      beKind(child.pid);
      const printed = await child.stdout.text();
      const exitCode = await child.exited;
      child = null;
      if (isStopping) throw new Cancelled();
      return readAnswer(printed, exitCode);
    },
    stop: async () => {
      isStopping = true;
      const ending = child;
      if (ending === null) return;
      ending.kill("SIGTERM");
      const timer = setTimeout(() => ending.kill("SIGKILL"), ENDING_MS);
      await ending.exited;
      clearTimeout(timer);
    },
  };
}

/** The server's settings, secrets among them, are none of its. */
function withoutSettings(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("CUPEL_")));
}

/** Requests and jobs go first. */
function beKind(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system knows no priorities.
  }
}

function readAnswer(printed: string, exitCode: number): MadeBackup {
  const answer = parse(printed);
  if (answer === null) throw new Error(`the backup ended with exit code ${exitCode}`);
  if ("error" in answer) throw new InputError(answer.error.code, answer.error.message);
  return answer;
}

function parse(printed: string): BackupAnswer | null {
  try {
    return JSON.parse(printed) as BackupAnswer;
  } catch {
    return null;
  }
}
