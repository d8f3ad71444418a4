// Programs as processes of their own, run to their end: what they wrote, and how they ended.

export interface RunOptions {
  folder?: string;
  /** On standard input. */
  input?: string;
  /** In place of the test's own, and beside it. */
  environment?: Readonly<Record<string, string | undefined>>;
}

export interface Ended {
  out: string;
  err: string;
  code: number;
}

export async function runProgram(command: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = Bun.spawn([...command], settingsOf(options));
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, err, code };
}

/** As `runProgram`, while nothing else goes on in the test's process. */
export function runProgramNow(command: readonly string[], options: RunOptions = {}): Ended {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], settingsOf(options));
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
}

function settingsOf({ folder, input = "", environment = {} }: RunOptions) {
  return {
    ...(folder !== undefined && { cwd: folder }),
    env: { ...process.env, ...environment },
    ...({ stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" } as const),
  };
}
