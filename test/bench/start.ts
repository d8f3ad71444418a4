// How fast the executable starts: `--version`, the first answer of /healthz,
// and the memory of a server that does nothing.
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STARTS = 15;
/** By then what starting took is given back. */
const IDLE_MS = 2_000;
const EXECUTABLE = join(import.meta.dir, "../../dist/cupel");
const PASSWORD = "correct horse battery";

if (!existsSync(EXECUTABLE)) throw new Error("There is no dist/cupel: bun run build makes it.");
const root = mkdtempSync(join(tmpdir(), "cupel-start-"));
try {
  const known = join(root, "known");
  // The file's pages are in memory from here on, and the folder has its database.
  await serve(known);
  const versions = await times(() => version());
  const first = await times((index) => serve(join(root, `new-${index}`)));
  const again = await times(() => serve(known));
  const lines = [
    "| | min | median | max |",
    "|---|---|---|---|",
    row("`cupel --version`, ms", versions),
    row(
      "`cupel serve` on a new folder to the first /healthz, ms",
      first.map(({ ms }) => ms),
    ),
    row(
      "`cupel serve` on a known folder to the first /healthz, ms",
      again.map(({ ms }) => ms),
    ),
    row(
      `resident ${IDLE_MS / 1000} s later, MB`,
      again.map(({ residentBytes }) => residentBytes / 1e6),
    ),
    "",
    `dist/cupel: ${(statSync(EXECUTABLE).size / 1e6).toFixed(1)} MB; ${STARTS} starts of each kind.`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
} finally {
  rmSync(root, { recursive: true });
}

async function times<T>(once: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < STARTS; index++) results.push(await once(index));
  return results;
}

async function version(): Promise<number> {
  const startMs = performance.now();
  const code = await Bun.spawn([EXECUTABLE, "--version"], { stdout: "ignore" }).exited;
  if (code !== 0) throw new Error(`--version ended with ${code}`);
  return performance.now() - startMs;
}

async function serve(folder: string): Promise<{ ms: number; residentBytes: number }> {
  const port = freePort();
  const startMs = performance.now();
  const child = Bun.spawn([EXECUTABLE, "serve", "--data", folder, "--port", String(port)], {
    env: { ...process.env, CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD },
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    while (!(await isHealthy(port))) if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    const ms = performance.now() - startMs;
    await Bun.sleep(IDLE_MS);
    const kibibytes = Number(await Bun.spawn(["ps", "-o", "rss=", "-p", String(child.pid)]).stdout.text());
    return { ms, residentBytes: kibibytes * 1024 };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    // Nobody listens yet; the next try is not long in coming, and takes nothing from the server.
    await Bun.sleep(1);
    return false;
  }
}

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port!;
}

function row(name: string, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const cells = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
  return `| ${name} | ${cells.map((value) => value.toFixed(0)).join(" | ")} |`;
}
